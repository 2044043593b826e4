import type { OperationName } from '../../../base/interface/types.js';
import { mayCount, wasServed, type Sample, servedIn } from '../../../judge/limits/sample.js';
import { minuteMs, type Figures } from '../../../judge/limits/bounds.js';
import type { KeySeries } from '../../../judge/limits/series.js';
import { count } from '../../../base/kernel/format.js';
import type { ProfileMark } from '../../../log/record.js';
import { acrossWindows, refilledMeanwhile } from '../sentences.js';

const REQUESTS: Readonly<Record<OperationName, string>> = {
  listPets: 'GET /pets',
  createPet: 'POST /pets',
  getPet: 'GET /pets/{petId}',
};

/**
 * Describes a burst: "60 of 60 requests allowed; request 61 (POST /pets) got 429."
 *
 * @param before earlier requests of this key allowed in the same window
 */
export function burstSentence(samples: readonly Sample[], figures: Figures, before = 0): string {
  const served = servedIn(samples);
  const across = acrossWindows(samples, figures);
  // A burst that got the whole allowance had a fresh window, whatever came shortly before.
  const earlier = across === '' && served < figures.perMinute ? before : 0;
  const besides = earlier > 0 ? ` (${count(earlier)} earlier)` : refilledMeanwhile(samples, figures);
  const allowed =
    across === ''
      ? `${count(served + earlier)} of ${count(figures.perMinute)} requests allowed${besides}`
      : `${count(served)} requests allowed${across}`;
  const at = samples.findIndex((sample) => !wasServed(sample));
  const over = samples[at];
  if (over === undefined) return `${allowed}; none refused.`;
  const request =
    earlier > 0
      ? `the next one, ${REQUESTS[over.operation]},`
      : `request ${count(at + 1)} (${REQUESTS[over.operation]})`;
  return `${allowed}; ${request} got ${over.status === 0 ? 'no response' : over.status}.`;
}

/** Counts the requests that this run got with the key in the burst's window, before it. */
export function servedBefore(samples: readonly Sample[], { earlier, figures }: KeySeries): number {
  const until = samples[0]?.sentAt ?? 0;
  return earlier.filter(
    (sample) => mayCount(sample) && sample.sentAt >= until - minuteMs(figures) && sample.sentAt < until,
  ).length;
}

/** Marks the 429 that ended a burst. */
export const refusalMarks = (refusal: Sample | undefined): readonly ProfileMark[] =>
  refusal === undefined
    ? []
    : [{ kind: 'first-refusal', at: refusal.answeredAt, text: `429 to ${refusal.operation}` }];
