import { isViolated, violated, type Judged, judgementsOf } from '../../findings/finding.js';
import type { Experiment } from '../experiment.js';
import { dayQuota as judgeDay } from './judge.js';
import { dayCeiling, STEADY_SHARE } from '../steady/drive.js';
import { count, counted } from '../../format/format.js';
import { subject } from '../../limits/subject.js';
import type { KeySeries } from '../../limits/series.js';

/**
 * Judges `rate-remaining-counts` of the day, while requests go one by one and the headers describe the day. Remaining
 * falls by one a request, apart from refills, and no request gets 429 while Remaining is above 0. Only violations are
 * reported.
 */
function dayRemaining({ key, exclusive, dayQuota }: KeySeries): Judged {
  if (dayQuota === null || !exclusive) return [];
  const { miscount, broken } = dayQuota.course.lefts;
  const name = subject(key);
  if (miscount !== null) {
    const { fall, least, most, requests } = miscount;
    return violated([], `${name}'s Remaining of the day does not count its requests.`, {
      expected: `X-RateLimit-Remaining to fall by ${count(least)} to ${count(most)} over ${counted(requests, 'response')}`,
      actual: `it fell by ${count(fall)}`,
    });
  }
  if (broken === null) return [];
  return violated([], `${name} gets 429 while the day's X-RateLimit-Remaining is above 0.`, {
    expected: `a request allowed while X-RateLimit-Remaining is ${count(broken)}`,
    actual: '429 to the next request, with no other request open',
  });
}

/** Uses up a plan's day at the pace that its minute allows. */
export const dayQuota: Experiment = {
  name: 'day-quota',
  after: [],
  keys: 'one-plan',
  runs: { kind: 'opt-in', because: "uses up a plan's day" },
  cost(figures) {
    const seconds = (figures.perDay * figures.minuteSeconds) / (STEADY_SHARE * figures.perMinute);
    return { requests: dayCeiling(figures, seconds * 1000), seconds };
  },
  judges: [
    ['rate-day-quota', ({ key, clock }) => judgeDay(key, clock)],
    [
      'rate-remaining-counts',
      // Remaining cannot count what a day allows beyond its limit.
      ({ key, clock }) => (judgementsOf(judgeDay(key, clock)).some(isViolated) ? null : dayRemaining(key)),
    ],
  ],
};
