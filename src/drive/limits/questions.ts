import type { ProfileName } from '../../base/interface/names.js';
import type { RequirementId } from '../../base/interface/types.js';
import type { Figures } from '../../judge/limits/bounds.js';
import type { QuestionName } from '../../judge/limits/plain/asked.js';
import type { CostGiven, Cost } from './cost.js';
import { MOST_UNCERTAIN } from '../load/refusal-bound.js';
import { STEADY_SHARE, STEADY_WINDOWS } from './play-steady.js';

/** One question to a key's limiter: what must hold before it, what is sent, and what it decides. */
export interface Question {
  readonly name: QuestionName;
  /** Name for `--profile`, and for its part of the log. */
  readonly profile: ProfileName;
  /** State of the key before it. */
  readonly state: string;
  /** What is sent. */
  readonly sends: string;
  /** How often it is asked. */
  readonly often: string;
  readonly decides: readonly RequirementId[];
  readonly cost: (figures: Figures, given: Pick<CostGiven, 'latencyMs'>) => Cost;
}

/** Requests beyond the allowance in a burst: the refusal and those beside it. */
const BEYOND = 1;
/** Requests after a refusal is over, beside what a burst brings then. */
const RETURNS = 3;
/** Share of the plan that a steady run leaves. */
const LEFT_OVER = 0.1;
/** Share of the plan that a refilling limiter brings while it is asked again and again. */
const OTHER_HALF = 0.5;

/** Returns how long a burst takes, s: a tenth of a window at most, unless the target is far. */
export const burstSeconds = ({ perMinute, minuteSeconds }: Figures, latencyMs: number): number =>
  Math.min(minuteSeconds, 0.05 * minuteSeconds + (perMinute * latencyMs) / 1000 / MOST_UNCERTAIN);

/** All questions to a plan's key, in their order. */
export const QUESTIONS: readonly Question[] = [
  {
    name: 'whole',
    profile: 'burst',
    state: 'a window without a request of this key',
    sends: 'one request, a pause, one more, six at once, three of each operation, then the rest of the plan',
    often: 'once, and once more where something was seen only once',
    decides: ['rate-429', 'rate-remaining-counts', 'rate-all-operations', 'rate-per-key', 'rate-limit-value'],
    cost: (figures, { latencyMs }) => ({
      requests: figures.perMinute + BEYOND,
      seconds: burstSeconds(figures, latencyMs),
    }),
  },
  {
    name: 'reset',
    profile: 'recovery',
    state: 'a refusal whose Reset comes sooner than its Retry-After',
    sends: 'one request a second after Reset',
    often: 'once',
    decides: ['rate-reset-truthful'],
    // Asked only of a server that promises two times.
    cost: () => ({ requests: 0, seconds: 0 }),
  },
  {
    name: 'back',
    profile: 'recovery',
    state: 'the refusal of a burst',
    sends: 'at Retry-After one request, then what there is',
    often: 'until a window after the burst is over',
    decides: ['rate-retry-after-honoured', 'rate-window', 'ban-only-after-abuse'],
    cost: ({ perMinute, minuteSeconds }) => ({
      requests: RETURNS + Math.ceil(OTHER_HALF * perMinute),
      seconds: minuteSeconds + 1,
    }),
  },
  {
    name: 'steady',
    profile: 'steady',
    state: 'a refusal that is over',
    sends: '95 % of the plan, evenly, for two windows',
    often: 'once, always',
    decides: ['rate-not-early', 'rate-window', 'rate-remaining-counts'],
    cost: ({ perMinute, minuteSeconds }) => ({
      requests: Math.ceil(STEADY_SHARE * STEADY_WINDOWS * perMinute),
      seconds: STEADY_WINDOWS * minuteSeconds,
    }),
  },
  {
    name: 'edge',
    profile: 'concurrent',
    state: 'right after the steady run',
    sends: 'one by one to two left, then six at once, then each operation once',
    often: 'once, and once more from silence',
    decides: ['rate-concurrent', 'rate-all-operations'],
    cost: (figures, { latencyMs }) => ({
      requests: Math.ceil(LEFT_OVER * figures.perMinute) + MOST_UNCERTAIN + RETURNS,
      seconds: burstSeconds(figures, latencyMs),
    }),
  },
  {
    name: 'second',
    profile: 'window',
    state: 'a window without a request of this key',
    sends: 'as the first time, to two left; then six at once, then each operation once',
    often: 'once, and once more where something was seen only once',
    decides: ['rate-429', 'rate-concurrent', 'rate-remaining-counts', 'rate-all-operations', 'rate-per-key'],
    cost: (figures, { latencyMs }) => ({
      requests: figures.perMinute + MOST_UNCERTAIN + RETURNS,
      seconds: figures.minuteSeconds + burstSeconds(figures, latencyMs),
    }),
  },
];
