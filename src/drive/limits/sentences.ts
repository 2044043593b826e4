import { count, counted, duration } from '../../base/kernel/format.js';
import type { OperationName } from '../../base/interface/types.js';
import type { Asked, QuestionName } from '../../judge/limits/asked.js';
import type { Figures } from '../../judge/limits/bounds.js';
import { refusedIn, servedIn, wasRefused, wasServed } from '../../judge/limits/sample.js';
import type { ProfileMark } from '../../log/record.js';

const REQUESTS: Readonly<Record<OperationName, string>> = {
  listPets: 'GET /pets',
  createPet: 'POST /pets',
  getPet: 'GET /pets/{petId}',
};

const outcomeOf = ({ status }: Asked): string => (status === 0 ? 'no response' : String(status));

/**
 * Describes what a question came to, and judges nothing.
 *
 * @param all that was asked of the key so far
 */
export function sentenceOf(question: QuestionName, all: readonly Asked[], { perMinute }: Figures) {
  const asked = all.filter((one) => one.question === question);
  return { sentence: textOf(question, asked, perMinute), marks: marksOf(asked, all) };
}

/**
 * Marks what a chart cannot show by itself: the first refusal, requests at a promised time, and those at
 * once.
 */
function marksOf(asked: readonly Asked[], all: readonly Asked[]): readonly ProfileMark[] {
  const refusal = asked.find(wasRefused);
  const [first] = asked;
  const before = first === undefined ? undefined : all[all.indexOf(first) - 1];
  // The steady run begins with the return where a window lets nobody back sooner.
  const isReturn = first?.question === 'steady' && before !== undefined && wasRefused(before);
  const returns = asked.filter(
    (one) =>
      (one.part === 'return' && (one.question === 'back' || one.question === 'reset')) ||
      (isReturn && one === first),
  );
  const together = asked.filter(({ part }) => part === 'together');
  return [
    ...(refusal === undefined
      ? []
      : [
          {
            kind: 'first-refusal' as const,
            at: refusal.answeredAt,
            text: `429 to ${REQUESTS[refusal.operation]}`,
          },
        ]),
    ...returns.map((one): ProfileMark =>
      one.question === 'reset'
        ? { kind: 'reset', at: one.sentAt, text: `a second after Reset: ${outcomeOf(one)}` }
        : { kind: 'retry-after', at: one.sentAt, text: `Retry-After is over: ${outcomeOf(one)}` },
    ),
    ...together
      .slice(0, 1)
      .map(({ sentAt }): ProfileMark => ({ kind: 'at-once', at: sentAt, text: parallelText(together) })),
  ].toSorted((one, other) => one.at - other.at);
}

function parallelText(together: readonly Asked[]): string {
  const left = count(together[0]?.left ?? 0);
  return `${counted(together.length, 'parallel request')} with ${left} left: ${count(servedIn(together))} allowed`;
}

function textOf(question: QuestionName, asked: readonly Asked[], limit: number): string {
  // “0 of 60 requests allowed” would read as of a limiter.
  if (asked.length > 0 && asked.every(({ status }) => status === 0))
    return `No response to ${counted(asked.length, 'request')}.`;
  const served = servedIn(asked);
  const ofPlan =
    served <= limit
      ? `${count(served)} of ${count(limit)} requests`
      : `${count(served)} requests, of a plan of ${count(limit)},`;
  const at = asked.findIndex((sample) => !wasServed(sample));
  const over = asked[at];
  const [first, last] = [asked[0], asked.at(-1)];
  switch (question) {
    case 'whole':
      return over === undefined
        ? `${ofPlan} allowed; none refused.`
        : `${ofPlan} allowed; request ${count(at + 1)} (${REQUESTS[over.operation]}) got ${outcomeOf(over)}.`;
    case 'back': {
      if (first === undefined) return 'No request was allowed before a window was over.';
      const bursts = counted(asked.filter(({ part }) => part === 'return').length, 'return');
      return `${bursts} at Retry-After: ${counted(served, 'request')} allowed, the first got ${outcomeOf(first)}.`;
    }
    case 'steady': {
      const tookMs = (asked.at(-1)?.sentAt ?? 0) - (first?.sentAt ?? 0);
      const sent = `${counted(asked.length, 'request')} at 95 % of the plan over ${duration(tookMs)}`;
      const refused = refusedIn(asked);
      const others = asked.length - served - refused;
      const lost = others === 0 ? '' : `, ${count(others)} without a usable response`;
      return `${sent}: ${count(refused)} refused${lost}.`;
    }
    case 'edge':
    case 'second':
    case 'third': {
      const together = asked.filter(({ part }) => part === 'together');
      const got = question === 'edge' ? counted(served, 'request') : ofPlan;
      return together.length > 0
        ? `${got} allowed; ${parallelText(together)}.`
        : `${got} allowed; the edge was not reached, so no parallel requests were sent.`;
    }
    case 'idle':
      return last === undefined
        ? 'No request was sent in a pause.'
        : `${outcomeOf(last)} in a window that was used up, after a pause.`;
    case 'watch':
      return `${counted(asked.length, 'single request')} after a silence of two windows: ${count(served)} allowed.`;
    case 'reset':
      return first === undefined
        ? 'Reset was not tried.'
        : `${outcomeOf(first)} a second after Reset, before Retry-After.`;
  }
}
