import { leftsOf } from './left.js';
import { MANY } from './bounds.js';
import type { Asked } from './asked.js';
import type { KeyRun } from './key-run.js';

/** Share of the values that each counter shows: the others of them are not used up when the first one is. */
const MOSTLY = 0.8;

/**
 * Returns how many counters a burst shows: each of n counters sends every value of Remaining once. 1 where
 * values do not come equally often. Values of 0 say nothing: they repeat where one limit is too high.
 */
export function countersIn(burst: readonly Asked[], { figures }: Pick<KeyRun, 'figures'>): number {
  const amounts = new Map<number, number>();
  for (const left of leftsOf(burst, figures)) if (left > 0) amounts.set(left, (amounts.get(left) ?? 0) + 1);
  const sorted = [...amounts.values()].toSorted((one, other) => one - other);
  const usual = sorted[Math.floor(sorted.length / 2)] ?? 1;
  const alike = sorted.filter((amount) => amount === usual).length;
  return sorted.length >= MANY && alike >= MOSTLY * sorted.length ? usual : 1;
}
