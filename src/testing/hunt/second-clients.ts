import * as fc from 'fast-check';
import type { fixedPlans } from '../../base/interface/names.js';
import { loadPlans } from '../../base/interface/plans.js';
import type { Finding } from '../../judge/findings/finding.js';
import { withSecondClient } from '../limiters/second-client.js';
import type { Behaviour, Rounding } from '../limiters/server.js';
import { broken, PLAIN, simulate } from '../simulated/simulate.js';
import { MISTAKEN, SOUND } from './drawn-limiters.js';
import { foundOr, type Hunt, type Judged } from './hunt.js';
import { listed } from './listed.js';

type FixedPlan = (typeof fixedPlans)[number];

/** Other client of one of the keys. */
interface SecondClient {
  /** Place of its key in the plans. */
  readonly key: number;
  /** Percent of the plan that it sends in a window. */
  readonly share: number;
  /** Requests at the same moment. */
  readonly atOnce: number;
  /** Time from the first request of the run to its next, percent of its interval. */
  readonly shift: number;
  /** True if it waits after a refusal, as long as that asks. */
  readonly isPatient: boolean;
}

/** Limiter in virtual time, correct or not, and maybe another client of one key. */
export interface LimiterCase {
  /** Name among `SOUND` or `MISTAKEN`. */
  readonly limiter: string;
  readonly client: SecondClient | null;
  readonly plans: readonly FixedPlan[];
  /** Length of its minute, s. */
  readonly minute: number;
  readonly seed: number;
  /** Network latency, there and back, ms. */
  readonly latency: number;
  readonly jitter: number;
  /** The server's clock minus ours, ms. */
  readonly offset: number;
  /** Step of the limiter's clock, ms; 0: exact. */
  readonly grain: number;
  readonly retryAfterAs: 'seconds' | 'date';
  readonly reset: Rounding;
}

/** What the kit says of a case. */
export interface SaidOfLimiter {
  /** Rows that fail. */
  readonly red: readonly string[];
  /** Rows that could not be determined. */
  readonly open: readonly string[];
  /** What is said of another client: the causes of open rows, each once. */
  readonly named: readonly string[];
  readonly told: readonly string[];
}

/** Requests per window, as a share of the plan, that another client needs to be seen. */
const LARGE = 5;

const isNamed = (one: Finding): boolean =>
  one.kind === 'inconclusive' && /^Something else used the \w+ key/.test(one.reason.text);

/** Creates the server of a case. */
export function behaviourOf({ limiter, client, plans, minute, retryAfterAs, reset }: LimiterCase): Behaviour {
  const make = SOUND[limiter];
  const of = make === undefined ? MISTAKEN[limiter]?.() : { make };
  if (of === undefined) throw new RangeError(`There is no limiter "${limiter}".`);
  const headers = { retryAfterAs, rounded: { retryAfter: 'up', reset } } as const;
  const figures = loadPlans();
  const plan = client === null ? undefined : plans[client.key % plans.length];
  if (client === null || plan === undefined) return { ...of, ...headers };
  const { perMinute } = figures[plan];
  const { share, atOnce, shift, isPatient } = client;
  const everyMs = (100 * minute * 1000 * atOnce) / (share * perMinute);
  const shared = withSecondClient(everyMs, of.make, atOnce, (shift * everyMs) / 100, isPatient);
  return {
    ...of,
    ...headers,
    make: (limit, ...more) => (limit === perMinute ? shared : of.make)(limit, ...more),
  };
}

/** Runs a case, and tells what the kit says of it. */
export async function saidOf(subject: LimiterCase): Promise<SaidOfLimiter> {
  const { plans, minute, seed, latency, jitter, offset, grain } = subject;
  const figures = loadPlans();
  const { findings, told } = await simulate(
    behaviourOf(subject),
    {
      ...PLAIN,
      seed,
      minuteSeconds: minute,
      latencyMs: latency,
      jitterMs: jitter,
      offsetMs: offset,
      grainMs: grain,
    },
    { plans: new Map(plans.map((plan) => [plan, figures[plan]])) },
  );
  const named = findings.flatMap((one) =>
    one.kind === 'inconclusive' && isNamed(one) ? [one.reason.text] : [],
  );
  const open = findings.flatMap(({ kind, requirement }) => (kind === 'inconclusive' ? [requirement] : []));
  return { red: broken(findings), open: [...new Set(open)], named: [...new Set(named)], told };
}

const ofServer = (named: readonly string[]): readonly string[] =>
  named.filter((text) => !text.includes('or the server holds less'));

/**
 * Judges a case.
 *
 * - A correct limiter has no red row, and is not said to have another client that it has not.
 * - A mistaken one has a red row, or one that could not be determined for another reason.
 */
export function heldAgainstSaid(
  { limiter, client }: LimiterCase,
  { red, open, named }: SaidOfLimiter,
): Judged {
  const untrue = client === null ? ofServer(named) : [];
  if (SOUND[limiter] !== undefined)
    return foundOr(
      [...red.map((id) => `${id} is red, and the server breaks nothing of it`), ...untrue],
      client === null || client.share <= LARGE || named.length > 0 ? 'let pass' : 'left open',
    );
  if (red.length > 0) return { kind: 'held', as: 'caught' };
  return foundOr(open.length === 0 ? ['no row is red or open'] : untrue, 'left open');
}

const around = {
  plans: listed<readonly FixedPlan[]>([
    ['free', 'pro'],
    ['free'],
    ['pro', 'business'],
    ['free', 'pro', 'business'],
  ]),
  minute: fc.constantFrom(60, 1.5, 3, 6, 10, 15, 20),
  seed: fc.integer({ min: 1, max: 1000 }),
  latency: fc.constantFrom(2, 0.4, 20, 40, 80, 150),
  jitter: fc.constantFrom(0.2, 1, 5),
  offset: fc.constantFrom(0, -400, 700, -90_000),
  grain: fc.constantFrom(0, 1),
  retryAfterAs: fc.constantFrom<'seconds' | 'date'>('seconds', 'date'),
  reset: fc.constantFrom<Rounding>('up', 'down', 'nearest'),
};

const client = fc.record<SecondClient>({
  key: fc.nat({ max: 2 }),
  share: fc.constantFrom(10, 2, 5, 20, 40, 70, 95, 100, 150, 300),
  atOnce: fc.constantFrom(1, 2, 6, 12, 30),
  shift: fc.nat({ max: 99 }),
  isPatient: fc.boolean(),
});

const oneOf = (limiters: object) => fc.noShrink(fc.constantFrom(...Object.keys(limiters)));

const alone = fc.constant(null);

/** Correct limiters that nobody else uses. */
export const soundAlone = fc.record<LimiterCase>({ limiter: oneOf(SOUND), client: alone, ...around });
/** Correct limiters with another client of one key. */
export const soundShared = fc.record<LimiterCase>({ limiter: oneOf(SOUND), client, ...around });
/** Mistaken limiters that nobody else uses. */
export const mistakenAlone = fc
  .record<LimiterCase>({ limiter: oneOf(MISTAKEN), client: alone, ...around })
  // One key shares with none.
  .filter(({ limiter, plans }) => plans.length > 1 || !limiter.endsWith('for all keys'));

/** Limiters with and without another client of a key, which a mistake may look like. */
export const secondClients: Hunt<LimiterCase> = {
  name: 'second-clients',
  cases: fc.oneof(soundShared, mistakenAlone, soundAlone),
  judge: async (subject) => heldAgainstSaid(subject, await saidOf(subject)),
  // Virtual time has no waits, so parallel cases gain nothing.
  inParallel: 1,
  caseMs: 3_000,
};
