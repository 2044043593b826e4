import { violated, type Judged } from '../findings/finding.js';
import { figuresOfDay, ROUNDED_UP_MS } from './bounds.js';
import { fallsIn } from './falls.js';
import { unixReset } from '../../base/interface/rate-headers.js';
import { waitOf } from '../../base/interface/retry-after.js';
import { CLOCK_GRACE_MS } from './headers/reset-fault.js';
import { brokenPromise, loneRefusals } from './left-at-refusal.js';
import { miscounted } from './miscounted.js';
import { describesDay, wasServed, type Sample } from './sample.js';
import { subject, type KeySeries, daySamplesOf } from './series.js';
import { longestWaitMs } from './when-allowed.js';

/** Is true if Reset stood still and lies ahead: nothing left a log of the day meanwhile. */
function isStill(served: readonly Sample[]): boolean {
  const [first, last] = [served[0], served.at(-1)];
  const [from, to] = [unixReset(first?.reset ?? null), unixReset(last?.reset ?? null)];
  if (!first || !last || from === null || to === null) return false;
  const isAhead = last.date !== null && to > last.date + CLOCK_GRACE_MS;
  // In this time a Reset that moves with each request moves clearly, in whole seconds.
  const isLong = last.sentAt - first.answeredAt >= CLOCK_GRACE_MS;
  return isAhead && isLong && Math.abs(to - from) <= ROUNDED_UP_MS;
}

/**
 * Judges Remaining of the day, while requests go one by one and the headers describe the day. It falls by one
 * a request, apart from refills, and no request gets 429 while it is above 0. Null without a fault.
 */
export function remainingOfDay(key: KeySeries): Judged {
  const { dayQuota, exclusive } = key;
  if (dayQuota === null || !exclusive) return null;
  const figures = figuresOfDay(key.figures);
  const name = subject(key.key);
  const all = daySamplesOf(key);
  // Remaining cannot count what a day allows beyond its limit: that is another row's.
  const until = all.filter(wasServed)[figures.perDay]?.sentAt ?? Infinity;
  const samples = all.filter(({ sentAt }) => sentAt < until);
  const ofDay = samples.filter((sample) => describesDay(sample, key.figures));
  // A short wait is the minute's: some servers describe the day in each response.
  const isOfMinute = (refusal: Sample): boolean =>
    (waitOf(refusal) ?? Infinity) <= longestWaitMs(key.figures);
  const broken = loneRefusals(ofDay, figures).find(
    ({ promised, refusal }) => promised >= 1 && !isOfMinute(refusal),
  );
  if (broken !== undefined) return violated([], ...brokenPromise(name, broken.promised, true));
  const falls = fallsIn(samples, figures, new Set(), isStill(ofDay.filter(wasServed)));
  return miscounted(name, falls, figures, true)?.judgement ?? null;
}
