import { isLoopback } from '../../targets/base-url.js';
import { targetFrom } from '../../targets/load-target.js';
import { pathIn } from '../../targets/key-file.js';
import type { Target } from '../../targets/target.js';
import { parseScenario, type Scenario } from '../../scenario/scenario.js';
import { placeOf, INTERFACE_VERSION, parseOrder, type Order, type OrderKey, type SliceJob } from './order.js';
import { isOf, SECRET_VARIABLE, unseal } from './seal.js';
import { ConfigError } from '../../contract/errors.js';

/** The variable that names the addresses that an agent may send to when nobody vouches for a job. */
export const TARGETS_VARIABLE = 'PETSTORE_AGENT_TARGETS';

/** What an agent has by itself. */
export interface Own {
  readonly kit: string;
  readonly secret: string | null;
  readonly env: NodeJS.ProcessEnv;
  /** Whether it may send to its own machine when nobody vouches for a job. */
  readonly allowLoopback: boolean;
  /** Unix ms. */
  readonly now: number;
}

/** A job that is taken: what to send, where and with which keys; or why it is refused, in words that go on from the agent's name. */
export type Taken =
  | { readonly ok: true; readonly order: Order; readonly scenario: Scenario; readonly target: Target }
  | { readonly ok: false; readonly reason: string };

/** By so much clocks of machines may differ, ms: more is no clock that anybody keeps. */
const LEEWAY_MS = 300_000;

const refused = (reason: string): Taken => ({ ok: false, reason });

/**
 * Takes a job, or refuses it. Whoever may write to Redis may put one there, so that nothing in it is believed: an address is
 * sent to where the job is sealed with the shared secret, named by the agent's environment, or on this machine where that was
 * allowed; a variable is used only where its value is the key that the coordinator has; no text in it is a placeholder.
 */
export function takeOrder(job: SliceJob, own: Own): Taken {
  const { kit, secret, env, now } = own;
  if (job.interface !== INTERFACE_VERSION || job.kit !== kit)
    return refused(`is of the kit ${kit}, and the run of ${job.kit}: install one version everywhere`);
  if (secret !== null && !job.sealed)
    return refused(`has ${SECRET_VARIABLE}, and whoever started the run has not: give both the same`);
  const place = placeOf(job.run, job.index);
  const json = job.sealed ? (secret === null ? null : unseal(job.order, secret, place)) : job.order;
  if (json === null)
    return refused(`has ${secret === null ? 'no' : 'another'} ${SECRET_VARIABLE} than whoever started the run`);
  const order = parseOrder(json);
  if (!order || order.slice.index !== job.index || order.slice.count !== job.count)
    return refused('was given a job that is none of this kit');
  if (now < order.issuedAt - LEEWAY_MS || now > order.expiresAt + LEEWAY_MS)
    return refused(
      `was given a job of ${new Date(order.issuedAt).toISOString()} that is over or not due by its clock: set the clocks of all machines`,
    );
  if (!job.sealed && !isAllowed(order.target.baseUrl, own))
    return refused(
      `may not send to ${shown(order.target.baseUrl)}: name it in its ${TARGETS_VARIABLE}, or give all the same ${SECRET_VARIABLE}`,
    );
  const keys = new Map<string, string>();
  for (const key of order.keys) {
    const found = keyIn(key, env, place);
    if (!found.ok) return found;
    keys.set(key.plan, found.key);
  }
  try {
    const scenario = parseScenario(order.scenario, 'the scenario of the run');
    // The coordinator looks at all parts together; one alone would break off for all.
    return { ok: true, order, scenario: { ...scenario, abort: null }, target: targetOf(order, keys) };
  } catch (error) {
    if (error instanceof ConfigError) return refused(`cannot use what it was given: ${error.message}`);
    throw error;
  }
}

const shown = (address: string): string => address.slice(0, 120);

type FoundKey = { readonly ok: true; readonly key: string } | { readonly ok: false; readonly reason: string };

function keyIn({ plan, variable, digest, secret }: OrderKey, env: NodeJS.ProcessEnv, place: string): FoundKey {
  if (secret !== null)
    return pathIn(secret) === undefined
      ? { ok: true, key: secret }
      : { ok: false, reason: 'was given a file as a key' };
  const key = variable === null ? '' : (env[variable] ?? '');
  if (key === '') return { ok: false, reason: `has no ${plan} key: give it ${variable ?? 'one'}` };
  if (digest !== null && isOf(digest, key, place)) return { ok: true, key };
  return { ok: false, reason: `has another ${plan} key in ${variable} than whoever started the run` };
}

function isAllowed(baseUrl: string, { env, allowLoopback }: Own): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const named = (env[TARGETS_VARIABLE] ?? '').split(/[\s,]+/).map((each) => each.replace(/\/+$/, ''));
  return (allowLoopback && isLoopback(new URL(baseUrl))) || named.includes(baseUrl.replace(/\/+$/, ''));
}

/** The target as if it were read from a file here, so that all that a file is held to holds. */
const targetOf = ({ target: { enterprise, ...file } }: Order, keys: ReadonlyMap<string, string>): Target =>
  targetFrom(
    { ...file, ...(enterprise && { plans: { enterprise } }), keys: Object.fromEntries(keys) },
    'the target of the run',
  );
