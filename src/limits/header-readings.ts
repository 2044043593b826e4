import type { Figures } from './bounds.js';
import { bySending, lone, wasServed, type Sample, leftsOf, type Left } from './sample.js';

/** Remaining of a response without a concurrent request. */
export interface Reading extends Left {
  /** Requests allowed so far, with this one. */
  readonly served: number;
}

/** Reads the minute's Remaining of allowed requests without a concurrent one, in order of sending. */
export function readingsOf(samples: readonly Sample[], figures: Figures): readonly Reading[] {
  const ordered = bySending(samples).filter(wasServed);
  let served = 0;
  return leftsOf(lone(ordered), figures).map(({ sample, left }) => {
    while (ordered[served] !== sample) served += 1;
    return { sample, left, served: served + 1 };
  });
}

const ROUNDED = 1;

/** Two consecutive readings. The gain is what came back: the change of Remaining plus the requests between. */
export type Step = ReturnType<typeof stepsOf>[number];

/** Returns the steps between consecutive readings. */
export const stepsOf = (readings: readonly Reading[], { perMinute }: Figures) =>
  readings.slice(1).map((to, index) => {
    const from = readings[index] ?? to;
    const gain = to.left - from.left + to.served - from.served;
    // It may be requests beyond the limit instead: Remaining stops at 0, and one below the limit may hide more.
    const isCutOff = gain > 0 && (to.left === 0 || from.left >= perMinute - 1);
    // The bucket was nearly full: the gain may be only part of a refill step.
    return { from, to, gain, isCutOff, mayBeCapped: gain >= perMinute - from.left - ROUNDED };
  });

/** Returns the longest time between two readings, ms. */
export const longestBetween = (from: Reading, to: Reading): number => to.sample.answeredAt - from.sample.sentAt;

/** Is true if the first reading found the whole allowance. */
export const foundAll = (readings: readonly Reading[], { perMinute }: Figures): boolean =>
  readings[0]?.left === perMinute - 1;
