import { isLongBySeconds, minuteMs, refilled, OWN_PROBES, type Figures } from './bounds.js';
import { largestClump } from './clumps.js';
import { samplesOf } from './key-samples.js';
import type { KeySeries } from './series.js';
import { refills } from './spread.js';
import { gains, type Gain } from './burst-counts.js';
import { bySending, mayCount, describesDay, wasRefused, wasServed, type Sample, servedIn, runsOf } from './sample.js';
import { resetJumps } from './reset-edges.js';
import { unixReset } from './headers/header-number.js';
import { beginsFresh } from './windows-seen.js';

/** Factor for inexact clocks and schedules. */
const TOLERANCE = 0.95;
/** Requests of slack: a part of one at either end does not show, and the retry came before. */
const ROUNDED = 1;
/** Longest step of a limiter's clock, ms: some count in whole seconds. */
const CLOCK_MS = 1000;

/** True if no request before the first burst still counted when it began. */
function isFresh({ figures, aloneSince }: KeySeries, { first, usedBefore }: Gain): boolean {
  if (beginsFresh(first, figures, Math.min(usedBefore, OWN_PROBES))) return true;
  return usedBefore === 0 && aloneSince <= first.sentAt - 2 * minuteMs(figures);
}

/**
 * Is true if no request before the first burst counted, and no window began in it. With a new window, a sliding counter
 * gives back earlier use. (The sender may have waited for that after its first request; then next to nothing is left to
 * come back.)
 */
export const isOfOneWindow = (key: KeySeries, first: Gain): boolean =>
  isFresh(key, first) && resetJumps(key.burst?.samples.slice(1) ?? [], key.figures).length === 0;

function tellsSameEnd(one: Sample | null, other: Sample): boolean {
  const before = unixReset(one?.reset ?? null);
  return before !== null && before === unixReset(other.reset);
}

/**
 * Finds a second burst that no correct limiter explains: the requests that it got, and the least due. The limiter allowed the retry. From then on every algorithm
 * gives back at least its rate, once the first burst is a whole window old. (A sliding counter does since its new
 * window, a bucket always, a fixed window and a log immediately.) Bursts for `rate-window` between the two count as
 * well.
 */
export function shortfall(key: KeySeries) {
  const [first, second] = gains(key);
  const { refusal = null, retry = null } = key.recoveries[0] ?? {};
  if (first === undefined || second === undefined || retry === null || !wasServed(retry) || !second.refused)
    return null;
  const window = minuteMs(key.figures);
  const clean = key.concurrent?.samples.every((sample) => wasServed(sample) || wasRefused(sample)) === true;
  if (!clean || !isOfOneWindow(key, first) || second.first.sentAt - first.lastAnswer < window) return null;
  // A sliding counter that allows the retry without a new window gives back earlier use.
  if (tellsSameEnd(refusal, retry)) return null;
  const between = samplesOf(key).filter(({ sentAt }) => sentAt > retry.sentAt && sentAt < second.first.sentAt);
  // Requests of the bursts between the two came back as well.
  const served = second.served + servedIn(between);
  const silentMs = second.first.sentAt - retry.answeredAt;
  const back = refilled(key.figures, Math.max(0, silentMs - CLOCK_MS));
  const least = Math.floor(TOLERANCE * Math.min(first.held, back) - ROUNDED);
  return served < least ? { served, least, silentMs } : null;
}

/** More than this many times the limit in this share of a window comes only from a bucket, or with a new window. */
const BUCKET = { share: 0.7, times: 1.1 };
/** Share that a new window gives back: all but what its first responses hide. */
const NEARLY_WHOLE = 0.9;

/** What came back to a bucket between moments at which nothing was left: too little, or too little to tell. */
export type SlowReturn =
  | { readonly kind: 'lacks'; readonly served: number; readonly least: number; readonly elapsedMs: number }
  /** As much as the plan brings, but for one refill of this size that may have been due. */
  | { readonly kind: 'unsure'; readonly step: number };

/**
 * Measures whether a bucket gives back less than the plan; null if it is no bucket, or gives enough. Between two refusals all
 * that came back was used. So it is what the plan brings in that time, less one refill that was due and had not come.
 */
