import { LONGEST_WATCH_MS } from '../../judge/limits/ban.js';
import { minuteMs, type Figures } from '../../judge/limits/bounds.js';
import { steadyGapMs } from '../../judge/limits/steady-run.js';
import { profileNames, type ProfileName } from '../../base/interface/names.js';
import { burstToRefusal } from './burst/drive.js';
import { burstMs } from './bursting/pace.js';
import { concurrentRequests, sendTogether } from './concurrent/drive.js';
import { useUpDay } from './day-quota/drive.js';
import type { Experiment } from './experiment.js';
import type { Step } from './key-run.js';
import { tryReset, waitOutParallelRefusal, waitOutRefusal } from './recovery/drive.js';
import { watchPauses } from './steady/pauses.js';
import { burstAfterSilence, dayCeiling, keepSteady, steadyPlan } from './steady/drive.js';
import { burstsAfterParallel, burstsAfterRetry, spreadAllowance } from './window/drive.js';

/** Returns how long a burst may take, ms: no window holds a longer one. */
const lastsMs = (figures: Figures, latencyMs: number): number =>
  Math.min(burstMs(figures, latencyMs), minuteMs(figures));

/** What runs with every plan's key unless it is left out. */
const USUAL = { after: [], keys: 'each-plan', runs: { kind: 'always' } } as const;

const BY_NAME: Readonly<Record<ProfileName, Omit<Experiment, 'name'>>> = {
  /** Uses up the allowance on few connections, to the first 429. */
  burst: {
    ...USUAL,
    cost: (figures, { latencyMs }) => ({
      requests: figures.perMinute + 1,
      seconds: lastsMs(figures, latencyMs) / 1000,
    }),
  },
  /** Sends one request after Retry-After, and one after Reset. */
  recovery: {
    ...USUAL,
    after: ['burst'],
    cost: ({ minuteSeconds }) => ({ requests: 2, seconds: minuteSeconds + 1 }),
  },
  /** Sends more bursts if a 429 allows the next one before a window has passed. */
  window: { ...USUAL, after: ['burst', 'recovery'], cost: () => ({ requests: 1, seconds: 0 }) },
  /** Uses up the allowance, and sends parallel requests at its edge. */
  concurrent: {
    ...USUAL,
    after: ['burst', 'recovery'],
    cost(figures, { latencyMs }) {
      const ms = lastsMs(figures, latencyMs);
      return { requests: concurrentRequests(figures, ms), seconds: ms / 1000 };
    },
  },
  /** Runs at 95 % of the plan on a fixed schedule, after two windows of silence. */
  steady: {
    ...USUAL,
    runs: { kind: 'if-needed' },
    cost(figures) {
      const { requests, gapMs, silenceMs } = steadyPlan(figures);
      return { requests, seconds: (silenceMs + requests * gapMs) / 1000 };
    },
  },
  /** Uses up a plan's day at the pace that its minute allows. */
  'day-quota': {
    after: [],
    keys: 'one-plan',
    runs: { kind: 'opt-in', because: "uses up a plan's day" },
    cost(figures) {
      const seconds = (figures.perDay * steadyGapMs(figures)) / 1000;
      return { requests: dayCeiling(figures, seconds * 1000), seconds };
    },
  },
  /** Pushes a sacrificial key beyond its 429, to see whether it gets banned. */
  ban: {
    after: [],
    keys: 'sacrificial',
    runs: { kind: 'opt-in', because: 'may get a key banned' },
    cost: (figures, { latencyMs, ban: { maxRequests, maxSeconds } }) => ({
      requests: figures.perMinute + maxRequests + 2,
      seconds: lastsMs(figures, latencyMs) / 1000 + (maxSeconds ?? LONGEST_WATCH_MS / 1000),
    }),
  },
};

/** Returns the experiment of a name. */
export const experimentOf = (name: ProfileName): Experiment => ({ name, ...BY_NAME[name] });

/** All experiments. */
export const EXPERIMENTS: readonly Experiment[] = profileNames.map(experimentOf);

/** Steps of one key, in order, so that none spoils the next. The ban's own key runs before them (`banPhase`). */
export const SEQUENCE: readonly (readonly [ProfileName, Step])[] = [
  ['burst', burstToRefusal],
  ['recovery', waitOutRefusal],
  ['window', burstsAfterRetry],
  ['recovery', tryReset],
  ['concurrent', sendTogether],
  ['window', burstsAfterParallel],
  ['recovery', waitOutParallelRefusal],
  ['window', spreadAllowance],
  ['steady', watchPauses],
  ['steady', burstAfterSilence],
  ['steady', keepSteady],
  ['day-quota', useUpDay],
];

/** Experiments that run only by option. */
export const OPT_IN: ReadonlySet<ProfileName> = new Set(
  EXPERIMENTS.filter(({ runs }) => runs.kind === 'opt-in').map(({ name }) => name),
);
