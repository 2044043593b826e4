import type { OperationName } from '../../../base/interface/types.js';
import { allowedIn } from '../../../judge/limits/allowed-words.js';
import { wasServed, type Sample } from '../../../judge/limits/sample.js';
import type { KeySeries } from '../../../judge/limits/series.js';
import { count } from '../../../base/kernel/format.js';
import type { ProfileMark } from '../../../log/record.js';

const REQUESTS: Readonly<Record<OperationName, string>> = {
  listPets: 'GET /pets',
  createPet: 'POST /pets',
  getPet: 'GET /pets/{petId}',
};

/** Describes a burst: "60 of 60 requests allowed; request 61 (POST /pets) got 429." */
export function burstSentence(
  samples: readonly Sample[],
  key: Pick<KeySeries, 'earlier' | 'figures'>,
): string {
  const { amount, besides, earlier } = allowedIn(samples, key);
  const allowed = `${amount} allowed${besides}`;
  const at = samples.findIndex((sample) => !wasServed(sample));
  const over = samples[at];
  if (over === undefined) return `${allowed}; none refused.`;
  const request = earlier
    ? `the next one, ${REQUESTS[over.operation]},`
    : `request ${count(at + 1)} (${REQUESTS[over.operation]})`;
  return `${allowed}; ${request} got ${over.status === 0 ? 'no response' : over.status}.`;
}

/** Marks the 429 that ended a burst. */
export const refusalMarks = (refusal: Sample | undefined): readonly ProfileMark[] =>
  refusal === undefined
    ? []
    : [{ kind: 'first-refusal', at: refusal.answeredAt, text: `429 to ${refusal.operation}` }];
