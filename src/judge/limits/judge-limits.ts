import { about, allAbout, outOfScope, type Finding, type Judged } from '../findings/finding.js';
import type { Reason } from '../findings/shape.js';
import type { RequirementId } from '../../base/interface/types.js';
import { banObserved } from './ban-observed.js';
import { banOnlyThatKey } from './ban-only-that-key.js';
import { banTemporary } from './ban-temporary.js';
import type { ServerClock } from './clock.js';
import { remainingOfDay } from './day-remaining.js';
import { oneWindow, readAsMinute } from './headers/one-window.js';
import { clockOf } from './headers/own-time.js';
import { rateTally, type RateTally } from './headers/rate-tally.js';
import { judgeQuestions } from './judge-questions.js';
import { refusalBody } from './rate-429-error-body.js';
import { headersPresent } from './rate-headers-present.js';
import { headersWellformed } from './rate-headers-wellformed.js';
import { limitValue } from './rate-limit-value.js';
import { retryAfterPresent } from './rate-retry-after-present.js';
import { readKey } from './question-rows.js';
import { isPlanAnswer } from './sample.js';
import { causedBySlowness } from './too-slow.js';
import { type KeyByClock, type KeySeries, type LimitRecord, daySamplesOf } from './series.js';

interface OfKey extends KeyByClock {
  /** Rate headers of every response that belongs to the plan. */
  readonly tally: RateTally;
}

/** Judges a row by one key; null if no requests were sent for it. */
type RowJudge = readonly [RequirementId, (of: OfKey) => Judged];

/** Rows that every response of every key decides. */
const OF_HEADERS: readonly RowJudge[] = [
  ['rate-headers-present', ({ key, tally }) => headersPresent(key.key, tally)],
  ['rate-headers-wellformed', ({ key, tally }) => [headersWellformed(key.key, tally), oneWindow(key)]],
  ['rate-retry-after-present', retryAfterPresent],
];

/** Rows that each plan's key decides in addition to those of the questions. */
const OF_PLANS: readonly RowJudge[] = [
  ['rate-limit-value', ({ key, tally }) => limitValue(key.key, tally, key.figures)],
  ['rate-remaining-counts', ({ key }) => remainingOfDay(key)],
];

const OF_THE_BAN: readonly RowJudge[] = [
  ['ban-observed', banObserved],
  ['ban-temporary', banTemporary],
  ['ban-only-that-key', banOnlyThatKey],
];

const isSacrifice = ({ key }: Pick<KeySeries, 'key'>): boolean => key === 'sacrificial';

function judgeKey(key: KeySeries, clock: ServerClock | null): readonly Finding[] {
  const all = daySamplesOf(key);
  const samples = isSacrifice(key) ? all.filter(isPlanAnswer) : all;
  const of: OfKey = { key, clock, tally: rateTally(samples, key.figures, clock) };
  const rows = [...OF_HEADERS, ...(isSacrifice(key) ? OF_THE_BAN : OF_PLANS)];
  return rows
    .flatMap(([row, judge]) => allAbout(row, judge(of)))
    .map((finding) => (finding.kind === 'violated' ? { ...finding, plan: key.key } : finding));
}

const NO_BAN = outOfScope(
  'opt-in',
  'The ban experiment runs only on request, with a key that may be banned.',
);

/**
 * Judges all records of the load profiles: at least one finding for every requirement that they decide. Each
 * row is judged from the samples, never from another row's judgement, so one mistake may turn several rows of
 * its family red.
 */
export function judgeLimits({ keys, refusalBodies, operations }: LimitRecord): readonly Finding[] {
  const clock = clockOf(keys);
  const plans = keys.filter((key) => !isSacrifice(key));
  const slownessOf = (key: KeySeries): Reason | null =>
    isSacrifice(key) ? null : readKey(readAsMinute(key), clock, operations).slowness;
  const [slowest = null, ...others] = plans.map(slownessOf);
  return [
    ...keys.flatMap((key) =>
      judgeKey(key, clock).map((finding) => causedBySlowness(finding, slownessOf(key))),
    ),
    ...judgeQuestions(plans.map(readAsMinute), clock, operations),
    ...(keys.some(({ ban }) => ban !== null) ? [] : OF_THE_BAN.map(([row]) => about(row, NO_BAN))),
    ...allAbout('rate-429-error-body', refusalBody(refusalBodies)).map((finding) =>
      causedBySlowness(finding, others.every((slowness) => slowness !== null) ? slowest : null),
    ),
  ];
}
