import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Stall } from '../../judge/limits/series.js';
import { now, waitUntil } from '../../wire/exchange/connection.js';
import { watchStalls } from '../../wire/exchange/stalls.js';

/** Time of the senders. */
export interface Clock {
  /** Returns Unix ms with a fraction, never decreasing. */
  readonly now: () => number;
  /** Waits until a time, never less; false if interrupted. */
  readonly sleepUntil: (at: number, signal: AbortSignal) => Promise<boolean>;
  /** Lets the event loop read responses once. */
  readonly nextTurn: () => Promise<void>;
  /** Returns the times in which this process was held up, in order. */
  readonly stalls: () => readonly Stall[];
}

/**
 * Beats of the watch: shorter stalls come from the process itself, such as garbage collection and compiling;
 * ms.
 */
const STALLS = { beatMs: 20, leastMs: 50 };

/** Collects the stalls of this process from now on, in order. */
export function collectStalls(): { readonly stalls: () => readonly Stall[]; readonly stop: () => void } {
  const seen: Stall[] = [];
  const { stop } = watchStalls({ ...STALLS, onStall: (stall) => void seen.push(stall) });
  return { stalls: () => seen, stop };
}

/** Time of this machine, by which its connections note sending and responses. */
export const machineClock: Omit<Clock, 'stalls'> = {
  now,
  sleepUntil: (at, signal) =>
    waitUntil(at, signal).then(
      () => !signal.aborted,
      () => false,
    ),
  nextTurn: () => nextTurn(),
};
