import { isViolated, violated, about, type Finding } from '../../findings/finding.js';
import type { Experiment } from '../experiment.js';
import { dayQuota as judgeDay } from './judge.js';
import { dayCeiling, STEADY_SHARE } from '../steady/drive.js';
import { count, counted } from '../../format/format.js';
import { subject } from '../../limits/subject.js';
import type { KeySeries } from '../../limits/series.js';

const ROW = 'rate-remaining-counts';

/**
 * Judges `rate-remaining-counts` of the day, while requests go one by one and the headers describe the day. Remaining
 * falls by one a request, apart from refills, and no request gets 429 while Remaining is above 0. Only violations are
 * reported.
 */
function dayRemaining({ key, exclusive, dayQuota }: KeySeries): readonly Finding[] {
  if (dayQuota === null || !exclusive) return [];
  const { miscount, broken } = dayQuota.course.lefts;
  const name = subject(key);
  if (miscount !== null) {
    const { fall, least, most, requests } = miscount;
    return [
      about(
        ROW,
        violated([], `${name}'s Remaining of the day does not count its requests.`, {
          expected: `X-RateLimit-Remaining to fall by ${count(least)} to ${count(most)} over ${counted(requests, 'response')}`,
          actual: `it fell by ${count(fall)}`,
        }),
      ),
    ];
  }
  if (broken === null) return [];
  return [
    about(
      ROW,
      violated([], `${name} gets 429 while the day's X-RateLimit-Remaining is above 0.`, {
        expected: `a request allowed while X-RateLimit-Remaining is ${count(broken)}`,
        actual: '429 to the next request, with no other request open',
      }),
    ),
  ];
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
  judge({ key, clock }) {
    const day = judgeDay(key, clock);
    // Remaining cannot count what a day allows beyond its limit.
    return [...(day.some(isViolated) ? [] : dayRemaining(key)), ...day];
  },
};
