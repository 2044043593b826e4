import * as fc from 'fast-check';
import type { PlanName } from '../../base/interface/types.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { loadAnswer, requestsOf, wireOf, loadStore } from '../../drive/load/requests.js';
import { flaws, variants, type Flaw, type Variant } from '../../proof/index.js';
import { judgeUnderLoad } from '../../proof/selftest/without-suites.js';
import { targetOf, VIRTUAL_START } from '../../proof/selftest/run-trial.js';
import { virtualReference } from '../../proof/selftest/virtual-reference.js';
import { virtualTime } from '../../proof/selftest/virtual-time.js';
import { planOf, type Target } from '../../wire/targets/target.js';
import { heldAgainst } from './expectation.js';
import { held, type Hunt, type Judged } from './hunt.js';
import { listed } from './listed.js';
import { RACE, settingFor, type Server } from './servers.js';

/** Server under load with some of its keys; other clients have used part of each key's minute. */
export interface KeysCase extends Server {
  readonly plans: readonly PlanName[];
  /** Length of its minute, s. */
  readonly minute: number;
  /** Percent of each key's minute used before the run begins. */
  readonly used: number;
  /** Pause before the run begins, percent of the minute. */
  readonly after: number;
  /** Requests that the run itself has already sent with the first key. */
  readonly before: number;
  /** Network latency each way, ms; jitter adds up to as much again. */
  readonly latency: number;
  /** The server's clock minus ours, ms. */
  readonly offset: number;
}

/** Flaws that only show on certain plans; without those plans the server is correct. */
const ONLY_ON: Readonly<Record<string, readonly PlanName[]>> = {
  'limit-header-of-another-plan': ['free'],
  'pro-served-as-free': ['pro'],
  'business-refused-as-pro': ['business'],
  // By address everybody gets Free's allowance.
  'counted-by-address': ['pro', 'business', 'enterprise'],
};

/** Longest minute, s, of a flaw that shorter minutes show too. */
const LONGEST = 6;

const isThere = ({ flaws: names, plans }: KeysCase): boolean =>
  names.every((name) => ONLY_ON[name]?.some((plan) => plans.includes(plan)) ?? true);

/** Sends listings with a plan's key, one after the other. */
async function ask(
  { carrier }: ReturnType<typeof virtualReference>,
  { keys, http }: Target,
  plan: PlanName,
  count: number,
) {
  const secret = keys[plan];
  if (secret === undefined) throw new RangeError(`There is no key of the plan ${plan}.`);
  const context = { basePath: '/v1', userAgent: 'hunt', run: '01234567', secret };
  const connection = carrier.open('', http, {});
  const spec = requestsOf(plan, context.run, loadStore([]))('listPets');
  const exchanges: Exchange[] = [];
  for (let sent = 0; sent < count; sent += 1) {
    const { sentAt, latencyMs, answer } = await connection.send(wireOf(spec, context));
    const times = { intendedAt: sentAt, sentAt, answeredAt: sentAt + latencyMs };
    exchanges.push(loadAnswer(`b${sent}`, spec, context, times, answer).exchange);
  }
  return exchanges;
}

/** True if a flaw shows in minutes of this length: some need whole seconds. */
const isLongEnough = ({ flaws: names, minute }: KeysCase): boolean =>
  flaws.every(
    ({ name, options }) => !names.includes(name) || (options.minuteSeconds ?? 0) <= Math.max(minute, LONGEST),
  );

async function judge(subject: KeysCase): Promise<Judged> {
  if (!isThere(subject) || !isLongEnough(subject) || subject.flaws.includes(RACE)) return held('hidden');
  const { flaws, variants, plans, minute, after, before, latency, offset } = subject;
  const { enterprise } = settingFor('load', subject);
  const time = virtualTime(VIRTUAL_START);
  const now = (): number => time.now() + offset;
  const server = virtualReference({ flaws, variants, minuteSeconds: minute, now }, time, latency);
  const whole = targetOf(server, { minuteSeconds: minute, ...(enterprise && { enterprise }) });
  const keys = Object.fromEntries(
    Object.entries(whole.keys).filter(([plan]) => plans.some((it) => it === plan)),
  );
  const [suiteKey = 'free'] = plans;
  const target = { ...whole, keys, suiteKey };
  const results = await time.passing(async () => {
    for (const plan of plans)
      await ask(server, whole, plan, Math.floor((planOf(whole, plan).perMinute * subject.used) / 100));
    await time.sleepUntil(time.now() + (after / 100) * minute * 1000, new AbortController().signal);
    const known = await ask(server, target, suiteKey, before);
    const simulated = { time, carrier: server.carrier };
    return judgeUnderLoad(target, { plans, includes: [], known, simulated });
  });
  return heldAgainst(subject, results);
}

/** True for members that a plain load run shows: no ban, no day, no changed plans. */
const isPlain = ({ needs, include, options }: Flaw | Variant): boolean =>
  needs === 'load' && include === undefined && options.plans === undefined;

const named = (members: readonly (Flaw | Variant)[]) =>
  fc.tuple(fc.noShrink(fc.constantFrom(...members.filter(isPlain).map(({ name }) => name))));
const none = fc.tuple();

/** One key, two, and all whose allowance a few seconds can hold. */
const SOME_KEYS: readonly [readonly PlanName[], ...(readonly PlanName[])[]] = [
  ['free'],
  ['pro'],
  ['business'],
  ['free', 'pro'],
  ['free', 'business'],
  ['free', 'pro', 'business'],
];

/** All of a case except the server. */
type Around = { readonly [Name in Exclude<keyof KeysCase, keyof Server>]: fc.Arbitrary<KeysCase[Name]> };

const situation: Around = {
  plans: listed(SOME_KEYS),
  // In a shorter minute headers in whole seconds mean nothing for the largest plans.
  minute: fc.constantFrom(6, 60),
  used: fc.constantFrom(0, 10, 50, 90, 100),
  after: fc.constantFrom(0, 10, 60),
  before: fc.constantFrom(0, 5, 40),
  // With more latency the largest of these plans cannot send its allowance in so short a minute.
  latency: fc.constantFrom(0, 1, 10),
  offset: fc.constantFrom(0, -90_000, -400, 90_000),
};

const casesOf = (around: Around): fc.Arbitrary<KeysCase> =>
  fc.oneof(
    fc.record({ flaws: named(flaws), variants: none, ...around }),
    fc.record({ flaws: none, variants: named(variants), ...around }),
  );

/** Servers under load with some keys, used in part. */
export const keys: Hunt<KeysCase> = {
  name: 'keys',
  cases: casesOf(situation),
  judge,
  inParallel: 1,
  caseMs: 5_000,
};
