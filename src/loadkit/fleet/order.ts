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
import type { PlanName } from '../../base/interface/types.js';
import type { Target } from '../../wire/targets/target.js';
import { keysIn } from '../../wire/targets/keys.js';
import { digestOf, LEAST_SECRET, seal, SECRET_VARIABLE } from './seal.js';
import { planNames } from '../../base/interface/names.js';
import { badOption } from '../../base/kernel/errors.js';

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

/** Order of one slice: a pure value with all that an agent needs, except the start time, which all get together. */
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

/** Returns a value if it is a job, else null. */
export const jobOf = (value: unknown): SliceJob | null => (isJob(value) ? value : null);

/** Parses an order; null if it is none. */
export const parseOrder = reads(ORDER);

export interface JobParts extends Pick<Order, 'scenario' | 'slice' | 'readOnly' | 'otlp' | 'issuedAt' | 'expiresAt'> {
  readonly kit: string;
  readonly run: string;
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
  const { kit, run, slice, keys, target, scenario, readOnly, otlp, secret, issuedAt, expiresAt } = parts;
  const place = placeOf(run, slice.index);
  const { name, baseUrl, windows, production, writes, exclusive } = target;
  const { timeoutMs, maxBodyBytes } = target.http;
  const [suiteKey = target.suiteKey] = keys;
  const order: Order = {
    scenario,
    slice,
    readOnly,
    otlp,
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
      http: { timeoutMs, maxBodyBytes },
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
    `Write it as \${NAME} in the target and set NAME for every agent, ` +
      `or give all of them the same ${SECRET_VARIABLE}. Nothing was sent.`,
  );
}
