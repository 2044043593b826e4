import type { PlanName } from '../../base/interface/types.js';
import type { Target } from '../../wire/targets/target.js';
import { keysIn } from '../../wire/targets/keys.js';
import { digestOf, LEAST_SECRET, seal, SECRET_VARIABLE } from './seal.js';
import { INTERFACE_VERSION, type Order, type OrderKey, type SliceJob } from './messages.js';
import { badOption } from '../../base/kernel/errors.js';

interface JobParts extends Pick<
  Order,
  'scenario' | 'slice' | 'readOnly' | 'otlp' | 'issuedAt' | 'expiresAt'
> {
  readonly kit: string;
  readonly run: string;
  readonly keys: readonly PlanName[];
  readonly target: Target;
  /** Secret of coordinator and agents; null without one. */
  readonly secret: string | null;
}

/** Null without one. Throws UsageError if it is too short. */
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
