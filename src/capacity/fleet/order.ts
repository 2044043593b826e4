import { planNames } from '../../contract/plan-names.js';
import { closed, count, has, list, moment, number, oneOf, orNull, reads, text, truth } from '../../contract/shape.js';
import type { PlanFigures } from '../../contract/plans.js';
import type { PlanName } from '../../contract/types.js';
import type { Target } from '../../targets/target.js';
import type { Slice } from '../../scenario/slice.js';

/** The version of what coordinator and agents say to each other. */
export const INTERFACE_VERSION = 3;

/** One slice as a pure value: all that an agent needs to send it, but for the start instant, which all get together. */
export interface Order {
  /** The scenario's file, as it was read: the agent checks it again. */
  readonly scenario: string;
  readonly slice: Slice;
  readonly readOnly: boolean;
  readonly target: {
    readonly name: string;
    readonly baseUrl: string;
    readonly suiteKey: PlanName;
    readonly enterprise: PlanFigures | null;
    readonly windows: Target['windows'];
    readonly production: boolean;
    readonly writes: boolean;
    readonly exclusive: boolean;
    /** No certificate authority: an agent trusts those that are named where it runs. */
    readonly http: Omit<Target['http'], 'ca'>;
  };
  /** When it was given, and until when an agent may take it; Unix ms by the clock of whoever started the run. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** Those of this slice alone. */
  readonly keys: readonly OrderKey[];
}

/** A key: the variable of the agent's environment that holds it and what tells that it is the same; or, in a sealed order, itself. */
export interface OrderKey {
  readonly plan: PlanName;
  readonly variable: string | null;
  readonly digest: string | null;
  readonly secret: string | null;
}

/** A job as it lies in Redis. */
export interface SliceJob {
  readonly interface: number;
  readonly kit: string;
  readonly run: string;
  readonly index: number;
  readonly count: number;
  /** The order as JSON, or sealed with the secret that all share. */
  readonly order: string;
  readonly sealed: boolean;
}

const slice = closed({ index: count, count: { ...count, minimum: 1, maximum: 1000 } });
const seconds = { ...number, exclusiveMinimum: 0, maximum: 10_000_000_000 };

const ORDER = closed({
  scenario: text(1_000_000),
  slice,
  readOnly: truth,
  issuedAt: moment,
  expiresAt: moment,
  target: closed({
    name: text(),
    baseUrl: text(),
    suiteKey: oneOf(planNames),
    enterprise: orNull(closed({ perMinute: count, perDay: count })),
    windows: closed({ minute: seconds, day: seconds }),
    production: truth,
    writes: truth,
    exclusive: truth,
    http: closed({ timeoutMs: seconds, maxBodyBytes: seconds }),
  }),
  keys: {
    ...list(
      closed({
        plan: oneOf(planNames),
        variable: orNull({ ...text(), pattern: '^[A-Za-z_][A-Za-z0-9_]*$' }),
        digest: orNull({ ...text(), pattern: '^[0-9a-f]{64}$' }),
        secret: orNull(text()),
      }),
      planNames.length,
    ),
    minItems: 1,
  },
});

const JOB = closed({
  interface: count,
  kit: text(64),
  run: { ...text(), pattern: '^[0-9a-f]{8}$' },
  index: count,
  count: { ...count, minimum: 1, maximum: 1000 },
  order: text(4_000_000),
  sealed: truth,
});

const isJob = has<SliceJob>(JOB);

/** What came as a job, if it is one. */
export const jobOf = (value: unknown): SliceJob | null => (isJob(value) ? value : null);

/** An order from its text; null for what is none. */
export const parseOrder = reads<Order>(ORDER);
