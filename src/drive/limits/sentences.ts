import { count, counted, duration } from '../../base/kernel/format.js';
import type { OperationName } from '../../base/interface/types.js';
import type { Asked, QuestionName } from '../../judge/limits/plain/asked.js';
import type { Figures } from '../../judge/limits/bounds.js';
import { servedIn, wasServed } from '../../judge/limits/sample.js';
import type { ProfileMark } from '../../log/record.js';

const REQUESTS: Readonly<Record<OperationName, string>> = {
  listPets: 'GET /pets',
  createPet: 'POST /pets',
  getPet: 'GET /pets/{petId}',
};

const outcomeOf = ({ status }: Asked): string => (status === 0 ? 'no response' : String(status));

/** Describes what a question came to, and judges nothing. */
export function sentenceOf(question: QuestionName, asked: readonly Asked[], { perMinute }: Figures) {
  const marks: readonly ProfileMark[] = asked
    .filter((sample) => sample.status === 429)
    .slice(0, 1)
    .map((refusal) => ({
      kind: 'first-refusal',
      at: refusal.answeredAt,
      text: `429 to ${refusal.operation}`,
    }));
  return { sentence: textOf(question, asked, perMinute), marks };
}

function textOf(question: QuestionName, asked: readonly Asked[], limit: number): string {
  const served = servedIn(asked);
  const ofPlan = `${count(served)} of ${count(limit)} requests allowed`;
  const at = asked.findIndex((sample) => !wasServed(sample));
  const over = asked[at];
  const [first] = asked;
  switch (question) {
    case 'whole':
      return over === undefined
        ? `${ofPlan}; none refused.`
        : `${ofPlan}; request ${count(at + 1)} (${REQUESTS[over.operation]}) got ${outcomeOf(over)}.`;
    case 'back': {
      if (first === undefined) return 'No request was allowed before a window was over.';
      const bursts = counted(asked.filter(({ part }) => part === 'return').length, 'return');
      return `${bursts} at Retry-After: ${counted(served, 'request')} allowed, the first got ${outcomeOf(first)}.`;
    }
    case 'steady': {
      const tookMs = (asked.at(-1)?.sentAt ?? 0) - (first?.sentAt ?? 0);
      const sent = `${counted(asked.length, 'request')} at 95 % of the plan over ${duration(tookMs)}`;
      return `${sent}: ${count(asked.length - served)} refused.`;
    }
    case 'edge':
    case 'second':
    case 'third': {
      const together = asked.filter(({ part }) => part === 'together');
      if (together.length === 0) return `${ofPlan}; its edge was not reached.`;
      const left = counted(together[0]?.left ?? 0, 'request');
      return `${count(together.length)} at once with ${left} left: ${count(servedIn(together))} allowed.`;
    }
    case 'reset':
      return first === undefined
        ? 'Reset was not tried.'
        : `${outcomeOf(first)} a second after Reset, before Retry-After.`;
  }
}
