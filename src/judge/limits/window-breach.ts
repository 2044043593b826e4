import {
  OWN_PROBES,
  isLongBySeconds,
  minuteMs,
  mostInOneWindow,
  mostRefilled,
  refillIntervalMs,
  worstSpan,
  type Figures,
} from './bounds.js';
import { type Clump, largestClump } from './refill-steps.js';
import { plainInteger, unixReset } from './headers/header-number.js';
import { count, counted, duration } from '../../base/kernel/format.js';
import { ownBefore, windowBegan, windowsSeen } from './windows-seen.js';
import { overServed, servedBy } from './over-served.js';
import { overfullSpan, type Overfull } from './overfull.js';
import type { Bursts, OfKey } from './window-progress.js';
import {
  bySending,
  lone,
  describesDay,
  describesMinute,
  wasRefused,
  wasServed,
  type Sample,
  servedIn,
} from './sample.js';
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

/** Requests of slack, for rounding and open requests at a window's edge. */
const CLEARLY = 3;
/** A clock of whole seconds gives back a second's worth together, even at Remaining 0 (decision 6). */
const SECOND_MS = 1000;

/** Largest clump that may come back unseen: one by a timer tick, a second's worth by a clock of whole seconds. */
const unseenBeat = (figures: Figures): number =>
  isLongBySeconds(figures) ? Math.ceil(SECOND_MS / refillIntervalMs(figures)) : 1;

/** Returns the largest clump that comes sooner than evenly: as large as Remaining showed, or unseen. */
export const beatOf = (figures: Figures, { sudden }: Clump): number => Math.max(unseenBeat(figures), sudden);

const inTurnOf = (bursts: Bursts): Bursts => bursts.filter((burst) => 2 * lone(bySending(burst)).length > burst.length);

/**
 * Finds more than `floor(L + elapsed * L / W)` from a limiter with gradual refills: no new window explains it, whatever
 * Remaining says. With refill steps, a clump may come one step sooner: as much as came back together before.
 */
function fasterThanPlan(bursts: Bursts, { figures }: OfKey, known: Clump) {
  const all = bursts.flat();
  // If headers switch to the day's window, a new minute does not show.
  if (!all.every((sample) => !wasServed(sample) || describesMinute(sample, figures))) return null;
  // Concurrent requests leave open their window, and the clumps before them.
  const inTurn = bySending(inTurnOf(bursts).flat());
  const { pieces } = windowsSeen(inTurn, figures);
  const refills = pieces.some(({ samples, slack }) => servedIn(samples) > figures.perMinute + slack + CLEARLY);
  const over = overServed(inTurn, figures, { clump: known, stillMs: 0, comesBySingles: false });
  if (over !== null && over.served > over.most + unseenBeat(figures))
    return faster(over.most, over.served, over.elapsedMs);
  if (!refills) return null;
  const isBeat = servedBy(inTurn, figures).kind === 'at-a-beat';
  // Single requests between the bursts would make a log that slides too fast look like refill steps.
  const seen = largestClump(inTurn, figures);
  const atOnce = [...bursts.slice(1).map(servedIn), isBeat ? seen.size : 0].filter(
    (got) => 2 * got <= figures.perMinute,
  );
  const beat = Math.max(beatOf(figures, seen), ...atOnce);
  const worst = worstSpan(bySending(all.filter(wasServed)), 1 / refillIntervalMs(figures));
  if (worst === null) return null;
  // If a share is no whole number, clumps differ by one request.
  const rounded = beat > 1 ? 1 : 0;
  const most = mostInOneWindow(figures, worst.to - worst.from) + beat + rounded;
  return worst.count > most ? faster(most, worst.count, worst.to - worst.from) : null;
}

const faster = (most: number, count: number, elapsedMs: number) => ({
  what: 'gets its allowance back faster than the plan says',
  expected: `at most ${counted(most, 'request')} allowed in ${duration(elapsedMs)}`,
  actual: `${counted(count, 'request')} allowed in ${duration(elapsedMs)}`,
  measured: { most, got: count },
});

/** Returns the first 429 of the minute to a client without concurrent requests: then all was used up. */
const usedUpIn = (burst: readonly Sample[], figures: Figures): Sample | undefined =>
  lone(bySending(burst)).find((sample) => wasRefused(sample) && !describesDay(sample, figures));

/** Finds more allowed requests after a 429 than `mostIn` that time, beyond some slack. */
function moreSince(refusal: Sample, all: readonly Sample[], mostIn: (elapsedMs: number) => number, slack: number) {
  const later = all.filter((sample) => wasServed(sample) && sample.sentAt >= refusal.answeredAt);
  for (const [index, { answeredAt }] of later.entries()) {
    const elapsedMs = answeredAt - refusal.sentAt;
    const most = mostIn(elapsedMs);
    if (index + 1 > most + slack) return { most, served: index + 1, elapsedMs };
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
 * Finds more, after the first 429 and before the first burst is a window old, than an even rate and one clump bring. At
 * a 429 all was used up, and refills now come in pieces.
 */
function fasterAfterRefusal(bursts: Bursts, { figures, earlier }: OfKey) {
  const [burst = [], ...more] = bursts;
  const [first] = burst;
  const refusal = usedUpIn(burst, figures);
  if (!isLongBySeconds(figures) || first === undefined || refusal === undefined) return null;
  const until = windowBegan(first, figures, earlier) + minuteMs(figures);
  const inTime = bySending(bursts.flat()).filter(({ answeredAt }) => answeredAt < until);
  const atOnce = more.map((one) =>
    servedIn(one.filter(({ sentAt, answeredAt }) => sentAt >= refusal.answeredAt && answeredAt < until)),
  );
  const mostIn = (elapsedMs: number): number => mostRefilled(figures, elapsedMs) + Math.max(0, ...atOnce);
  const over = moreSince(refusal, inTime, mostIn, CLEARLY);
  return over === null ? null : faster(over.most, over.served, over.elapsedMs);
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
