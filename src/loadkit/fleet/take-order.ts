import { isLoopback } from '../../wire/targets/base-url.js';
import { targetFrom } from '../../wire/targets/load-target.js';
import { pathIn } from '../../wire/targets/key-file.js';
import type { Target } from '../../wire/targets/target.js';
import { parseScenario, type Scenario } from '../../wire/scenario/scenario.js';
import { placeOf } from './order.js';
import { INTERFACE_VERSION, type Order, type OrderKey, parseOrder, type SliceJob } from './messages.js';
import { isOf, SECRET_VARIABLE, unseal } from './seal.js';
import { ConfigError } from '../../base/kernel/errors.js';

/** Variable with the addresses to which an agent may send unauthenticated jobs. */
export const TARGETS_VARIABLE = 'PETSTORE_AGENT_TARGETS';

/** An agent's own settings. */
export interface Own {
  readonly kit: string;
  readonly secret: string | null;
  readonly env: NodeJS.ProcessEnv;
  /** True if unauthenticated jobs may be sent to its own machine. */
  readonly allowLoopback: boolean;
  /** Unix ms. */
  readonly now: number;
}

/** An accepted job, or the reason for its refusal, in words that follow the agent's name. */
export type Taken =
  | { readonly ok: true; readonly order: Order; readonly scenario: Scenario; readonly target: Target }
  | { readonly ok: false; readonly reason: string };

/** Largest difference of machines' clocks, ms. */
const LEEWAY_MS = 300_000;

const refused = (reason: string): Taken => ({ ok: false, reason });

/**
 * Accepts or refuses a job. Anyone with write access to Redis may add one, so nothing in it is trusted. An
 * address needs a seal by the shared secret, an entry in the agent's environment, or permission for this
 * machine. A variable is used only if its value is the coordinator's key. No text is expanded as a
 * placeholder.
 */
export function takeOrder(job: SliceJob, own: Own): Taken {
  const { kit, secret, env, now } = own;
  if (job.interface !== INTERFACE_VERSION || job.kit !== kit)
    return refused(`has kit ${kit}, but the run needs ${job.kit}: install one version everywhere`);
  if (secret !== null && !job.sealed)
    return refused(`has ${SECRET_VARIABLE}, but the coordinator has none: give both the same`);
  const place = placeOf(job.run, job.index);
  const json = job.sealed ? (secret === null ? null : unseal(job.order, secret, place)) : job.order;
  if (json === null)
    return refused(
      `has ${secret === null ? 'no' : 'another'} ${SECRET_VARIABLE}: give it that of the coordinator`,
    );
  const order = parseOrder(json);
  if (!order || order.slice.index !== job.index || order.slice.count !== job.count)
    return refused('got a job that this kit cannot read');
  if (now < order.issuedAt - LEEWAY_MS || now > order.expiresAt + LEEWAY_MS)
    return refused(
      `got a job of ${new Date(order.issuedAt).toISOString()} that is over or not due by its clock: ` +
        'synchronize the clocks of all machines',
    );
  if (!job.sealed && !isAllowed(order.target.baseUrl, own))
    return refused(
      `may not send to ${shown(order.target.baseUrl)}: ` +
        `add it to its ${TARGETS_VARIABLE}, or give all the same ${SECRET_VARIABLE}`,
    );
  if (!job.sealed && order.otlp !== null && !isAllowed(order.otlp, own))
    return refused(
      `may not send metrics to ${shown(order.otlp)}: add it to its ${TARGETS_VARIABLE}, or give all the same ${SECRET_VARIABLE}`,
    );
  const keys = new Map<string, string>();
  for (const key of order.keys) {
    const found = keyIn(key, env, place);
    if ('ok' in found) return found;
    keys.set(key.plan, found.key);
  }
  try {
    const scenario = parseScenario(order.scenario, 'the scenario of the run');
    // The coordinator watches all parts together; a single part would stop the run for all.
    return { ok: true, order, scenario: { ...scenario, abort: null }, target: targetOf(order, keys) };
  } catch (error) {
    if (error instanceof ConfigError) return refused(`cannot use its job: ${error.message}`);
    throw error;
  }
}

const shown = (address: string): string => address.slice(0, 120);

function keyIn({ plan, variable, digest, secret }: OrderKey, env: NodeJS.ProcessEnv, place: string) {
  if (secret !== null) return pathIn(secret) === undefined ? { key: secret } : refused('got a file as a key');
  const key = variable === null ? '' : (env[variable] ?? '');
  if (key === '') return refused(`has no ${plan} key: give it ${variable ?? 'one'}`);
  if (digest !== null && isOf(digest, key, place)) return { key };
  return refused(`has another ${plan} key in ${variable} than the coordinator`);
}

function isAllowed(baseUrl: string, { env, allowLoopback }: Own): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const named = (env[TARGETS_VARIABLE] ?? '').split(/[\s,]+/).map((each) => each.replace(/\/+$/, ''));
  return (allowLoopback && isLoopback(new URL(baseUrl))) || named.includes(baseUrl.replace(/\/+$/, ''));
}

/** Builds the target as from a local file, so that all rules for files apply. */
const targetOf = ({ target: { enterprise, ...file } }: Order, keys: ReadonlyMap<string, string>): Target =>
  targetFrom(
    { ...file, ...(enterprise && { plans: { enterprise } }), keys: Object.fromEntries(keys) },
    'the target of the run',
  );
