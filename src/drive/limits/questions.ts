import type { RequirementId } from '../../base/interface/types.js';
import { STEADY_SHARE } from '../../judge/limits/asked.js';
import { plus } from './cost.js';
import type { Question } from './question.js';
import { fromSilenceCost, idleCost, watchCost } from './question-costs.js';
import {
  BACK_SHARE,
  burstSeconds,
  PAUSE_SHARE,
  PAUSES,
  STEADY_WINDOWS,
  WATCH_REQUESTS,
} from './question-numbers.js';

/** Rows that a burst from silence decides, to the edge. */
const FROM_SILENCE = [
  'rate-429',
  'rate-concurrent',
  'rate-remaining-counts',
  'rate-all-operations',
  'rate-per-key',
  'rate-not-early',
] as const satisfies readonly RequirementId[];

/** Rows that fail where somebody else uses the key. */
const OF_A_LONE_CLIENT = [
  'rate-not-early',
  'rate-retry-after-honoured',
  'rate-reset-truthful',
  'rate-per-key',
  'ban-only-after-abuse',
] as const satisfies readonly RequirementId[];

/**
 * All questions to a plan's key, in their order. Each costs what it takes of the usual limiter: requests of
 * the plan, and windows.
 */
export const QUESTIONS: readonly Question[] = [
  {
    name: 'whole',
    title: 'a whole burst',
    asks: 'How many requests does a key get that was silent for a window, and how does Remaining count them?',
    profile: 'burst',
    after: [],
    state: 'a window without a request of this key',
    sends:
      'one request, six in parallel, three of each operation, then the rest of the plan to the first refusal',
    often: 'once',
    only: null,
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
      requests: figures.perMinute + 1,
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
    only: 'where the two headers promise different times',
    decides: ['rate-reset-truthful'],
    again: [],
    // It falls into the time of the way back.
    cost: () => ({ requests: 1, seconds: 0 }),
  },
  {
    name: 'back',
    title: 'back at Retry-After',
    asks: 'Is the key allowed again after Retry-After, and how much does it get until a window is over?',
    profile: 'recovery',
    after: ['whole'],
    state: 'the refusal of a burst',
    sends:
      'at Retry-After one request, then what there is; once to two left, then 8 % faster than the plan to the refusal',
    often: 'until a window after the burst is over',
    only: null,
    decides: [
      'rate-retry-after-honoured',
      'rate-reset-truthful',
      'rate-window',
      'ban-only-after-abuse',
      'rate-algorithm',
    ],
    again: [],
    // A window after the burst began it is over, as whole seconds of Retry-After say.
    cost: (figures, { latencyMs }) => ({
      requests: Math.ceil(BACK_SHARE * figures.perMinute),
      seconds: figures.minuteSeconds + 1 - burstSeconds(figures, latencyMs),
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
    often: 'once',
    only: null,
    decides: ['rate-not-early', 'rate-window', 'rate-remaining-counts', 'rate-algorithm'],
    again: ['rate-remaining-counts'],
    // A request before and after each pause, and none in it; the first pause follows a request anyway.
    cost: ({ perMinute, minuteSeconds }) => ({
      requests: Math.ceil(STEADY_SHARE * (STEADY_WINDOWS - PAUSES * PAUSE_SHARE) * perMinute) + PAUSES + 1,
      seconds: STEADY_WINDOWS * minuteSeconds,
    }),
  },
  {
    name: 'edge',
    title: 'parallel requests at the edge',
    asks: 'Do requests at the same moment get more than is left?',
    profile: 'concurrent',
    after: ['whole', 'back'],
    state: 'right after the steady run',
    sends: 'one by one to two left, then five in parallel, then each operation once',
    often: 'once, and once more from silence',
    only: null,
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
    sends: 'as the first time, to two left; then five in parallel, then each operation once',
    often: 'once',
    only: null,
    decides: FROM_SILENCE,
    again: ['rate-429', 'rate-remaining-counts', 'rate-all-operations', 'rate-per-key'],
    cost: fromSilenceCost,
  },
  {
    name: 'idle',
    title: 'a pause within a window',
    asks: 'Does the server forget a key that sends nothing for a while?',
    profile: 'window',
    after: ['second'],
    state: 'an allowance that was used up just now',
    sends: 'one request after more than a quarter of a window',
    often: 'once, and once more after the third time',
    only: null,
    decides: ['rate-window'],
    again: ['rate-window'],
    cost: idleCost,
  },
  {
    name: 'third',
    title: 'a third time',
    asks: 'Is what was seen once seen again?',
    profile: 'window',
    after: ['second'],
    state: 'a window without a request of this key',
    sends: 'as the second time',
    often: 'once',
    only: 'where something was seen once, a response was lost, or this machine was held up',
    decides: FROM_SILENCE,
    again: FROM_SILENCE,
    cost: (figures, given) => plus(fromSilenceCost(figures, given), idleCost(figures, given)),
  },
  {
    name: 'watch',
    title: 'a watched key',
    asks: 'Does somebody else use the key?',
    profile: 'watch',
    after: ['whole', 'back'],
    state: 'two windows without a request of this key',
    sends: `up to ${WATCH_REQUESTS} single requests, a few intervals apart`,
    often: 'once',
    only: 'where a row fails that other users of the key would explain',
    decides: OF_A_LONE_CLIENT,
    again: OF_A_LONE_CLIENT,
    cost: watchCost,
  },
];
