import {
  isViolated,
  violated,
  judgementsOf,
  outOfScope,
  unestablished,
  kept,
  type Judged,
  type ReasonCode,
} from '../../findings/finding.js';
import type { Experiment } from '../experiment.js';
import { promiseBroken } from '../burst/remaining-counts.js';
import { dayCeiling } from '../steady/drive.js';
import { steadyGapMs } from '../steady/steady-run.js';
import { count, counted, duration } from '../../format/format.js';
import { subject, type KeySeries, type DayQuotaSeries } from '../../limits/series.js';
import { longestByServer, type Span, type Figures } from '../../limits/bounds.js';
import { inOurTime, type ServerClock } from '../../limits/clock.js';
import { dayMs, type DayCourse } from '../../limits/day.js';
import { plainInteger } from '../../limits/headers/header-number.js';

/** Returns the most that a day allows in a span without the start of a new day, with gradual refills. */
export const mostInOneDay = (figures: Figures, elapsedMs: number): number =>
  Math.floor(figures.perDay * (1 + longestByServer(elapsedMs) / dayMs(figures)));

/**
 * True if a new day may have begun within the span: a clock-aligned one at its edge, another when its first request is
 * a day old.
 */
function mayRollOver(course: DayCourse, { from, to }: Span, key: KeySeries, clock: ServerClock | null): boolean {
  const day = dayMs(key.figures);
  if (to - from >= day) return true;
  if (key.aloneSince > from - day) {
    // Earlier requests may have begun a window; Remaining of the day shows it.
    const left = plainInteger(course.firstOfDay?.remaining ?? null);
    if (left !== null && left < key.figures.perDay - course.requests) return true;
  }
  const begun = course.parts.find((part) => part.to >= from - day);
  // The day's first request may be anywhere in that part, at the earliest a day before the span.
  const begunAt = Math.max(begun?.from ?? from, from - day);
  if (begunAt < from && begunAt + day <= to) return true;
  if (clock === null) return true;
  const nextEdge = Math.ceil((from + clock.lowMs) / day) * day;
  return inOurTime(nextEdge, clock).earliest <= to;
}

/** Judges `rate-day-quota`: the plan's requests per day hold as well. */
export function judgeDay(key: KeySeries, clock: ServerClock | null): Judged {
  if (key.dayQuota === null)
    return outOfScope('opt-in', 'The day quota takes long to use up, so it is tested only on request.');
  const { figures } = key;
  const { course } = key.dayQuota;
  const name = subject(key.key);
  const { worst } = course.served;
  if (worst === null) return unestablished('too-little-data', `${name} had no request allowed.`);
  const elapsed = worst.to - worst.from;
  const certain = !mayRollOver(course, worst, key, clock);
  const most = certain ? mostInOneDay(figures, elapsed) : figures.perDay * (Math.floor(elapsed / dayMs(figures)) + 2);
  if (worst.count > most) {
    return violated([], `${name} gets more than its daily allowance.`, {
      expected: `at most ${counted(most, 'request')} allowed in ${duration(elapsed)}, at ${count(figures.perDay)} a day`,
      actual: `${counted(worst.count, 'request')} allowed`,
      measured: { most, got: worst.count },
    });
  }
  return [atTheEnd(name, key.dayQuota, figures)];
}

/** Judges the end of the day's requests if no more was allowed than the limit. */
function atTheEnd(name: string, { course, end }: DayQuotaSeries, figures: Figures): Judged {
  const served = course.served.worst?.count ?? 0;
  // Earlier 429s were the minute's and were waited out. A request without a response may have counted.
  const { used, unserved, status } = course.over ?? { used: 0, unserved: 0, status: 0 };
  const of = (some: number): string => `${count(some)} of ${count(figures.perDay)} requests`;
  const isUsedUp = used >= figures.perDay;
  const open = (code: ReasonCode, what: string): Judged => unestablished(code, `${name} ${what}.`);
  switch (end) {
    case 'refused':
      if (isUsedUp) return kept([], `${of(used)} a day allowed, then 429.`);
      return used + unserved >= figures.perDay
        ? kept([], `${of(used)} a day allowed, then 429; ${count(unserved)} others count as well.`)
        : open('rate-limited', `got 429 after ${of(used)}: other users may have used the rest`);
    case 'unexpected-status':
      if (!isUsedUp) return open('transport', `got ${status} after ${of(used)}, so the experiment stopped`);
      return violated([], `${name} does not get 429 once its day is used up.`, {
        expected: `429 once the allowance of ${counted(figures.perDay, 'request')} is used up`,
        actual: `${status} after ${counted(used, 'request')} allowed`,
        measured: { status },
      });
    case 'transport':
      return open('transport', `got no complete response after ${of(served)}`);
    case 'interrupted':
      return open('interrupted', `had ${of(served)} allowed; the next run continues from there`);
    case 'ceiling': {
      const why = served > figures.perDay ? 'a new day may have begun meanwhile' : 'the allowance was not used up';
      return open('too-little-data', `had ${count(served)} requests allowed and none refused; ${why}`);
    }
  }
}

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
      measured: { most: fall < least ? least : most, got: fall, what: ['day'] },
    });
  }
  return broken === null ? [] : promiseBroken(name, broken, true);
}

/** Uses up a plan's day at the pace that its minute allows. */
export const dayQuota: Experiment = {
  name: 'day-quota',
  after: [],
  keys: 'one-plan',
  runs: { kind: 'opt-in', because: "uses up a plan's day" },
  cost(figures) {
    const seconds = (figures.perDay * steadyGapMs(figures)) / 1000;
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
