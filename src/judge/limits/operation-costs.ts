import { mayHaveRefilled, type Figures } from './bounds.js';
import { longestBetween, loneReadings, stepsOf } from './remaining-readings.js';
import { bySending, lone, mayCount, slidBetween, type Sample, leftBy, leftsOf } from './sample.js';
import type { Cost } from './other-use.js';

/* What a request of each operation costs, by Remaining. */

/** Fall of Remaining at one request. */
export type Fall = ReturnType<typeof fallsIn>[number];

/**
 * Measures the falls of Remaining from one response to the next, neither with a concurrent request. `refill`
 * is the most that may have come back in that time, and `isInRow` is true after a request of the same
 * operation.
 */
export const fallsIn = (samples: readonly Sample[], figures: Figures) =>
  stepsOf(loneReadings(samples, figures), figures)
    .filter(({ from, isNext }) => isNext && from.left > 0)
    .map(({ from, to }) => ({
      sample: to.sample,
      previous: from.sample,
      fall: from.left - to.left,
      refill:
        mayHaveRefilled(figures, longestBetween(from, to)) +
        slidBetween(samples, figures, from.sample.sentAt, to.sample.answeredAt),
      isInRow: to.sample.operation === from.sample.operation,
    }))
    // A new window or a refill step between the two says nothing about either.
    .filter(({ fall, refill }) => -fall <= refill + 1);

/**
 * Returns the cost of each request that directly follows another, neither with a concurrent one, by
 * Remaining. It shows none at 0, where Remaining cannot fall further, nor after a pause in which as much may
 * have come back.
 */
export const costsIn = (samples: readonly Sample[], figures: Figures): readonly Cost[] =>
  fallsIn(samples, figures)
    .filter(({ sample, refill }) => leftBy(sample, figures) !== 0 && refill < 1)
    .map(({ sample: { operation }, fall }) => ({ operation, fall }));

/**
 * Sums falls by operation.
 *
 * @param inParts true if refills come in steps: one may lie between any two requests, but no more than that
 *   time brings
 */
export const sumsByOperation = (falls: readonly Fall[], inParts: boolean, figures: Figures) =>
  operationsIn(falls.map(({ sample }) => sample)).map((operation) => {
    const own = falls.filter(({ sample }) => sample.operation === operation);
    const spanMs = (own.at(-1)?.sample.answeredAt ?? 0) - (own[0]?.previous.sentAt ?? 0);
    const steps = inParts ? Math.min(own.length, mayHaveRefilled(figures, spanMs)) : 0;
    const sum = (of: 'fall' | 'refill'): number => own.reduce((total, one) => total + one[of], 0);
    return { operation, requests: own.length, fall: sum('fall'), refill: sum('refill') + steps };
  });

/** Returns the operations of some samples, each once. */
export const operationsIn = (samples: readonly Sample[]) => [
  ...new Set(samples.map(({ operation }) => operation)),
];

/** Most requests in a new window before its first response is read. */
const SENT_BEFORE_ANSWER = 3;

/** True if Remaining rose, but not to a whole window. */
export function comesBackInParts(samples: readonly Sample[], figures: Figures): boolean {
  const lefts = leftsOf(lone(bySending(samples)).filter(mayCount), figures).map(({ left }) => left);
  const full = lefts.reduce((most, left) => Math.max(most, left), 0);
  return lefts.some(
    (left, index) => left > (lefts[index - 1] ?? Infinity) && left < full - SENT_BEFORE_ANSWER,
  );
}
