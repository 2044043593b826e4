import type { Stall } from '../../judge/limits/series.js';
import { now, waitUntil } from '../../wire/exchange/connection.js';

/** Time of the senders. */
export interface Clock {
  /** Returns Unix ms with a fraction, never decreasing. */
  readonly now: () => number;
  /** Waits until a time, never less; false if interrupted. */
  readonly sleepUntil: (at: number, signal: AbortSignal) => Promise<boolean>;
  /** Returns the times in which this process was held up, in order. */
  readonly stalls: () => readonly Stall[];
}

/** Interval of checks for stalls, ms. */
const LOOK_MS = 20;
/** Shortest stall, ms. Shorter ones come from the process itself: garbage collection, compiling, a large response. */
const LEAST_STALL_MS = 50;

/** Watches from now on for stalls of this process. */
export function watchStalls(): { readonly stalls: () => readonly Stall[]; readonly stop: () => void } {
  const seen: Stall[] = [];
  let last = now();
  const timer = setInterval(() => {
    const to = now();
    if (to - last - LOOK_MS >= LEAST_STALL_MS) seen.push({ from: last, to });
    last = to;
  }, LOOK_MS).unref();
  return { stalls: () => seen, stop: () => clearInterval(timer) };
}

/** Time of this machine, by which its connections note sending and responses. */
export const machineClock: Omit<Clock, 'stalls'> = {
  now,
  sleepUntil: (at, signal) =>
    waitUntil(at, signal).then(
      () => !signal.aborted,
      () => false,
    ),
};
