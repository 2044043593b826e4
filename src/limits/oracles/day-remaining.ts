import type { Finding } from '../../checks/finding.js';
import { counted, figure, subject, violated } from '../say.js';
import type { KeySeries } from '../series.js';

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
      violated(
        ROW,
        `${name}'s Remaining of the day does not count its requests.`,
        `X-RateLimit-Remaining to fall by ${figure(least)} to ${figure(most)} over ${counted(requests, 'answer')}`,
        `it fell by ${figure(fall)}`,
      ),
    ];
  }
  if (broken === null) return [];
  return [
    violated(
      ROW,
      `${name} is promised more of its day than it gets.`,
      `a request served while X-RateLimit-Remaining says ${figure(broken)}`,
      '429 to the next request, with no other under way',
    ),
  ];
}
