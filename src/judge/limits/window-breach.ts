import {
  OWN_PROBES,
  isLongBySeconds,
  minuteMs,
  mostInOneWindow,
  refillIntervalMs,
  worstSpan,
  type Figures,
} from './bounds.js';
import { type Clump, largestClump, mostAtOnce } from './clumps.js';
import { plainInteger, unixReset } from './headers/header-number.js';
import { count, counted, duration } from '../../base/kernel/format.js';
import { ownBefore, windowsSeen } from './windows-seen.js';
import type { Bursts, OfKey } from './window-progress.js';
import {
  bySending,
  describesDay,
  describesMinute,
  lone,
  servedIn,
  wasRefused,
  wasServed,
  type Sample,
} from './sample.js';
import { ROUNDED_MS } from './reset-edges.js';

/* Proof of violations of `rate-window` by sequential bursts. */

/** Requests of slack, for rounding and open requests at a window's edge. */
const CLEARLY = 3;
/** If a share is no whole number, steps differ by one request. */
const ROUNDED = 1;
/** A clock of whole seconds gives back a second's worth together, even at Remaining 0 (decision 6). */
const SECOND_MS = 1000;

/** Returns the largest clump that may come sooner than evenly: one that Remaining showed, or one that it cannot show. */
export function beatOf(figures: Figures, clump: Clump): number {
  const unseen = isLongBySeconds(figures) ? Math.ceil(SECOND_MS / refillIntervalMs(figures)) : 1;
  return Math.max(unseen, mostAtOnce(clump));
}

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
 * Finds a span with more allowed requests than its windows can hold; null if there is none. A span of `n` windows touches
 * `n + 1` at most, so `(n + 1) * L` may be allowed in it: more is possible for no algorithm.
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
export const inAnySpan = (found: Overfull | null) =>
  found && {
    what: EARLY,
    expected: `at most ${counted(found.most, 'request')} allowed in any ${duration(found.dueMs)}`,
    actual: `${counted(found.served, 'request')} allowed in ${duration(found.tookMs)}`,
    measured: { most: found.most, got: found.served, dueMs: found.dueMs, tookMs: found.tookMs },
  };

/** Finds the windows, of bursts or within one, that gave the whole limit: their start, and the first Reset. */
const wholesOf = (bursts: Bursts, { figures, earlier }: OfKey) =>
  bursts
    .flatMap((burst) => windowsSeen(bySending(burst), figures).pieces)
    .flatMap(({ samples }, place) => {
      const got = samples.filter(wasServed);
      const [first] = got;
      const reset = unixReset(first?.reset ?? null);
      if (first === undefined || reset === null) return [];
      // Earlier requests of the run count only in the first window; each later one begins unused.
      const own = place === 0 ? ownBefore(first, figures, earlier) : [];
      const isFresh = place === 0 || (plainInteger(first.remaining) ?? 0) >= figures.perMinute - 1 - OWN_PROBES;
      const isWhole = isFresh && got.length + own.length >= figures.perMinute - 1;
      return isWhole ? [{ began: (own[0] ?? first).sentAt, reset }] : [];
    });

/**
 * Finds two windows with the whole limit that began less than a window apart, and whose Resets are as close.
 * Clock-aligned windows allow twice the limit across an edge, but their Resets are a window apart. Gradual refills
 * bring all back no sooner either.
 */
function shorterByReset(bursts: Bursts, key: OfKey) {
  const { figures } = key;
  if (!isLongBySeconds(figures)) return null;
  const least = minuteMs(figures) - ROUNDED_MS;
  const wholes = wholesOf(bursts, key);
  for (const [index, one] of wholes.entries()) {
    const other = wholes[index + 1];
    if (other === undefined || other.began - one.began >= least) continue;
    const apart = other.reset - one.reset;
    if (apart >= least) continue;
    const began = duration(other.began - one.began);
    return {
      what: EARLY,
      expected: `two full allowances ${duration(minuteMs(figures))} apart, or their X-RateLimit-Reset that far apart`,
      actual: `${count(figures.perMinute)} allowed twice, ${began} apart, with X-RateLimit-Reset ${duration(apart)} apart`,
      measured: { dueMs: minuteMs(figures), tookMs: other.began - one.began },
    };
  }
  return null;
}

