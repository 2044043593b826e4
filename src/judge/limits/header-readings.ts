import type { Figures } from './bounds.js';
import { bySending, lone, wasServed, type Sample, leftsOf, type Left } from './sample.js';

/** Remaining of a response, with its place among others in order of sending. */
export interface Reading extends Left {
  readonly place: number;
}

/** Reads the minute's Remaining of some of the allowed requests, both in order of sending. */
export function placedIn(ordered: readonly Sample[], some: readonly Sample[], figures: Figures): readonly Reading[] {
  let place = 0;
  return leftsOf(some.filter(wasServed), figures).map(({ sample, left }) => {
    while (ordered[place] !== sample) place += 1;
    return { sample, left, place };
  });
}

/** Reads the minute's Remaining of allowed requests without a concurrent one, placed among the allowed ones. */
export function readingsOf(samples: readonly Sample[], figures: Figures): readonly Reading[] {
  const ordered = bySending(samples).filter(wasServed);
  return placedIn(ordered, lone(ordered), figures);
}

/** Returns each pair of consecutive readings. The gain is what came back: the change of Remaining plus the requests between. */
export const stepsOf = (readings: readonly Reading[], { perMinute }: Figures) =>
  readings.slice(1).map((to, index) => {
    const from = readings[index] ?? to;
    const gain = to.left - from.left + to.place - from.place;
    // It may be requests beyond the limit instead: Remaining stops at 0, and one below the limit may hide more.
    return { from, to, gain, isCutOff: gain > 0 && (to.left === 0 || from.left >= perMinute - 1) };
  });

/** Returns the longest time between two readings, ms. */
export const longestBetween = (from: Reading, to: Reading): number => to.sample.answeredAt - from.sample.sentAt;
