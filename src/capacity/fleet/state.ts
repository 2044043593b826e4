import type { SecondRecord } from '../record.js';

/**
 * What coordinator and agents tell each other through Redis. Each writes its whole state again and again, with an expiry:
 * what is lost with a Redis that is started anew is there again a moment later, and who is gone is gone.
 */

/** How often each writes and looks, ms: a stop reaches all within a second. */
export const BEAT_MS = 250;

/** Nothing heard for so long, and somebody is taken for lost, ms. A Redis that is started anew is back by then. */
export const LOST_MS = 5000;

/** The coordinator's state. */
export interface RunState {
  readonly run: string;
  readonly step: 'gather' | 'prepare' | 'go' | 'stop';
  /** Grows with each writing. */
  readonly beat: number;
  /** Which instance of an agent has which slice, by index: nobody else may send it. */
  readonly accepted: Readonly<Record<string, string>>;
  /** When all begin, Unix ms of Redis' clock; from the step `go` on. */
  readonly beginsAt: number | null;
  /** The slices whose results are here. */
  readonly received: readonly number[];
}

/** An agent's state, while it has a slice. */
export interface SliceState {
  readonly instance: string;
  readonly name: string;
  readonly step: 'joined' | 'preparing' | 'ready' | 'sending' | 'done' | 'refused';
  /** Grows with each writing. */
  readonly beat: number;
  /** Why it refuses, in words that go on from its name. */
  readonly reason: string | null;
  /** By how much Redis' clock is ahead of its own, and how well that is known, ms. */
  readonly offsetMs: number;
  readonly errorMs: number;
  /** Its last few seconds. */
  readonly seconds: readonly SecondRecord[];
  readonly startAt: number;
}

/** How many of its last seconds an agent tells each time: more than can be missed without being lost. */
export const TOLD_SECONDS = 8;

/** The names of all that stands in Redis beside BullMQ's own. */
export const namesIn = (prefix: string) => ({
  lock: `${prefix}:coordinator`,
  run: `${prefix}:run`,
  slice: (run: string, index: number): string => `${prefix}:slice:${run}:${index}`,
  result: (run: string, index: number): string => `${prefix}:result:${run}:${index}`,
  mark: (run: string, index: number): string => `${prefix}:mark:${run}:${index}`,
});

/** The queue of the slices. */
export const QUEUE = 'slices';
