import type { ProfileName } from '../../base/interface/names.js';
import type { RequirementId } from '../../base/interface/types.js';
import type { Figures } from '../../judge/limits/bounds.js';
import type { QuestionName } from '../../judge/limits/asked.js';
import type { CostGiven, Cost } from './cost.js';
import { MOST_OPEN } from './key-player.js';
import { STEADY_SHARE, STEADY_WINDOWS } from './play-steady.js';

/** One question to a key's limiter: what must hold before it, what is sent, and what it decides. */
export interface Question {
  readonly name: QuestionName;
  /** Name for people: "the steady run". */
  readonly title: string;
  /** The question itself. */
  readonly asks: string;
  /** Name for `--profile`, and for its part of the log. */
  readonly profile: ProfileName;
  /** Questions that come before it, for the state in which they leave the key. */
  readonly after: readonly QuestionName[];
  /** State of the key before it. */
  readonly state: string;
  /** What is sent. */
  readonly sends: string;
  /** How often it is asked. */
  readonly often: string;
  readonly decides: readonly RequirementId[];
  /** Those of them that an earlier question decides as well: here they are seen again, or from another side. */
  readonly again: readonly RequirementId[];
  readonly cost: (figures: Figures, given: Pick<CostGiven, 'latencyMs'>) => Cost;
}

/** Requests beyond the allowance in a burst: the refusal. */
const BEYOND = 1;
/**
 * The way back and the edge bring one allowance together: a bucket returns this share on the way back, and a
 * window all of it to the edge, if it begins there.
 */
const BACK_SHARE = 3 / 4;
/** Requests at the same moment and one of each operation, beyond what is served before them. */
const PAST_THE_EDGE = 6;
/** Requests of a steady run at its pauses, in place of those that a twentieth of a window leaves out twice. */
const AT_PAUSES = 3;
const IN_PAUSES = 1 / 10;
/** Share of a window that a burst takes at a target nearby: the keys' bursts wait for one another. */
const BURST_SHARE = 1 / 20;
/** Retry-After counts whole seconds. */
const ROUNDED_UP = 1;

/** Returns how long a burst takes, s. */
export const burstSeconds = ({ perMinute, minuteSeconds }: Figures, latencyMs: number): number =>
  Math.min(minuteSeconds, BURST_SHARE * minuteSeconds + (perMinute * latencyMs) / 1000 / MOST_OPEN);

/** All questions to a plan's key, in their order. */
export const QUESTIONS: readonly Question[] = [
  {
    name: 'whole',
    title: 'a whole burst',
    asks: 'How many requests does a key get that was silent for a window, and how does Remaining count them?',
    profile: 'burst',
    after: [],
    state: 'a window without a request of this key',
    sends:
      'one request, six at once, three of each operation, then the rest of the plan to the first refusal',
    often: 'once, and once more where something was seen only once',
    decides: [
      'rate-429',
      'rate-remaining-counts',
      'rate-all-operations',
      'rate-per-key',
      'rate-limit-value',
      'rate-retry-after-present',
      'rate-429-error-body',
      'rate-algorithm',
    ],
    again: [],
    cost: (figures, { latencyMs }) => ({
      requests: figures.perMinute + BEYOND,
      seconds: burstSeconds(figures, latencyMs),
    }),
  },
  {
    name: 'reset',
    title: 'Reset before Retry-After',
    asks: 'Is a request allowed a second after Reset?',
    profile: 'recovery',
    after: ['whole'],
    state: 'a refusal whose Reset comes sooner than its Retry-After',
    sends: 'one request a second after Reset',
    often: 'once',
    decides: ['rate-reset-truthful'],
    again: [],
    // Asked only of a server that promises two times.
    cost: () => ({ requests: 0, seconds: 0 }),
  },
  {
    name: 'back',
    title: 'back at Retry-After',
    asks: 'Is the key allowed again after Retry-After, and how much does it get until a window is over?',
    profile: 'recovery',
    after: ['whole'],
    state: 'the refusal of a burst',
    sends: 'at Retry-After one request, then what there is',
    often: 'until a window after the burst is over',
    decides: [
      'rate-retry-after-honoured',
      'rate-reset-truthful',
      'rate-window',
      'ban-only-after-abuse',
      'rate-algorithm',
    ],
    again: [],
    // A window after the burst began it is over.
    cost: (figures, { latencyMs }) => ({
      requests: Math.ceil(BACK_SHARE * figures.perMinute),
      seconds: figures.minuteSeconds + ROUNDED_UP - burstSeconds(figures, latencyMs),
    }),
  },
  {
    name: 'steady',
    title: 'the steady run',
    asks: 'Is a client refused that sends 95 % of its plan, evenly?',
    profile: 'steady',
    after: ['whole', 'back'],
    state: 'a refusal that is over',
    sends: '95 % of the plan, evenly, for two windows',
    often: 'once, always',
    decides: ['rate-not-early', 'rate-window', 'rate-remaining-counts', 'rate-algorithm'],
    again: ['rate-remaining-counts'],
    cost: ({ perMinute, minuteSeconds }) => ({
      requests: Math.ceil(STEADY_SHARE * (STEADY_WINDOWS - IN_PAUSES) * perMinute) + AT_PAUSES,
      seconds: STEADY_WINDOWS * minuteSeconds,
    }),
  },
  {
    name: 'edge',
    title: 'the edge at once',
    asks: 'Do requests at the same moment get more than is left?',
    profile: 'concurrent',
    after: ['whole', 'back'],
    state: 'right after the steady run',
    sends: 'one by one to two left, then five at once, then each operation once',
    often: 'once, and once more from silence',
    decides: ['rate-concurrent', 'rate-all-operations'],
    again: ['rate-all-operations'],
    cost: (figures, { latencyMs }) => ({
      requests: Math.ceil((1 - BACK_SHARE) * figures.perMinute),
      seconds: burstSeconds(figures, latencyMs),
    }),
  },
  {
    name: 'second',
    title: 'a second time',
    asks: 'Does a burst from silence show the same again, and its edge too?',
    profile: 'window',
    after: ['whole'],
    state: 'a window without a request of this key',
    sends: 'as the first time, to two left; then five at once, then each operation once',
    often: 'once, and once more where something was seen only once',
    decides: [
      'rate-429',
      'rate-concurrent',
      'rate-remaining-counts',
      'rate-all-operations',
      'rate-per-key',
      'rate-not-early',
    ],
    again: ['rate-429', 'rate-remaining-counts', 'rate-all-operations', 'rate-per-key'],
    cost: (figures, { latencyMs }) => ({
      requests: figures.perMinute + PAST_THE_EDGE,
      seconds: figures.minuteSeconds + burstSeconds(figures, latencyMs),
    }),
  },
];

/** Returns the questions that decide a requirement, in their order; none for a row that no question decides. */
export const questionsOf = (row: string): readonly Question[] =>
  QUESTIONS.filter(({ decides }) => decides.some((id) => id === row));

/** Returns the questions that some profiles ask, in their order. */
export const questionsIn = (profiles: Iterable<ProfileName>): readonly Question[] => {
  const asked = new Set(profiles);
  return QUESTIONS.filter(({ profile }) => asked.has(profile));
};

/** Returns the profiles whose questions must come before those of a profile. */
export const profilesBefore = (profile: ProfileName): readonly ProfileName[] => {
  const before = QUESTIONS.filter((question) => question.profile === profile).flatMap(({ after }) => after);
  return [
    ...new Set(QUESTIONS.filter(({ name }) => before.includes(name)).map((question) => question.profile)),
  ].filter((name) => name !== profile);
};
