import { closed, count, has, list, moment, number, oneOf, orNull, reads, text, truth } from '../../contract/shape.js';
import type { PlanFigures } from '../../contract/plans.js';
import type { PlanName } from '../../contract/types.js';
import type { Target } from '../../targets/target.js';
import type { Slice } from '../../scenario/slice.js';
import { keysIn } from '../../targets/keys.js';
import { digestOf, LEAST_SECRET, seal, SECRET_VARIABLE } from './seal.js';
import { planNames } from '../../contract/names.js';
import { badOption } from '../../contract/errors.js';

/** Version of the protocol between coordinator and agents. */
export const INTERFACE_VERSION = 3;

/** Order of one slice: a pure value with all that an agent needs, except the start time, which all get together. */
export interface Order {
  /** Text of the scenario's file; the agent checks it again. */
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
    /** Without a certificate authority: an agent trusts those configured on its machine. */
    readonly http: Omit<Target['http'], 'ca'>;
  };
  /** Issue time and expiry, Unix ms by the clock of the coordinator. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** Keys of this slice only. */
  readonly keys: readonly OrderKey[];
}

/** A key: the agent's variable with a digest to compare, or the key itself in a sealed order. */
export interface OrderKey {
  readonly plan: PlanName;
  readonly variable: string | null;
  readonly digest: string | null;
  readonly secret: string | null;
}

export interface SliceJob {
  readonly interface: number;
  readonly kit: string;
  readonly run: string;
  readonly index: number;
  readonly count: number;
  /** Order as JSON, or sealed with the shared secret. */
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

/** Returns a value if it is a job, else null. */
export const jobOf = (value: unknown): SliceJob | null => (isJob(value) ? value : null);

/** Parses an order; null if it is none. */
export const parseOrder = reads<Order>(ORDER);

export interface JobParts extends Pick<Order, 'scenario' | 'slice' | 'readOnly' | 'issuedAt' | 'expiresAt'> {
  readonly kit: string;
  readonly run: string;
  /** Keys that this slice uses. */
  readonly keys: readonly PlanName[];
  readonly target: Target;
  /** Secret of coordinator and agents; null without one. */
  readonly secret: string | null;
}

/** Returns the secret in an environment; null without one. Throws UsageError if it is too short. */
export function secretIn(env: NodeJS.ProcessEnv): string | null {
  const secret = env[SECRET_VARIABLE] ?? '';
  if (secret === '') return null;
  if (secret.length >= LEAST_SECRET) return secret;
  throw badOption(
    `${SECRET_VARIABLE} is too short for a secret.`,
    `Give coordinator and agents the same ${LEAST_SECRET} characters or more. Nothing was sent.`,
  );
}

/** Returns the place for which a slice's order is sealed. */
export const placeOf = (run: string, index: number): string => `${run}:${index}`;

/** Returns a slice's job: with sealed keys, or without keys. Throws UsageError if an agent cannot have a key. */
export function jobFor(parts: JobParts): SliceJob {
  const { kit, run, slice, keys, target, scenario, readOnly, secret, issuedAt, expiresAt } = parts;
  const place = placeOf(run, slice.index);
  const { name, baseUrl, windows, production, writes, exclusive } = target;
  const { ca: _, ...http } = target.http;
  const [suiteKey = target.suiteKey] = keys;
  const order: Order = {
    scenario,
    slice,
    readOnly,
    issuedAt,
    expiresAt,
    target: {
      name,
      baseUrl,
      suiteKey,
      enterprise: target.plans.enterprise ?? null,
      windows,
      production,
      writes,
      exclusive,
      http,
    },
    keys: keys.map((plan) => keyFor(plan, target, place, secret !== null)),
  };
  const json = JSON.stringify(order);
  if (secret === null && keysIn(target).some((key) => json.includes(key)))
    throw badOption(
      'The scenario contains a key, which Redis would store as plain text.',
      `Remove it, or give coordinator and agents the same ${SECRET_VARIABLE}. Nothing was sent.`,
    );
  return {
    interface: INTERFACE_VERSION,
    kit,
    run,
    index: slice.index,
    count: slice.count,
    order: secret === null ? json : seal(json, secret, place),
    sealed: secret !== null,
  };
}

function keyFor(plan: PlanName, { keys, keyVariables }: Target, place: string, sealed: boolean): OrderKey {
  const key = keys[plan]?.reveal() ?? '';
  if (sealed) return { plan, variable: null, digest: null, secret: key };
  const variable = keyVariables?.[plan];
  if (variable !== undefined) return { plan, variable, digest: digestOf(key, place), secret: null };
  throw badOption(
    `The ${plan} key is plain text in the target. Keys are never put into Redis; agents read them from their environment.`,
    `Write it as \${NAME} in the target and set NAME for every agent, or give all of them the same ${SECRET_VARIABLE}. Nothing was sent.`,
  );
}
