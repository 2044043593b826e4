import { countingOn } from '../../base/kernel/sorted.js';
import type { Figures } from './bounds.js';
import { bySending, leftsOf, lone, wasServed, type Left, type Sample } from './sample.js';

/** Number of requests, as far as it is known: concurrent ones may count before or after a response. */
export interface Counted {
  readonly least: number;
  readonly most: number;
}

/**
 * Remaining of a response, and the requests up to it. What is left and what was counted are together the
 * allowance: the sum stays the same until something comes back.
 */
export interface Reading extends Left {
  /** Requests that certainly count, with this one. */
  readonly sure: Counted;
  /** All requests, with this one. */
  readonly all: Counted;
}

/** Counts requests up to each response, quickly if it is asked in order of sending. */
function counter(some: readonly Sample[]): (response: Sample) => Counted {
  const answers = some.map(({ answeredAt }) => answeredAt).toSorted((one, other) => one - other);
  const [inAnswers, inSome] = [countingOn(answers), countingOn(some)];
  return ({ sentAt, answeredAt }) => {
    const least = 1 + inAnswers((at) => at <= sentAt);
    return {
      least,
      most: Math.max(
        least,
        inSome((one) => one.sentAt < answeredAt),
      ),
    };
  };
}

/**
 * Reads Remaining over requests of one count, in order of sending.
 *
 * @param isSure true for a request that certainly counts; only these are read
 */
export function readingsIn(
  ordered: readonly Sample[],
  figures: Figures,
  isSure: (sample: Sample) => boolean = wasServed,
): readonly Reading[] {
  const certain = ordered.filter(isSure);
  const [countSure, countAll] = [counter(certain), counter(ordered)];
  return leftsOf(certain, figures).map(({ sample, left }) => {
    const sure = countSure(sample);
    return { sample, left, sure, all: certain.length === ordered.length ? sure : countAll(sample) };
  });
}

/** Reads the allowed requests without a concurrent one, or those that `isSure` chooses. */
export function loneReadings(
  samples: readonly Sample[],
  figures: Figures,
  isSure: (sample: Sample) => boolean = wasServed,
): readonly Reading[] {
  const ordered = bySending(samples);
  const isLone = new Set(lone(ordered));
  return readingsIn(ordered, figures, isSure).filter(({ sample }) => isLone.has(sample));
}

/** Most requests that may have been counted after one reading and up to a later one. */
export const mostBetween = (from: Reading, to: Reading): number => to.all.most - from.all.least;

/** Fewest requests that were certainly counted after one reading and up to a later one. */
export const leastBetween = (from: Reading, to: Reading): number => to.sure.least - from.sure.most;

/**
 * Returns how many requests came back between two readings: what is left now, minus what was left before,
 * plus what was counted between. A request that is not counted looks the same, and one of others is
 * negative.
 */
export const cameBack = (from: Reading, to: Reading): Counted => ({
  least: to.left - from.left + leastBetween(from, to),
  most: to.left - from.left + mostBetween(from, to),
});

/** Returns the longest time between two readings, ms. */
export const longestBetween = (from: Reading, to: Reading): number =>
  to.sample.answeredAt - from.sample.sentAt;

/**
 * Is true if a gain may be requests beyond the limit instead: Remaining stops at 0, and one below the limit
 * may hide more.
 */
export const isCutOff = (from: Reading, to: Reading, { perMinute }: Figures): boolean =>
  to.left === 0 || from.left >= perMinute - 1;

/** Returns each pair of consecutive lone readings, with the requests that came back between them. */
export const stepsOf = (readings: readonly Reading[], figures: Figures) =>
  readings.slice(1).map((to, index) => {
    const from = readings[index] ?? to;
    const gain = cameBack(from, to).least;
    return {
      from,
      to,
      gain,
      isNext: mostBetween(from, to) === 1,
      isCutOff: gain > 0 && isCutOff(from, to, figures),
    };
  });
