import { now } from './connection.js';

/** A time in which this process was held up, from one beat to the next, Unix ms. */
export interface Stall {
  readonly from: number;
  readonly to: number;
}

interface StallOptions {
  /** Interval between beats, ms. */
  readonly beatMs: number;
  /** Smallest lateness of a beat that is a stall, ms. */
  readonly leastMs: number;
  readonly onStall: (stall: Stall) => void;
}

/**
 * Watches from now on whether this process is held up: by other processes, garbage collection or a large
 * response. A late beat counts in full, so no stall seems shorter than it was.
 */
export function watchStalls({ beatMs, leastMs, onStall }: StallOptions) {
  let last = now();
  const isStall = (at: number): boolean => at - last - beatMs >= leastMs;
  const timer = setInterval(() => {
    const at = now();
    if (isStall(at)) onStall({ from: last, to: at });
    last = at;
  }, beatMs);
  timer.unref();
  return {
    /** Returns the length of the stall that lasts at a time, Unix ms; 0 without one. */
    lastingAt: (at: number): number => (isStall(at) ? at - last : 0),
    stop: (): void => clearInterval(timer),
  };
}

/** Beats where each stall matters that a burst may meet, and the usual delay of timers, ms. */
const CLOSE = { beatMs: 20, leastMs: 20 };

export function keepStalls() {
  const stalls: Stall[] = [];
  const { stop } = watchStalls({ ...CLOSE, onStall: (stall) => void stalls.push(stall) });
  return { stalls, stop };
}

/** Returns for how long a process was held up between two times, ms. @param stalls oldest first */
export function heldUp(stalls: readonly Stall[], from: number, until: number): number {
  let sum = 0;
  let counted = from;
  for (const stall of stalls) {
    const end = Math.min(stall.to, until);
    sum += Math.max(0, end - Math.max(stall.from, counted));
    counted = Math.max(counted, end);
  }
  return sum;
}

/** Stall from which on this machine stood still, as a suspended one does, ms: other programs delay for less. */
export const STANDSTILL_MS = 1000;
/** Interval between beats where only standstills matter, ms. */
const SLOW_BEAT_MS = 100;

export function watchStandstills() {
  let last = -Infinity;
  const watch = watchStalls({
    beatMs: SLOW_BEAT_MS,
    leastMs: STANDSTILL_MS,
    onStall: ({ to }) => (last = to),
  });
  return {
    /** Returns whether it stood still after a time, Unix ms, even if the watch has not noticed yet. */
    since: (at: number): boolean => last > at || watch.lastingAt(now()) > 0,
    stop: watch.stop,
  };
}
