import {
  closed,
  count,
  has,
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
import { planNames } from '../../base/interface/names.js';
import { FORMATS, SECOND } from '../../log/capacity-record.js';
import { TOLD_SECONDS } from './state.js';

/*
 * What a coordinator and the senders of its parts write to each other, as shapes that check it.
 */

/** Version of the protocol between coordinator and agents. */
export const INTERFACE_VERSION = 4;

const plan = oneOf(planNames);
const slice = closed({ index: count, count: refined(count, { minimum: 1, maximum: 1000 }) });
const positive = refined(number, { exclusiveMinimum: 0, maximum: 10_000_000_000 });

/** A key: the agent's variable with a digest to compare, or the key itself in a sealed order. */
export type OrderKey = Of<typeof ORDER_KEY>;
const ORDER_KEY = closed({
  plan,
  variable: orNull(refined(text(), { pattern: '^[A-Za-z_][A-Za-z0-9_]*$' })),
  digest: orNull(refined(text(), { pattern: '^[0-9a-f]{64}$' })),
  secret: orNull(text()),
});

/**
 * Order of one slice: a pure value with all that an agent needs, except the start time, which all get
 * together.
 */
export type Order = Of<typeof ORDER>;
const ORDER = closed({
  /** Text of the scenario's file; the agent checks it again. */
  scenario: text(1_000_000),
  slice,
  readOnly: truth,
  /** Collector for the metrics of this slice; null for none. */
  otlp: orNull(text(2000)),
  target: closed({
    name: text(),
    baseUrl: text(),
    suiteKey: plan,
    enterprise: orNull(closed({ perMinute: count, perDay: count })),
    /** Seconds. */
    windows: closed({ minute: positive, day: positive }),
    production: truth,
    writes: truth,
    exclusive: truth,
    /** Without a certificate authority: an agent trusts those configured on its machine. */
    http: closed({ timeoutMs: positive, maxBodyBytes: positive }),
  }),
  /** Issue time and expiry, Unix ms by the clock of the coordinator. */
  issuedAt: moment,
  expiresAt: moment,
  keys: refined(list(ORDER_KEY, planNames.length), { minItems: 1 }),
});

export type SliceJob = Of<typeof JOB>;
const JOB = closed({
  interface: count,
  kit: text(64),
  run: refined(text(), { pattern: '^[0-9a-f]{8}$' }),
  index: count,
  count: refined(count, { minimum: 1, maximum: 1000 }),
  /** Order as JSON, or sealed with the shared secret. */
  order: text(4_000_000),
  sealed: truth,
});

const isJob = has(JOB);

export const jobOf = (value: unknown): SliceJob | null => (isJob(value) ? value : null);

/** Null for a text that is no order. */
export const parseOrder = reads(ORDER);

/** As in `--name`. */
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
