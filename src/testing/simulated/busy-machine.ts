import type { Stall } from '../../limits/series.js';
import type { Machine } from '../../selftest/virtual-time.js';
import type { Random } from '../limiters/random.js';

/** How other programs hold a client up. */
export interface Busy {
  /** Between two stalls of the event loop on average, ms. */
  readonly everyMs: number;
  /** The longest of them, ms. */
  readonly longestMs: number;
  /** Of the requests, the share at which a stall falls between the time noted as sent and the writing. */
  readonly atSends: number;
  /** What the work after each event takes at the most, ms. */
  readonly workMs: number;
}

/** Shorter ones are a machine's usual delays, ms. */
const SHORTEST_MS = 50;

/** A machine that stalls at random. */
export function busyMachine(busy: Busy, random: Random, start: number): Machine {
  const known: Stall[] = [];
  const length = (): number => SHORTEST_MS * (busy.longestMs / SHORTEST_MS) ** random();
  const after = (time: number): number => time - Math.log(1 - random()) * busy.everyMs;
  let heldTo = -Infinity;
  let next = after(start);
  const hold = (from: number, to: number): void => {
    const last = known.at(-1);
    if (last !== undefined && from <= heldTo) known[known.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    else known.push({ from, to });
    heldTo = Math.max(heldTo, to);
  };
  return {
    free: (time) => {
      for (; next <= time; next = after(heldTo)) hold(next, next + length());
      return Math.max(time, heldTo);
    },
    writes: (time) => {
      if (random() < busy.atSends) hold(time, time + length());
      return Math.max(time, heldTo);
    },
    works: (time) => {
      if (busy.workMs > 0) hold(time, Math.max(time, heldTo) + random() * busy.workMs);
    },
    stalls: () => known.filter(({ from, to }) => to - from >= SHORTEST_MS),
  };
}
