import { OWN_PROBES, isLongBySeconds, minuteMs } from './bounds.js';
import { CLEARLY, beatOf, fasterAfterRefusal, fasterThanPlan, moreSince, usedUpIn } from './faster-return.js';
import { type Clump, largestClump } from './clumps.js';
import { plainInteger, unixReset } from './headers/header-number.js';
import { count, counted, duration } from '../../base/kernel/format.js';
import { ownBefore, windowsSeen } from './windows-seen.js';
import { overfullSpan, type Overfull } from './overfull.js';
import type { Bursts, OfKey } from './window-progress.js';
import { bySending, wasServed, servedIn } from './sample.js';
import { ROUNDED_MS } from './reset-edges.js';

/* Proof of violations of `rate-window` by sequential bursts. */

const EARLY = 'gets its allowance back before a window is over';

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
    return {
      what: EARLY,
      expected: `two full allowances ${duration(minuteMs(figures))} apart, or their X-RateLimit-Reset that far apart`,
      actual: `${count(figures.perMinute)} allowed twice, ${duration(other.began - one.began)} apart, with X-RateLimit-Reset ${duration(apart)} apart`,
      measured: { dueMs: minuteMs(figures), tookMs: other.began - one.began },
    };
  }
  return null;
}

/**
 * Finds more after a 429 than windows that begin after it can hold. At a 429 all was used up: that window ends before
 * the next one brings anything, and a log or a bucket has nothing left.
 * @param known the largest clump
 */
function moreThanAfterRefusal(bursts: Bursts, { figures, earlier }: OfKey, known: Clump) {
  if (!isLongBySeconds(figures)) return null;
  const all = bySending(bursts.flat());
  const mostIn = (elapsedMs: number): number => (Math.floor(elapsedMs / minuteMs(figures)) + 1) * figures.perMinute;
  for (const [place, burst] of bursts.entries()) {
    const refusal = usedUpIn(burst, figures);
    const [first] = burst;
    if (refusal === undefined || first === undefined) continue;
    const own = place === 0 ? ownBefore(first, figures, earlier).length : 0;
    if (servedIn(burst) + own < figures.perMinute - OWN_PROBES) continue;
    const over = moreSince(refusal, all, mostIn, CLEARLY + beatOf(figures, known));
    if (over !== null)
      return {
        what: EARLY,
        expected: `at most ${counted(over.most, 'request')} allowed in the ${duration(over.elapsedMs)} after it was used up`,
        actual: `${counted(over.served, 'request')} allowed`,
        measured: { most: over.most, got: over.served, what: ['after 429'] },
      };
  }
  return null;
}

/**
 * Returns what sequential bursts prove against `rate-window`; null if nothing.
 * @param known largest clump that the key is known to have got
 */
export const windowBreach = (bursts: Bursts, key: OfKey, known = largestClump(bySending(bursts.flat()), key.figures)) =>
  inAnySpan(overfullSpan(bursts.flat(), key.figures)) ??
  shorterByReset(bursts, key) ??
  moreThanAfterRefusal(bursts, key, known) ??
  fasterAfterRefusal(bursts, key) ??
  fasterThanPlan(bursts, key, known);
