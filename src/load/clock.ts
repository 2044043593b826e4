import type { Stall } from '../limits/series.js';
import { now, waitUntil } from '../exchange/connection.js';

/** The senders' own time: what tells it, and what waits for it. */
export interface Clock {
  /** Unix ms with a fraction, never going back. */
  readonly now: () => number;
  /** Waits until then, never for less; false when it was interrupted before. */
  readonly sleepUntil: (at: number, signal: AbortSignal) => Promise<boolean>;
  /** When this process was held up so far, in order. */
  readonly stalls: () => readonly Stall[];
}

/** How often it is looked whether the process was held up, ms. */
const LOOK_MS = 20;
/** Shorter ones are a process's own doing: collecting garbage, compiling, a large answer. */
const LEAST_STALL_MS = 50;

/** Looks from now on when this process is held up; `stalls` tells what was seen. */
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

/** The time that passes on this machine, and by which its connections note when they sent and were answered. */
export const machineClock: Omit<Clock, 'stalls'> = {
  now,
  sleepUntil: (at, signal) =>
    waitUntil(at, signal).then(
      () => !signal.aborted,
      () => false,
    ),
};
