import { countWhile } from '../../base/kernel/sorted.js';
import type { Timed } from './timing.js';

export const overlap = ({ timing: one }: Timed, { timing: other }: Timed): boolean =>
  one.start < other.end && other.start < one.end;

const ascending = (values: readonly number[]): readonly number[] =>
  values.toSorted((one, other) => one - other);

/**
 * Returns a function that counts the exchanges under way with one of them, itself included. Each count is two
 * searches, not a pass: a client that hammers sends thousands.
 */
export function countingUnderWay(all: readonly Timed[]): (one: Timed) => number {
  const starts = ascending(all.map(({ timing }) => timing.start));
  const ends = ascending(all.map(({ timing }) => timing.end));
  return ({ timing: { start, end } }) =>
    countWhile(starts, (each) => each < end) - countWhile(ends, (each) => each <= start);
}
