import { plainInteger } from './headers/header-number.js';
import type { Figures } from './series.js';
import { bySending, lone, speaksOfMinute, wasServed, type Sample } from './sample.js';

/** What an answer that had no other beside it says is left. */
export interface Reading {
  readonly sample: Sample;
  readonly left: number;
  /** Requests served up to it. */
  readonly served: number;
}

/** Two readings one after the other: what one says is left more than the other, and what was served between, came back. */
export interface Step {
  readonly from: Reading;
  readonly to: Reading;
  readonly gain: number;
  /**
   * What seems to have come back may as well have been served beyond the allowance: Remaining falls no further than 0, and
   * what says one less than the limit may hide more.
   */
  readonly isCutOff: boolean;
  /** A bucket that was nearly full has no room for all that a beat brings: the gain may be a part of it. */
  readonly mayBeCapped: boolean;
}

/** What is left of the minute's window by the served answers that had no other under way, in the order of sending. */
export function readingsOf(samples: readonly Sample[], figures: Figures): readonly Reading[] {
  const ordered = bySending(samples).filter(wasServed);
  const places = new Map(ordered.map((sample, index) => [sample, index]));
  return lone(ordered).flatMap((sample): readonly Reading[] => {
    const left = speaksOfMinute(sample, figures) ? plainInteger(sample.remaining) : null;
    return left === null ? [] : [{ sample, left, served: (places.get(sample) ?? 0) + 1 }];
  });
}

/** A limiter that rounds down may say so many less than there are. */
const ROUNDED = 1;

/** The steps between readings. */
export const stepsOf = (readings: readonly Reading[], { perMinute }: Figures): readonly Step[] =>
  readings.slice(1).flatMap((to, index) => {
    const from = readings[index];
    if (from === undefined) return [];
    const gain = to.left - from.left + to.served - from.served;
    const isCutOff = gain > 0 && (to.left === 0 || from.left >= perMinute - 1);
    return [{ from, to, gain, isCutOff, mayBeCapped: gain >= perMinute - from.left - ROUNDED }];
  });

/** The longest that two readings, or the ends of two steps, may lie apart, ms. */
export const longestBetween = (from: Reading, to: Reading): number => to.sample.answeredAt - from.sample.sentAt;

/** Whether the first of some readings found the whole allowance there. */
export const foundAll = (readings: readonly Reading[], { perMinute }: Figures): boolean =>
  readings[0]?.left === perMinute - 1;
