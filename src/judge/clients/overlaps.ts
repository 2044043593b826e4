import { countWhile } from '../../base/kernel/sorted.js';
import type { Timed } from './timing.js';

/** Returns the start of an exchange: its call, or where the server made the record its arrival. */
export const startOf = ({ exchange, timing }: Timed): number =>
  exchange.times.kind === 'client' ? timing.earliestCall : timing.latestRead;

/** Returns the end of an exchange: its response's arrival, or where the server made the record its writing. */
export const endOfExchange = ({ exchange, timing }: Timed): number =>
  exchange.times.kind === 'client' ? timing.latestReceived : timing.earliestWritten;

/** Returns whether two exchanges were under way at the same time. */
export const overlap = (one: Timed, other: Timed): boolean =>
  startOf(one) < endOfExchange(other) && startOf(other) < endOfExchange(one);

const ascending = (values: readonly number[]): readonly number[] => values.toSorted((one, other) => one - other);

/**
 * Returns a function that counts the exchanges under way with one of them, itself included. Each count is two searches, not a
 * pass: a client that hammers sends thousands.
 */
export function countingUnderWay(all: readonly Timed[]): (one: Timed) => number {
  const isUsual = (each: Timed): boolean => startOf(each) < endOfExchange(each);
  const usual = all.filter(isUsual);
  // A response may be written before its request has ended.
  const unusual = all.filter((each) => !isUsual(each));
  const starts = ascending(usual.map(startOf));
  const ends = ascending(usual.map(endOfExchange));
  return (one) => {
    const others = (of: readonly Timed[]): number =>
      of.filter((other) => other.exchange !== one.exchange && overlap(one, other)).length;
    if (!isUsual(one)) return 1 + others(all);
    const [start, end] = [startOf(one), endOfExchange(one)];
    const begun = countWhile(starts, (each) => each < end);
    const over = countWhile(ends, (each) => each <= start);
    return begun - over + others(unusual);
  };
}
