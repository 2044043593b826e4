import type { Asked } from './asked.js';
import type { Figures } from './bounds.js';
import { leftOf } from './left.js';
import { wasRefused, wasServed } from './sample.js';

/* A key that was watched: single requests after a long silence. Alone its allowance changes in one way. */

/**
 * A limiter of windows takes one a request and returns all of it once; a bucket is full each time. Rises and
 * falls, so many of each, are neither.
 */
const CHANGES = 2;
/** Fewer than the plan by as many is no rounding. */
const FEWER = 3;

/** Requests that were there for a single one. */
const hadBy = (sample: Asked, figures: Figures): number | null => {
  const left = leftOf(sample, figures);
  if (left === null) return null;
  return wasServed(sample) ? left + 1 : wasRefused(sample) && left === 0 ? 0 : null;
};

/** Requests of somebody else that a watched key shows, and the pause in which they came. */
interface Watched {
  readonly requests: number;
  readonly pause: { readonly from: number; readonly to: number } | null;
}

const watchedOf = (asked: readonly Asked[], figures: Figures) =>
  asked
    .filter(({ question }) => question === 'watch')
    .flatMap((sample) => {
      const had = hadBy(sample, figures);
      return had === null ? [] : [{ sample, had, left: wasServed(sample) ? had - 1 : 0 }];
    });

/** Finds requests of somebody else on a key that was watched; null without. */
export function seenWatching(asked: readonly Asked[], figures: Figures): Watched | null {
  const watched = watchedOf(asked, figures);
  const steps = watched.slice(1).map((after, at) => ({ after, before: watched[at] ?? after }));
  const falls = steps.filter(({ before, after }) => after.had < before.had);
  const rises = steps.filter(({ before, after }) => after.had > before.had);
  const gone = steps.find(({ before, after }) => before.left > 0 && after.had === 0);
  // A bucket that refills by steps loses one with each request between two of them.
  const isByOne = steps.every(({ before, after }) => after.had > before.had || after.had === before.had - 1);
  const isUneven = rises.length >= CHANGES && falls.length >= CHANGES && !isByOne;
  const shown = gone ?? (isUneven ? falls[0] : undefined);
  if (shown !== undefined) {
    const { before, after } = shown;
    const pause = { from: before.sample.answeredAt, to: after.sample.answeredAt };
    return { requests: Math.max(1, before.left - after.had), pause };
  }
  const silent = fromSilence(asked, figures);
  const isOther = silent.some(({ had }) => had !== silent.at(-1)?.had);
  const missing = missingAlways(asked, figures);
  return isOther && missing !== null ? { requests: missing, pause: null } : null;
}

/** What was there after each silence of a window, or of two. */
const fromSilence = (asked: readonly Asked[], figures: Figures) =>
  asked.flatMap((sample) => {
    const had = sample.part === 'lone' ? hadBy(sample, figures) : null;
    return had === null ? [] : [{ sample, had }];
  });

/** Returns how many requests a watched key lacks of its plan after each silence; null if it was whole once. */
function missingAlways(asked: readonly Asked[], figures: Figures): number | null {
  const silent = fromSilence(asked, figures);
  const most = Math.max(...silent.map(({ had }) => had));
  const isWatched = silent.at(-1)?.sample.question === 'watch';
  return isWatched && figures.perMinute - most >= FEWER ? figures.perMinute - most : null;
}
