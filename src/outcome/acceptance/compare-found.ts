import type { CapacityResults } from '../../loadkit/capacity-shape.js';
import { percentOf } from '../../base/kernel/format.js';
import { rangeOf, rateWords, type FoundRange } from '../words/find.js';

type Find = NonNullable<CapacityResults['find']>;

export interface FoundComparison {
  /** Rate of each search, or why it names none. */
  readonly before: string;
  readonly after: string;
  /** `lost`: only the earlier search names a rate. */
  readonly answer: 'higher' | 'lower' | 'same' | 'lost' | 'unknown';
  readonly words: string;
}

/**
 * Compares what two searches found; undefined where neither run is a search. The capacity lies between the
 * rate that held and the lowest one above it that missed. Pure.
 *
 * @param size difference that has to be ruled out before two capacities are called the same, as a share
 */
export function compareFound(
  before: Find | undefined,
  after: Find | undefined,
  size: number,
): FoundComparison | undefined {
  if (!before && !after) return undefined;
  const words = {
    before: before ? rateWords(before) : NO_SEARCH,
    after: after ? rateWords(after) : NO_SEARCH,
  };
  const unknown = (why: string): FoundComparison => ({
    ...words,
    answer: 'unknown',
    words: `cannot tell: ${why}`,
  });
  if (!before || !after) return unknown('only one of the two is a search');
  if (before.conditions.join() !== after.conditions.join())
    return unknown('the searches have other conditions');
  const [one, other] = [rangeOf(before), rangeOf(after)];
  if (one === null || other === null) {
    const why = unknown('a search that names no rate shows no capacity');
    return one === null ? why : { ...why, answer: 'lost' };
  }
  const most = Math.max(ratio(other.high, one.low), ratio(one.high, other.low)) - 1;
  if (most <= size) return { ...words, answer: 'same', words: `no difference beyond ${percentOf(most)} %` };
  if (isBeyondBoth(one, other))
    return { ...words, answer: 'same', words: 'both end before the server does, at the same rate' };
  if (other.low >= one.high) return { ...words, answer: 'higher', words: 'higher' };
  if (other.high <= one.low) return { ...words, answer: 'lower', words: 'lower' };
  return unknown('what the two searches found overlaps');
}

const NO_SEARCH = 'not searched';

const ratio = (one: number, other: number): number => (other === 0 ? Infinity : one / other);

const isBeyondBoth = (one: FoundRange, other: FoundRange): boolean =>
  one.high === Infinity && other.high === Infinity && one.low === other.low && one.isBound && other.isBound;
