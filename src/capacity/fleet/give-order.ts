import type { PlanName } from '../../contract/types.js';
import { badOption } from '../../contract/usage-error.js';
import { keysIn } from '../../targets/keys.js';
import type { Target } from '../../targets/target.js';
import type { Slice } from '../../scenario/slice.js';
import { INTERFACE_VERSION, type Order, type OrderKey, type SliceJob } from './order.js';
import { digestOf, LEAST_SECRET, seal, SECRET_VARIABLE } from './seal.js';

/** What a job is made of. */
export interface JobParts {
  readonly kit: string;
  readonly run: string;
  readonly slice: Slice;
  /** The keys that this slice uses. */
  readonly keys: readonly PlanName[];
  readonly target: Target;
  /** The text of the scenario's file. */
  readonly scenario: string;
  readonly readOnly: boolean;
  /** What coordinator and agents share; null where they share nothing. */
  readonly secret: string | null;
  /** When it is given, and until when it may be taken, Unix ms. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** The secret that an environment holds; null where it holds none. Throws UsageError for one that is too short. */
export function secretIn(env: NodeJS.ProcessEnv): string | null {
  const secret = env[SECRET_VARIABLE] ?? '';
  if (secret === '') return null;
  if (secret.length >= LEAST_SECRET) return secret;
  throw badOption(
    `${SECRET_VARIABLE} is too short to keep anything.`,
    `Give coordinator and agents the same ${LEAST_SECRET} characters or more. Nothing was sent.`,
  );
}

/** The place that a slice's order is sealed for. */
export const placeOf = (run: string, index: number): string => `${run}:${index}`;

/** The job of a slice: with its keys sealed, or with none. Throws UsageError for a key that an agent cannot have. */
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
      'The scenario holds a key, and would lie in Redis in clear.',
      `Take it out, or give coordinator and agents the same ${SECRET_VARIABLE}. Nothing was sent.`,
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
    `The ${plan} key is given in clear, and agents take keys from their own environment: it is never put into Redis.`,
    `Write it as \${NAME} in the target and give NAME to every agent, or give all of them the same ${SECRET_VARIABLE}. Nothing was sent.`,
  );
}
