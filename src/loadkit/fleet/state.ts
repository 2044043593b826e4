import {
  count,
  closed,
  list,
  moment,
  number,
  oneOf,
  orNull,
  reads,
  refined,
  text,
  truth,
  type Of,
} from '../../base/kernel/shape.js';
import { cut } from '../../base/kernel/visible.js';
import { SECOND, FORMATS } from '../../log/capacity-record.js';

/**
 * State that coordinator and agents exchange through Redis. Each writes its state repeatedly, with an expiry. A
 * restarted Redis soon has it again, and state of a lost process expires. No entry grows with the number of agents, so
 * the total grows only linearly.
 */

/** Interval of writing and reading, ms: a stop reaches all within a second. */
export const BEAT_MS = 250;
/** Silence after which a process counts as lost, ms. A restarted Redis is back by then. */
export const LOST_MS = 5000;
/** Number of last seconds that an agent writes: more than a reader can miss without being lost. */
export const TOLD_SECONDS = 8;
/** Beats between two readings by the coordinator: no second is there sooner. */
export const BEATS_A_SECOND = 1000 / BEAT_MS;
/** Longest entry to read; the kit writes none longer. Eight seconds of an agent take about 100,000. */
export const MOST_CHARACTERS = 1_048_576;

/** Pattern of an agent's name, as in `--name`. */
export const AGENT_NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

const MOST_REASON = 1000;

export type RunState = Of<typeof RUN>;
const RUN = closed({
  run: text(64),
  step: oneOf(['gather', 'prepare', 'go', 'stop']),
  beat: count,
  /** Common start, Unix ms by Redis' clock; from the step `go`. */
  beginsAt: orNull(moment),
});

/** State from the coordinator for one slice's agent. */
export type PartState = Of<typeof PART>;
const PART = closed({
  /** Agent instance that has the slice: no other may send it. */
  instance: text(64),
  /** True if its result has arrived. */
  isReceived: truth,
});

export type SliceState = Of<typeof SLICE>;
const SLICE = closed({
  instance: text(64),
  name: refined(text(64), { pattern: AGENT_NAME.source }),
  step: oneOf(['joined', 'preparing', 'ready', 'sending', 'done', 'refused']),
  beat: count,
  /** Reason for a refusal, in words that follow its name. */
  reason: orNull(text(MOST_REASON)),
  /** Redis' clock minus its own, and the error of that, ms. */
  offsetMs: number,
  errorMs: number,
  startAt: moment,
});

/** An agent's last seconds, written once a second, apart from its state. */
export type AgentSeconds = Of<typeof SECONDS>;
const SECONDS = list(SECOND, TOLD_SECONDS);

/** Readers of Redis entries; null for any that this kit did not write. */
export const readRun = reads(RUN);
export const readPart = reads(PART);
export const readSlice = reads(SLICE);
export const readSeconds = reads(SECONDS, FORMATS);

/** Cuts a reason to fit: an error message may have any length. */
export const reasonOf = (words: string): string => cut(words, MOST_REASON).text;

/** Returns the names of all Redis entries except BullMQ's own. */
export const namesIn = (prefix: string) => ({
  lock: `${prefix}:coordinator`,
  run: `${prefix}:run`,
  parts: (run: string): string => `${prefix}:parts:${run}`,
  slice: (run: string, index: number): string => `${prefix}:slice:${run}:${index}`,
  seconds: (run: string, index: number): string => `${prefix}:seconds:${run}:${index}`,
  result: (run: string, index: number): string => `${prefix}:result:${run}:${index}`,
  mark: (run: string, index: number): string => `${prefix}:mark:${run}:${index}`,
});

export const QUEUE = 'slices';
