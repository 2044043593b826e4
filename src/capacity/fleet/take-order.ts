import { ConfigError } from '../../contract/config-error.js';
import { parseTarget } from '../../targets/load-target.js';
import type { Target } from '../../targets/target.js';
import { parseScenario, type Scenario } from '../../scenario/scenario.js';
import { placeOf } from './give-order.js';
import { INTERFACE_VERSION, parseOrder, type Order, type OrderKey, type SliceJob } from './order.js';
import { isOf, SECRET_VARIABLE, unseal } from './seal.js';

/** The variable that names the addresses that an agent may send to when nobody vouches for a job. */
export const TARGETS_VARIABLE = 'PETSTORE_AGENT_TARGETS';

/** What an agent has by itself. */
export interface Own {
  readonly kit: string;
  readonly secret: string | null;
  readonly env: NodeJS.ProcessEnv;
}

/** A job that is taken: what to send, where and with which keys; or why it is refused, in words that go on from the agent's name. */
export type Taken =
  | { readonly ok: true; readonly order: Order; readonly scenario: Scenario; readonly target: Target }
  | { readonly ok: false; readonly reason: string };

const refused = (reason: string): Taken => ({ ok: false, reason });

/**
 * Takes a job, or refuses it. Whoever may write to Redis may put one there, so that nothing in it is believed: an address is
 * sent to where the job is sealed with the shared secret, on this machine itself, or named by the agent's environment; a
 * variable is used only where its value is the key that the coordinator has.
 */
export function takeOrder(job: SliceJob, { kit, secret, env }: Own): Taken {
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
  if (!job.sealed && !isAllowed(order.target.baseUrl, env))
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
  if (secret !== null) return { ok: true, key: secret };
  const key = variable === null ? '' : (env[variable] ?? '');
  if (key === '') return { ok: false, reason: `has no ${plan} key: give it ${variable ?? 'one'}` };
  if (digest !== null && isOf(digest, key, place)) return { ok: true, key };
  return { ok: false, reason: `has another ${plan} key in ${variable} than whoever started the run` };
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

function isAllowed(baseUrl: string, env: NodeJS.ProcessEnv): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const { hostname } = new URL(baseUrl);
  const named = (env[TARGETS_VARIABLE] ?? '').split(/[\s,]+/).map((each) => each.replace(/\/+$/, ''));
  return LOOPBACK.test(hostname) || named.includes(baseUrl.replace(/\/+$/, ''));
}

const variable = (plan: string): string => `KEY_${plan}`;

/** The target as if it were read from a file here, so that all that a file is held to holds; no text of it is a placeholder but the keys'. */
function targetOf({ target, keys: orderKeys }: Order, keys: ReadonlyMap<string, string>): Target {
  const { ca, ...http } = target.http;
  const { enterprise, ...file } = target;
  const written = JSON.stringify({
    ...file,
    http,
    ...(enterprise && { plans: { enterprise } }),
    keys: Object.fromEntries(orderKeys.map(({ plan }) => [plan, `\${${variable(plan)}}`])),
  });
  const env = Object.fromEntries([...keys].map(([plan, key]) => [variable(plan), key]));
  // Of this environment nothing else can be read.
  const read = parseTarget(written, 'the target of the run', env);
  return { ...read, ...(ca !== undefined && { http: { ...read.http, ca } }) };
}
