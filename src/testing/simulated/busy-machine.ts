import type { Stall } from '../../wire/exchange/stalls.js';
import type { Machine } from '../../proof/selftest/virtual-time.js';
import type { Random } from '../../base/kernel/random.js';

/** Delays that other programs cause a client. */
export interface Busy {
  /** Mean time between two stalls of the event loop, ms. */
  readonly everyMs: number;
  /** Longest stall, ms. */
  readonly longestMs: number;
  /** Share of requests with a stall between the time noted as sent and the write. */
  readonly atSends: number;
  /** Longest work after each event, ms. */
  readonly workMs: number;
}

/** Shorter stalls are a machine's usual delays, ms. */
const SHORTEST_MS = 50;

/** Creates a machine that stalls at random. */
export function busyMachine(
  busy: Busy,
  random: Random,
  start: number,
  onStall: (stall: Stall) => void = () => undefined,
): Machine {
  const length = (): number => SHORTEST_MS * (busy.longestMs / SHORTEST_MS) ** random();
  const after = (time: number): number => time - Math.log(1 - random()) * busy.everyMs;
  let heldTo = -Infinity;
  let next = after(start);
  const hold = (from: number, to: number): void => {
    onStall({ from, to });
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
      if (busy.workMs > 0) heldTo = Math.max(heldTo, Math.max(time, heldTo) + random() * busy.workMs);
    },
  };
}