/**
 * Finds more after a 429 than windows that begin after it can hold. At a 429 all was used up: that window ends before
 * the next one brings anything, and a log or a bucket has nothing left.
 */
function moreThanAfterRefusal(bursts: Bursts, { figures, earlier }: OfKey, known: Clump) {
  if (!isLongBySeconds(figures)) return null;
  const all = bySending(bursts.flat()).filter(wasServed);
  const slack = CLEARLY + beatOf(figures, known);
  for (const [place, burst] of bursts.entries()) {
    // A client without concurrent requests met the minute's limit.
    const refusal = lone(bySending(burst)).find((sample) => wasRefused(sample) && !describesDay(sample, figures));
    const [first] = burst;
    if (refusal === undefined || first === undefined) continue;
    const own = place === 0 ? ownBefore(first, figures, earlier).length : 0;
    if (servedIn(burst) + own < figures.perMinute - OWN_PROBES) continue;
    const later = all.filter(({ sentAt }) => sentAt >= refusal.answeredAt);
    for (const [index, { answeredAt }] of later.entries()) {
      const elapsedMs = answeredAt - refusal.sentAt;
      const most = (Math.floor(elapsedMs / minuteMs(figures)) + 1) * figures.perMinute;
      if (index + 1 <= most + slack) continue;
      return {
        what: EARLY,
        expected: `at most ${counted(most, 'request')} allowed in the ${duration(elapsedMs)} after it was used up`,
        actual: `${counted(index + 1, 'request')} allowed`,
        measured: { most, got: index + 1, what: ['after 429'] },
      };
    }
  }
  return null;
}

/**
 * Finds more over all bursts than the plan and its rate, from a limiter that refills gradually: there no new window explains
 * it. It shows by a window, as far as the headers show one, that got more than its limit.
 */
function fasterThanPlan(bursts: Bursts, { figures }: OfKey, known: Clump) {
  const all = bySending(bursts.flat().filter(wasServed));
  // If headers switch to the day's window, a new minute does not show.
  if (!all.every((sample) => describesMinute(sample, figures))) return null;
  // Concurrent requests leave open their window.
  const inTurn = bursts.filter((burst) => 2 * lone(bySending(burst)).length > burst.length);
  const isGradual = windowsSeen(bySending(inTurn.flat()), figures).pieces.some(
    ({ samples, slack }) => servedIn(samples) > figures.perMinute + slack + CLEARLY,
  );
  const worst = worstSpan(all, 1 / refillIntervalMs(figures));
  if (!isGradual || worst === null) return null;
  // A later burst that got little may have met one step, of which no response shows the size.
  const atOnce = bursts
    .slice(1)
    .map(servedIn)
    .filter((got) => 2 * (got - 1) <= figures.perMinute);
  const elapsedMs = worst.to - worst.from;
  const most = mostInOneWindow(figures, elapsedMs) + Math.max(beatOf(figures, known), ...atOnce) + ROUNDED;
  if (worst.count <= most) return null;
  return {
    what: 'gets its allowance back faster than the plan says',
    expected: `at most ${counted(most, 'request')} allowed in ${duration(elapsedMs)}`,
    actual: `${counted(worst.count, 'request')} allowed in ${duration(elapsedMs)}`,
    measured: { most, got: worst.count },
  };
}

/**
 * Returns what sequential bursts prove against `rate-window`; null if nothing.
 * @param known largest clump that the key is known to have got
 */
export const windowBreach = (bursts: Bursts, key: OfKey, known = largestClump(bySending(bursts.flat()), key.figures)) =>
  inAnySpan(overfullSpan(bursts.flat(), key.figures)) ??
  shorterByReset(bursts, key) ??
  moreThanAfterRefusal(bursts, key, known) ??
  fasterThanPlan(bursts, key, known);
