import { setTimeout as pause } from 'node:timers/promises';
import * as fc from 'fast-check';
import pLimit from 'p-limit';
import type { PlanName } from '../../contract/types.js';
import { ask } from '../asking.js';
import { flaws, startReference, variants, type Flaw, type Reference, type Variant } from '../../reference/index.js';
import { judgeUnderLoad } from '../../selftest/load-host.js';
import { runWithoutPlaywright } from '../../suite/plain-host.js';
import { targetOf } from '../../selftest/run-trial.js';
import { planOf, type Target } from '../../targets/target.js';
import { heldAgainst } from './expectation.js';
import { held, type Hunt, type Judged } from './hunt.js';
import { listed } from './listed.js';
import { settingFor, type Server } from './servers.js';

/** A server under load with some of its keys alone, of whose minute others have used a part. */
export interface KeysCase extends Server {
  readonly plans: readonly PlanName[];
  /** Seconds of its minute. */
  readonly minute: number;
  /** Percent of each key's minute used before the run begins. */
  readonly used: number;
  /** How long after that it begins, percent of the minute. */
  readonly after: number;
  /** What the run itself has sent with the first of the keys by then. */
  readonly before: 'nothing' | 'preflight' | 'suites';
}

/** Flaws that only show on a plan, with that plan: without it such a server is a sound one. */
const ONLY_ON: Readonly<Record<string, readonly PlanName[]>> = {
  'pro-served-as-free': ['pro'],
  'business-refused-as-pro': ['business'],
  // By address everybody gets Free's allowance.
  'counted-by-address': ['pro', 'business', 'enterprise'],
};

/** The longest minute of a flaw that shorter ones show as well, seconds. */
const LONGEST = 6;

const isThere = ({ flaws: names, plans }: KeysCase): boolean =>
  names.every((name) => ONLY_ON[name]?.some((plan) => plans.includes(plan)) ?? true);

/** As many at a time as use up a part of a minute without a ban. */
const AT_ONCE = 4;

async function useUp({ baseUrl, keys }: Reference, target: Target, { plans, used }: KeysCase): Promise<void> {
  const limit = pLimit(AT_ONCE);
  await Promise.all(
    plans.flatMap((plan) =>
      Array.from({ length: Math.floor((planOf(target, plan).perMinute * used) / 100) }, () =>
        limit(() => ask({ baseUrl }, '/pets?limit=1', { key: keys[plan] })),
      ),
    ),
  );
}

/** Whether a flaw shows in minutes of this length: some are told in whole seconds alone. */
const isLongEnough = ({ flaws: names, minute }: KeysCase): boolean =>
  flaws.every(
    ({ name, options }) => !names.includes(name) || (options.minuteSeconds ?? 0) <= Math.max(minute, LONGEST),
  );

async function judge(subject: KeysCase, directory: string): Promise<Judged> {
  if (!isThere(subject) || !isLongEnough(subject)) return held('hidden');
  const { flaws, variants, plans, minute, after, before } = subject;
  const { enterprise } = settingFor('load', subject);
  const server = await startReference({ flaws, variants, minuteSeconds: minute });
  try {
    const whole = targetOf(server, { minuteSeconds: minute, ...(enterprise && { enterprise }) });
    const keys = Object.fromEntries(Object.entries(whole.keys).filter(([plan]) => plans.some((it) => it === plan)));
    const target = { ...whole, keys, suiteKey: plans[0] ?? 'free' };
    await useUp(server, whole, subject);
    await pause((after / 100) * minute * 1000);
    // Preflight is all that is sent where no row is selected.
    const sent =
      before === 'nothing' ? null : await runWithoutPlaywright(target, before === 'suites' ? {} : { selected: [] });
    const known = sent?.exchanges ?? [];
    return await heldAgainst(subject, await judgeUnderLoad(target, { plans, includes: [], directory, known }));
  } finally {
    await server.close();
  }
}

/** What a plain load run of two plans or fewer shows: no ban, no day. */
const isPlain = ({ needs, include, options }: Flaw | Variant): boolean =>
  needs === 'load' && include === undefined && options.plans === undefined;

const named = (members: readonly (Flaw | Variant)[]) =>
  fc.tuple(fc.noShrink(fc.constantFrom(...members.filter(isPlain).map(({ name }) => name))));
const none = fc.tuple();

/** One key alone, two, and all whose allowance a few seconds can hold. */
const SOME_KEYS: readonly [readonly PlanName[], ...(readonly PlanName[])[]] = [
  ['free'],
  ['pro'],
  ['business'],
  ['free', 'pro'],
  ['free', 'business'],
  ['free', 'pro', 'business'],
];

/** What of a case is not the server. */
type Around = { readonly [Name in Exclude<keyof KeysCase, keyof Server>]: fc.Arbitrary<KeysCase[Name]> };

const situation: Around = {
  plans: listed(SOME_KEYS),
  // Shorter ones leave whole-second headers no meaning with the most requests.
  minute: fc.constantFrom(4, 6),
  used: fc.constantFrom(0, 10, 50, 90, 100),
  after: fc.constantFrom(0, 10, 60),
  before: fc.constantFrom('nothing', 'preflight', 'suites'),
};

const casesOf = (around: Around): fc.Arbitrary<KeysCase> =>
  fc.oneof(
    fc.record({ flaws: named(flaws), variants: none, ...around }),
    fc.record({ flaws: none, variants: named(variants), ...around }),
  );

/** Servers under load with some keys, used in part. */
export const keys: Hunt<KeysCase> = {
  name: 'keys',
  spends: 'waits',
  cases: casesOf(situation),
  judge,
  sideBySide: 4,
  caseMs: 40_000,
};

const ONCE: KeysCase = {
  flaws: ['limit-one-over'],
  variants: [],
  plans: ['free'],
  minute: 60,
  used: 0,
  after: 0,
  before: 'preflight',
};

/** Free alone in minutes of 60 s, which are mostly waited for. */
export const keysInRealMinutes: Hunt<KeysCase> = {
  ...keys,
  cases: casesOf({
    ...situation,
    plans: listed<readonly PlanName[]>([['free']]),
    minute: fc.constant(60),
    used: fc.constant(0),
    after: fc.constant(0),
    before: fc.constantFrom('nothing', 'preflight'),
  }),
  first: [ONCE],
  sideBySide: 6,
  caseMs: 100_000,
};
