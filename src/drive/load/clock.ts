import { setImmediate as nextTurn } from 'node:timers/promises';
import { now, waitUntil } from '../../wire/exchange/connection.js';

export interface Clock {
  /** Returns Unix ms with a fraction, never decreasing. */
  readonly now: () => number;
  /** Waits until a time, never less; false if interrupted. */
  readonly sleepUntil: (at: number, signal: AbortSignal) => Promise<boolean>;
  /** Lets the event loop read responses once. */
  readonly nextTurn: () => Promise<void>;
}

/** Time of this machine, by which its connections note sending and responses. */
export const machineClock: Clock = {
  now,
  sleepUntil: (at, signal) =>
    waitUntil(at, signal).then(
      () => !signal.aborted,
      () => false,
    ),
  nextTurn: () => nextTurn(),
};
