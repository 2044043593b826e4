import type { SecondRecord } from '../../log/capacity-record.js';
import { count, closed, list, moment, number, oneOf, orNull, reads, text, truth } from '../../contract/shape.js';
import { cut } from '../../format/visible.js';
import { FORMATS, SECOND } from '../../log/record-shape.js';

/**
 * What coordinator and agents tell each other through Redis. Each writes its state again and again, with an expiry: what is
 * lost with a Redis that is started anew is there again a moment later, and who is gone is gone. None of it grows with the
 * number of agents, so that all of it together grows no faster than that.
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
  /** When all begin, Unix ms of Redis' clock; from the step `go` on. */
  readonly beginsAt: number | null;
}

/** What the coordinator says to the agent of one slice alone. */
export interface PartState {
  /** Which instance of an agent has it: nobody else may send it. */
  readonly instance: string;
  /** Its result is here. */
  readonly isReceived: boolean;
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
  readonly startAt: number;
}

/** An agent's last few seconds, told apart from its state once a second. */
export type ToldSeconds = readonly SecondRecord[];

/** How many of them: more than can be missed without being lost. */
export const TOLD_SECONDS = 8;

/** The coordinator looks at them once in so many beats: no second is there sooner. */
export const BEATS_A_SECOND = 1000 / BEAT_MS;

/** A longer entry is none of the kit's, and is not read on: eight seconds of an agent, with their histograms, are some 100,000. */
export const MOST_CHARACTERS = 1_048_576;

/** What an agent may be called, as `--name` takes it. */
export const AGENT_NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** A reason goes on from a name in one sentence. */
const MOST_REASON = 1000;

const instance = text(64);

/** Each reads an entry of Redis; null for what nobody of this kit has written. */
export const readRun = reads<RunState>(
  closed({ run: text(64), step: oneOf(['gather', 'prepare', 'go', 'stop']), beat: count, beginsAt: orNull(moment) }),
);
export const readPart = reads<PartState>(closed({ instance, isReceived: truth }));
export const readSlice = reads<SliceState>(
  closed({
    instance,
    name: { ...text(64), pattern: AGENT_NAME.source },
    step: oneOf(['joined', 'preparing', 'ready', 'sending', 'done', 'refused']),
    beat: count,
    reason: orNull(text(MOST_REASON)),
    offsetMs: number,
    errorMs: number,
    startAt: moment,
  }),
);
export const readSeconds = reads<ToldSeconds>(list(SECOND, TOLD_SECONDS), FORMATS);

/** A reason that fits: what an error says may be of any length. */
export const reasonOf = (words: string): string => cut(words, MOST_REASON).text;

/** The names of all that stands in Redis beside BullMQ's own. */
export const namesIn = (prefix: string) => ({
  lock: `${prefix}:coordinator`,
  run: `${prefix}:run`,
  parts: (run: string): string => `${prefix}:parts:${run}`,
  slice: (run: string, index: number): string => `${prefix}:slice:${run}:${index}`,
  seconds: (run: string, index: number): string => `${prefix}:seconds:${run}:${index}`,
  result: (run: string, index: number): string => `${prefix}:result:${run}:${index}`,
  mark: (run: string, index: number): string => `${prefix}:mark:${run}:${index}`,
});

/** The queue of the slices. */
export const QUEUE = 'slices';