export function slowReturn(key: KeySeries): SlowReturn | null {
  const { figures, fresh, steady } = key;
  const [first] = gains(key);
  if (first === undefined || !isLongBySeconds(figures)) return null;
  // Requests after two windows of silence start with a full bucket.
  const later = new Set([...(fresh?.samples ?? []), ...(steady?.samples ?? [])]);
  const all = samplesOf(key).filter((sample) => !later.has(sample));
  const moments = emptyMoments(all, figures);
  if (beganAnew(moments, all, figures) || !servesLikeBucket(all, figures)) return null;

  const step = stepOf(all, figures);
  // With refill steps a sliding window would show as a bucket that brought nothing before the second refusal.
  if (step === null ? !hasGradualReset(key) : !isOfOneWindow(key, first)) return null;
  const telling = step === null ? moments : moments.slice(1);
  const due = step ?? refilled(figures, CLOCK_MS);
  // A full bucket loses its refills, and one that may have been full tells nothing.
  const mayBeFull = (one: Moment, next: Moment): boolean =>
    brought(one, next, figures) + due > first.held / SAFELY_EMPTY;
  const runs = runsOf(telling, (one, next) => !mayBeFull(one, next));
  const spans = runs.flatMap((run) => spanOver(run, all, figures) ?? []);

  for (const { served, plan, elapsedMs } of spans) {
    const least = Math.floor(TOLERANCE * plan - due) - ROUNDED;
    if (served < least) return { kind: 'lacks', served, least, elapsedMs };
  }
  // A slow bucket may have held one refill more at the start than at the end.
  const isEnough = spans.some(({ served, plan }) => plan > 0 && served - due >= CLEARLY_ENOUGH * plan);
  return step === null || isEnough ? null : { kind: 'unsure', step };
}

/** Share of the plan's rate that no slow bucket reaches: one that gives four fifths must show. */
const CLEARLY_ENOUGH = 0.85;
/** A bucket that held this many times what came back was not full in between. */
const SAFELY_EMPTY = 1.25;

/** Size of the refills that came back sooner than evenly; null if none did. */
function stepOf(all: readonly Sample[], figures: Figures): number | null {
  const { size, sudden, isSooner } = largestClump(all, figures);
  return isSooner || sudden > 1 ? Math.max(size, sudden) : null;
}

/** True if Reset moves with the requests. A counter's moves to its next window only. */
function hasGradualReset({ burst, figures }: KeySeries): boolean {
  const samples = burst?.samples ?? [];
  return refills(samples, figures) && resetJumps(samples, figures).length === 0;
}

/** A time with nothing left: 429s without a success between them. */
interface Moment {
  readonly first: Sample;
  readonly last: Sample;
}

function emptyMoments(all: readonly Sample[], figures: Figures): readonly Moment[] {
  const telling = all.filter((sample) => wasServed(sample) || (wasRefused(sample) && !describesDay(sample, figures)));
  return runsOf(telling, (one, next) => wasServed(one) === wasServed(next)).flatMap((run) => {
    const [first, last] = [run[0], run.at(-1)];
    return first === undefined || last === undefined || wasServed(first) ? [] : [{ first, last }];
  });
}

/** What the plan brings from one moment to another. */
const brought = (one: Moment, other: Moment, figures: Figures): number =>
  refilled(figures, other.first.sentAt - one.last.answeredAt);

/** Requests allowed from the first to the last of some moments, and what the plan brings meanwhile. */
function spanOver(moments: readonly Moment[], all: readonly Sample[], figures: Figures) {
  const [from, to] = [moments[0], moments.at(-1)];
  if (from === undefined || to === undefined || from === to) return null;
  const served = all.filter(
    (sample) => mayCount(sample) && sample.answeredAt > from.last.sentAt && sample.sentAt < to.first.answeredAt,
  ).length;
  return { served, plan: brought(from, to, figures), elapsedMs: Math.max(0, to.first.sentAt - from.last.answeredAt) };
}

/** True if nearly the whole limit came back between two moments, though the plan brings less in that time: a new window. */
const beganAnew = (moments: readonly Moment[], all: readonly Sample[], figures: Figures): boolean =>
  moments.slice(1).some((moment, index) => {
    const span = spanOver([moments[index] ?? moment, moment], all, figures);
    const whole = NEARLY_WHOLE * figures.perMinute;
    return span !== null && span.served >= whole && span.plan < whole;
  });

/** True if more was allowed than windows and logs allow in that time: it came back gradually. */
function servesLikeBucket(all: readonly Sample[], figures: Figures): boolean {
  const served = bySending(all.filter(wasServed));
  const many = Math.ceil(BUCKET.times * figures.perMinute);
  const within = BUCKET.share * minuteMs(figures);
  return served.some((sample, index) => (served[index + many]?.answeredAt ?? Infinity) - sample.sentAt <= within);
}
