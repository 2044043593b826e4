import { violated, about, type Finding } from '../../findings/finding.js';
import { count, counted } from '../../format/format.js';
import { subject } from '../../limits/say.js';
import type { KeySeries } from '../../limits/series.js';

const ROW = 'rate-remaining-counts';

/**
 * `rate-remaining-counts` of the day: while requests go one by one and the headers speak of the day, Remaining falls by
 * one a request, but for what a day gives back meanwhile, and nobody is refused whom it promised another. Only what breaks
 * this is told.
 */
export function dayRemaining({ key, exclusive, dayQuota }: KeySeries): readonly Finding[] {
  if (dayQuota === null || !exclusive) return [];
  const { miscount, broken } = dayQuota.course.lefts;
  const name = subject(key);
  if (miscount !== null) {
    const { fall, least, most, requests } = miscount;
    return [
      about(
        ROW,
        violated([], `${name}'s Remaining of the day does not count its requests.`, {
          expected: `X-RateLimit-Remaining to fall by ${count(least)} to ${count(most)} over ${counted(requests, 'answer')}`,
          actual: `it fell by ${count(fall)}`,
        }),
      ),
    ];
  }
  if (broken === null) return [];
  return [
    about(
      ROW,
      violated([], `${name} is promised more of its day than it gets.`, {
        expected: `a request served while X-RateLimit-Remaining says ${count(broken)}`,
        actual: '429 to the next request, with no other under way',
      }),
    ),
  ];
}
