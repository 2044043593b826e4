import { setMaxListeners } from 'node:events';
import type { Finding } from '../../judge/findings/finding.js';
import type { PlanFigures } from '../../base/interface/plans.js';
import type { OperationName, PlanName } from '../../base/interface/types.js';
import { NO_CLOCK } from '../../judge/limits/clock.js';
import { judgeLimits } from '../../judge/limits/judge-limits.js';
import type { Figures } from '../../judge/limits/bounds.js';
import { type LimitRecord, samplesOf } from '../../judge/limits/series.js';
import { randomFrom } from '../../base/kernel/random.js';
import { simulatedServer, type Behaviour } from '../limiters/server.js';
import type { Stall } from '../../wire/exchange/stalls.js';
import { collector, type KeySession } from '../../drive/load/key-session.js';
import { openLab } from '../../drive/load/lab.js';
import type { Report } from '../../drive/load/reporter.js';
import type { KeyOptions } from '../../drive/limits/played.js';
import { askKeys } from '../../drive/profiles/ask-keys.js';
import { PROFILES } from '../../drive/profiles/profiles.js';
import { IDLE, virtualTime } from '../../proof/selftest/virtual-time.js';
import { type Busy, busyMachine } from './busy-machine.js';
import { virtualSession } from './virtual-session.js';
import { wasRefused } from '../../judge/limits/sample.js';
import { banPhase } from '../../drive/limits/ban.js';
import type { ProfileName, KeyName } from '../../base/interface/names.js';

/** Conditions that vary from run to run. */
export interface Circumstances {
  readonly seed: number;
  readonly minuteSeconds: number;
  readonly freeLimit: number;
  readonly latencyMs: number;
  readonly jitterMs: number;
  readonly offsetMs: number;
  readonly staleMs: number;
  readonly grainMs: number;
  /** Requests of other clients with the Free key, up to a window before the run. */
  readonly usedBefore: number;
  /**
   * Requests of the run with its first key just before the load, one by one, as by the suites; none by
   * default.
   */
  readonly suites?: number;
  /** Requests of the day left when the run begins; null: all. */
  readonly dayLeft: number | null;
  /** Stalls of the client's machine; none by default. */
  readonly busy?: Busy;
}

/** No disturbance: a quick server with a right clock, and an unused key. */
export const PLAIN: Circumstances = {
  seed: 1,
  minuteSeconds: 60,
  freeLimit: 60,
  latencyMs: 2,
  jitterMs: 0.5,
  offsetMs: 0,
  staleMs: 0,
  grainMs: 0,
  usedBefore: 0,
  dayLeft: null,
};

/** Selects the run: profiles of plans' keys, or the ban of a sacrificial key. */
export interface Course {
  /** Plans with a key, smallest first. */
  readonly plans?: ReadonlyMap<PlanName, PlanFigures>;
  /** Runs only the ban, with the operator's declaration. */
  readonly ban?: { readonly declaredSeconds: number | null };
}

/** Returns two plans in about the proportions of real ones. */
const twoPlans = (limit: number): NonNullable<Course['plans']> =>
  new Map([
    ['free', { perMinute: limit, perDay: limit * 17 }],
    ['pro', { perMinute: limit * 3, perDay: limit * 170 }],
  ]);

const START = 1_800_000_000_000;

const OPERATIONS: readonly OperationName[] = ['listPets', 'createPet', 'getPet'];

/** A ban shows within 60 requests at 100 a second (the figures of `targets/`). */
const BAN = { maxRequests: 60, perSecond: 100 };

/** Profiles that need no opt-in; each takes at most some minutes. */
const USUAL: ReadonlySet<ProfileName> = new Set(
  PROFILES.filter(({ optIn }) => optIn === null).map(({ name }) => name),
);

