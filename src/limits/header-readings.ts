import type { Figures } from './series.js';
import { bySending, lone, wasServed, type Sample, leftsOf, type Left } from './sample.js';

/** Remaining of a response without a concurrent request. */
export interface Reading extends Left {
  /** Requests allowed so far, with this one. */
  readonly served: number;
}

/** Two consecutive readings. The gain is what came back: the change of Remaining plus the requests between. */
export interface Step {
  readonly from: Reading;
  readonly to: Reading;
  readonly gain: number;
  /**
   * True if the gain may be requests beyond the limit instead. Remaining falls no further than 0, and one below the
   * limit may hide more.
   */
  readonly isCutOff: boolean;
  /** True if the bucket was nearly full: the gain may be only part of a refill step. */
  readonly mayBeCapped: boolean;
}

/** Reads the minute's Remaining of allowed requests without a concurrent one, in order of sending. */
export function readingsOf(samples: readonly Sample[], figures: Figures): readonly Reading[] {
  const ordered = bySending(samples).filter(wasServed);
  const places = new Map(ordered.map((sample, index) => [sample, index]));
  return leftsOf(lone(ordered), figures).map((read) => ({ ...read, served: (places.get(read.sample) ?? 0) + 1 }));
}

const ROUNDED = 1;

/** Returns the steps between consecutive readings. */
export const stepsOf = (readings: readonly Reading[], { perMinute }: Figures): readonly Step[] =>
  readings.slice(1).flatMap((to, index) => {
    const from = readings[index];
    if (from === undefined) return [];
    const gain = to.left - from.left + to.served - from.served;
    const isCutOff = gain > 0 && (to.left === 0 || from.left >= perMinute - 1);
    return [{ from, to, gain, isCutOff, mayBeCapped: gain >= perMinute - from.left - ROUNDED }];
  });

/** Returns the longest time between two readings, ms. */
export const longestBetween = (from: Reading, to: Reading): number => to.sample.answeredAt - from.sample.sentAt;

/** Is true if the first reading found the whole allowance. */
export const foundAll = (readings: readonly Reading[], { perMinute }: Figures): boolean =>
  readings[0]?.left === perMinute - 1;
