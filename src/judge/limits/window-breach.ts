import { isLongBySeconds, minuteMs, refillIntervalMs, type Figures } from './bounds.js';
import { type Clump, mostAtOnce } from './clumps.js';
import { unixReset } from '../../base/interface/rate-headers.js';
import { count, counted, duration } from '../../base/kernel/format.js';
import { fasterThanPlan, type FastRefill, type OfKey } from './refill-rate.js';
import { ownBefore } from './windows-seen.js';
import type { Bursts } from './window-progress.js';
import { bySending, leftBy, runsOf, wasServed, type Sample } from './sample.js';

/* Proof of violations of `rate-window`. */

/** A clock of whole seconds gives back a second's worth together, even at Remaining 0 (decision 6). */
const SECOND_MS = 1000;

/**
 * Returns the largest clump that may come sooner than evenly: one that Remaining showed, or one that it
 * cannot show.
 */
export function beatOf(figures: Figures, clump: Clump): number {
  const unseen = isLongBySeconds(figures) ? Math.ceil(SECOND_MS / refillIntervalMs(figures)) : 1;
  return Math.max(unseen, mostAtOnce(clump));
}

/** Slack for the two ends of a window in whole seconds, ms. */
const ROUNDED_MS = 2000;

const EARLY = 'gets its allowance back before a window is over';

/** More requests in a span than its windows can hold, whatever the algorithm. */
export interface Overfull {
  readonly served: number;
  readonly most: number;
  /** Length of the windows that hold at most `most`, ms. */
  readonly dueMs: number;
  readonly tookMs: number;
}

/**
 * Finds a span with more allowed requests than its windows can hold; null if there is none. A span of `n`
 * windows touches `n + 1` at most, so `(n + 1) * L` may be allowed in it: more is possible for no algorithm.
 */
export function overfullSpan(samples: readonly Sample[], figures: Figures): Overfull | null {
  const all = bySending(samples.filter(wasServed));
  let latest = -Infinity;
  const answered = all.map(({ answeredAt }) => (latest = Math.max(latest, answeredAt)));
  for (let windows = 1; (windows + 1) * figures.perMinute < all.length; windows += 1) {
    const most = (windows + 1) * figures.perMinute;
    const dueMs = windows * minuteMs(figures);
    for (let last = most; last < all.length; last += 1) {
      const from = all[last - most]?.sentAt ?? 0;
      const tookMs = (answered[last] ?? from) - from;
      if (tookMs < dueMs) return { served: most + 1, most, dueMs, tookMs };
    }
  }
  return null;
}

/** Words a span with more requests than its windows can hold. */
export const inAnySpan = ({ served, most, dueMs, tookMs }: Overfull) => ({
  expected: `at most ${counted(most, 'request')} allowed in any ${duration(dueMs)}`,
  actual: `${counted(served, 'request')} allowed in ${duration(tookMs)}`,
  measured: { most, got: served },
});

/** Share of the limit below which Remaining must have fallen before a rise to all of it. */
const WELL_USED = 1 / 2;

/** Splits allowed requests where Remaining rises to all of the limit, whatever Reset says. */
function allowancesOf(bursts: Bursts, figures: Figures): readonly (readonly Sample[])[] {
  let lowest = Infinity;
  return runsOf(bySending(bursts.flat().filter(wasServed)), (_before, next) => {
    const left = leftBy(next, figures) ?? lowest;
    const isAnew = left === figures.perMinute - 1 && lowest < WELL_USED * figures.perMinute;
    lowest = isAnew ? left : Math.min(lowest, left);
    return !isAnew;
  });
}

/** Returns the start of each allowance, its first Reset, and whether nearly all of it was used. */
const startsOf = (bursts: Bursts, { figures, earlier }: OfKey) =>
  allowancesOf(bursts, figures).flatMap((got, place) => {
    const [first] = got;
    const reset = unixReset(first?.reset ?? null);
    if (first === undefined || reset === null) return [];
    // Earlier requests of the run count only in the first window; each later one begins unused.
    const own = place === 0 ? ownBefore(first, figures, earlier) : [];
    const isUsedUp = got.length + own.length >= figures.perMinute - 1;
    return [{ began: (own[0] ?? first).sentAt, reset, isUsedUp }];
  });

/**
 * Finds a whole limit that was used, and all back by Remaining less than a window after it began, with Resets
 * as close. It is the only proof if the headers name longer windows than the limiter has, since a client that
 * waits for them meets no 429. Clock-aligned windows allow twice the limit across an edge, but their Resets
 * are a window apart. Gradual refills bring all back no sooner either.
 */
function shorterByReset(bursts: Bursts, key: OfKey) {
  const { figures } = key;
  if (!isLongBySeconds(figures)) return null;
  // A bucket is full again when all but one of its requests are back.
  const least = minuteMs(figures) - refillIntervalMs(figures) - ROUNDED_MS;
  const starts = startsOf(bursts, key);
  for (const [index, one] of starts.entries()) {
    const other = starts[index + 1];
    if (other === undefined || !one.isUsedUp || other.began - one.began >= least) continue;
    const apart = other.reset - one.reset;
    if (apart >= least) continue;
    const began = duration(other.began - one.began);
    return {
      what: EARLY,
      expected: `two full allowances ${duration(minuteMs(figures))} apart, or their X-RateLimit-Reset that far apart`,
      actual: `${count(figures.perMinute)} back ${began} after the first, with X-RateLimit-Reset ${duration(apart)} apart`,
      measured: { dueMs: minuteMs(figures), tookMs: other.began - one.began },
    };
  }
  return null;
}

/** Words more requests after a 429 than the plan brings back. */
const afterRefusal = (found: FastRefill | null) =>
  found && {
    what: EARLY,
    expected: `at most ${counted(found.most, 'request')} back in the ${duration(found.elapsedMs)} after a 429`,
    actual: `${count(found.cameBack)} allowed or left by X-RateLimit-Remaining`,
    measured: { most: found.most, got: found.cameBack, what: ['after 429'] },
  };

/**
 * Finds proof that a key gets its allowance back too soon; null without.
 *
 * @param bursts the first one first
 * @param samples all requests of the key
 */
export function windowBreach(bursts: Bursts, samples: readonly Sample[], key: OfKey) {
  const overfull = overfullSpan(samples, key.figures);
  if (overfull !== null) return { what: EARLY, ...inAnySpan(overfull) };
  return shorterByReset(bursts, key) ?? afterRefusal(fasterThanPlan(bursts[0]?.[0], samples, key));
}