/** Runs the profiles on a simulated server with the real driver in virtual time, and judges. */
export async function simulate(
  behaviour: Behaviour,
  circumstances: Circumstances,
  { plans = twoPlans(circumstances.freeLimit), ban }: Course = {},
) {
  const { seed, minuteSeconds, usedBefore, suites = 0, busy, ...way } = circumstances;
  const random = randomFrom(seed);
  const banSeconds = ban?.declaredSeconds ?? undefined;
  const days = { minuteSeconds, daySeconds: 1440 * minuteSeconds, banSeconds };
  const figures = new Map<KeyName, Figures>(
    [...plans].map(([plan, of]): [KeyName, Figures] => [plan, { ...of, ...days }]),
  );
  const [smallest] = figures.values();
  if (smallest === undefined) throw new RangeError('Without a plan there is nothing to drive.');
  figures.set('sacrificial', smallest);
  const server = simulatedServer(behaviour, {
    ...way,
    random,
    figures,
    phaseMs: random() * minuteSeconds * 1000,
  });

  let begin = START + random() * 60_000;
  for (let index = 0; index < usedBefore; index += 1) {
    server.answer(server.travel(begin), 'free', 'listPets', begin);
    begin += random() * 10;
  }
  begin += usedBefore === 0 ? 0 : random() * minuteSeconds * 1000;

  const stalls: Stall[] = [];
  const machine =
    busy === undefined ? IDLE : busyMachine(busy, random, begin, (stall) => void stalls.push(stall));
  const time = virtualTime(begin, machine);
  const sessions = [...figures].map(([key, of]) =>
    virtualSession({ key, figures: of, server, time, random, machine }),
  );
  const { signal } = new AbortController();
  // Every pause adds a listener for an abort that never comes.
  setMaxListeners(0, signal);
  const lab = openLab({
    time,
    signal,
    stalls,
    sessions,
    operations: OPERATIONS,
    before: NO_CLOCK,
    progress: () => undefined,
    waiting: () => undefined,
  });
  const told: string[] = [];
  const reportOf =
    ({ key }: KeySession): Report =>
    (profile, startedAt, { sentence }) => {
      const from = ((startedAt - begin) / 1000).toFixed(3);
      told.push(`${from} to ${((time.now() - begin) / 1000).toFixed(3)} s, ${key} ${profile}: ${sentence}`);
    };

  const optionsOf = (session: KeySession): KeyOptions => ({
    profiles: USUAL,
    exclusive: true,
    earlier: [],
    aloneSince: begin,
    report: reportOf(session),
  });
  const keys = await time.passing(async () => {
    const plain = sessions.filter(({ key }) => key !== 'sacrificial');
    const passing = collector('burst');
    for (let sent = 0; sent < suites; sent += 1)
      await plain[0]?.ask(OPERATIONS[sent % 3] ?? 'listPets', passing);
    if (ban === undefined) return askKeys(plain, lab, optionsOf);
    const session = sessions.find(({ key }) => key === 'sacrificial');
    if (session === undefined) return [];
    const target = {
      ban: { ...BAN, ...(banSeconds !== undefined && { maxSeconds: banSeconds }) },
      exclusive: true,
    };
    const { watching } = await banPhase(lab, session, plain.at(-1) ?? null, target, reportOf(session));
    return [await watching];
  });
  const record: LimitRecord = {
    keys,
    refusalBodies: keys.flatMap((series) =>
      samplesOf(series)
        .filter(wasRefused)
        .map(({ operation }) => ({ key: series.key, operation, error: true })),
    ),
    operations: OPERATIONS,
  };
  return {
    record,
    /** Judged where it is read: a fifth of a run. */
    get findings(): readonly Finding[] {
      return judgeLimits(record);
    },
    /** Virtual seconds from the first request of the run to its end. */
    seconds: (time.now() - begin) / 1000,
    /** Requests of the run, by key. */
    requests: new Map(sessions.map((session) => [session.key, session.samples().length])),
    /** Most refusals in a row that each key met, counted at the server. */
    mostRefused: new Map(sessions.map((session) => [session.key, server.mostRefused(session.key)])),
    /** Messages of the driver at the end of each profile. */
    told,
  };
}

/** Returns the ids of the broken rows, each once, in order. */
export const broken = (findings: readonly Finding[]): readonly string[] =>
  [
    ...new Set(findings.filter(({ kind }) => kind === 'violated').map(({ requirement }) => requirement)),
  ].sort();
