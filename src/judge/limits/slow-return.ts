import { STALE_MS } from './clock.js';
import { isLongBySeconds, minuteMs, refilled, OWN_PROBES, type Figures } from './bounds.js';
import { largestClump } from './refill-steps.js';
import { readRetryAfter, waitOf } from './headers/retry-after.js';
import { samplesOf, type KeySeries } from './series.js';
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

/** No window and no log allows so many times the limit in this share of a window, unless a new one begins. */
const SOONER = { share: 0.7, times: 1.1 };
/** Share that a new window gives back: all but what its first responses hide. */
const NEARLY_WHOLE = 0.9;

/** Slack for a wait in whole seconds, ms. A date also depends on the server's clock, which may be stale. */
const ROUNDED_MS = { seconds: 1000, date: 2000 + STALE_MS };
/** Lateness at which a client may have missed a clump, ms. */
const MOST_LATE_MS = 2000;

/** Clumps that came back to a client with nothing left, and the least by the plan's rate. */
export interface Lack {
  readonly kind: 'lacks';
  readonly served: number;
  readonly least: number;
  readonly elapsedMs: number;
  /** True if no refill step explains it. If false, a step shorter than the announced waits would. */
  readonly isSure: boolean;
}

/** Refills of a bucket with clumps of this size: too few, or too little evidence. */
export type SlowReturn = Lack | { readonly kind: 'untold'; readonly clump: number };

type Dry = ReturnType<typeof driesOf>[number];

/**
 * Measures whether a bucket gives back less than the plan; null if it is none or gives enough. Between two empty
 * moments, all that came back was used. That is at least the plan's rate in that time, minus one clump that may
 * have been due. A client that follows each wait comes just after a step, so no clump is subtracted there.
 */
export function slowReturn(key: KeySeries): SlowReturn | null {
  const [first] = gains(key);
  const { figures, fresh, steady } = key;
  // Requests after two windows of silence start with a full bucket.
  const later = new Set([...(fresh?.samples ?? []), ...(steady?.samples ?? [])]);
  const all = samplesOf(key).filter((sample) => !later.has(sample));
  const { size, sudden, isSooner } = largestClump(all, figures);
  const clump = Math.max(size, sudden);
  if (first === undefined || !isLongBySeconds(figures)) return null;
  const whole = NEARLY_WHOLE * figures.perMinute;
  const dries = driesOf(all, figures);
  const steps = dries.slice(1).flatMap((_, index) => spanOver(dries.slice(index, index + 2), all, figures) ?? []);
  const beginsAnew = steps.some(({ served, brought }) => served >= whole && brought < whole);
  if (beginsAnew || !servesSooner(all, figures)) return null;
  // A refill no sooner than evenly is no clump: a sliding counter brings as much in a pause, and one at any time.
  const isClump = isSooner || sudden > 1;
  if (!isClump) return isBucket(key) ? evenLack(dries, first.held, all, figures) : null;
  if (!isOfOneWindow(key, first)) return null;
  // If the first wait is longer than later ones, there are no refill steps: a sliding window drops requests.
  const start = isToldLater(dries) ? 0 : 1;
  // A full bucket loses its refills.
  const full = steps.findIndex(({ brought }, at) => at >= start && brought + clump > first.held);
  const among = dries.slice(start, full < 0 ? undefined : full + 1);
  const between = spanOver(among, all, figures);
  if (between === null) return { kind: 'untold', clump };
  const least = leastOf(between.brought) - clump;
  if (between.served < least) return { kind: 'lacks', isSure: true, least, ...between };
  const inTime = spanOver(
    among.filter(({ lateMs }) => lateMs !== null),
    all,
    figures,
  );
  if (inTime === null || inTime.lateMs === null) return { kind: 'untold', clump };
  const { served, elapsedMs, lateMs } = inTime;
  const told = leastOf(refilled(figures, elapsedMs - lateMs.to));
  if (served < told) return { kind: 'lacks', isSure: false, served, least: told, elapsedMs };
  return served < TOLERANCE * refilled(figures, elapsedMs + lateMs.from) ? { kind: 'untold', clump } : null;
}

/** True if Reset moves with the requests. A counter's moves to its next window only. */
function isBucket({ burst, figures }: KeySeries): boolean {
  const samples = burst?.samples ?? [];
  return refills(samples, figures) && resetJumps(samples, figures).length === 0;
}

/**
 * Finds a run of close steps in which a bucket that refills evenly gave back less than the plan; null if none did.
 * @param held least that the bucket holds: a full one loses further refills
 */
function evenLack(dries: readonly Dry[], held: number, all: readonly Sample[], figures: Figures): Lack | null {
  const isClose = (one: Dry, next: Dry): boolean =>
    2 * refilled(figures, next.first.sentAt - one.last.answeredAt) < held;
  for (const run of runsOf(dries, isClose)) {
    const span = spanOver(run, all, figures);
    if (span === null) continue;
    const least = leastOf(span.brought - refilled(figures, CLOCK_MS));
    if (span.served < least) return { kind: 'lacks', isSure: true, least, ...span };
  }
  return null;
}

/** True if the first wait was no longer than a later one. */
function isToldLater(dries: readonly Dry[]): boolean {
  const [first, ...later] = dries.map(({ last }) => waitOf(last));
  const longest = later.reduce<number>((most, wait) => Math.max(most, wait ?? 0), 0);
  return first !== null && first !== undefined && first <= longest + ROUNDED_MS.seconds;
}

/** Least part of a refill that shows in whole requests. */
const leastOf = (brought: number): number => Math.floor(TOLERANCE * brought) - 1;

/**
 * Counts the requests allowed from the first to the last of some moments, and the least refill by the plan's rate.
 * `lateMs` is the most delay of the client before each of the two; null if a wait is unknown.
 */
function spanOver(some: readonly Dry[], all: readonly Sample[], figures: Figures) {
  const [from, to] = [some[0], some.at(-1)];
  if (from === undefined || to === undefined || from === to) return null;
  const elapsedMs = Math.max(0, to.first.sentAt - from.last.answeredAt);
  const served = all.filter(
    (sample) => mayCount(sample) && sample.answeredAt > from.last.sentAt && sample.sentAt < to.first.answeredAt,
  ).length;
  const lateMs = from.lateMs === null || to.lateMs === null ? null : { from: from.lateMs, to: to.lateMs };
  return { served, brought: refilled(figures, elapsedMs), elapsedMs, lateMs };
}

/**
 * Finds the moments with nothing left: 429s without a success between them. `lateMs` is the most delay of the client after
 * its refill step; null if no wait was named, or it came at another time.
 */
function driesOf(all: readonly Sample[], figures: Figures) {
  const telling = all.filter((sample) => wasServed(sample) || (wasRefused(sample) && !describesDay(sample, figures)));
  const runs = runsOf(telling, (one, next) => wasServed(one) === wasServed(next));
  return runs.flatMap((run, index) => {
    const [first, last] = [run[0], run.at(-1)];
    if (first === undefined || last === undefined || wasServed(first)) return [];
    const [refusal, returned] = [runs[index - 2]?.at(-1), runs[index - 1]?.[0]];
    return [{ first, last, lateMs: refusal && returned ? lateAfter(refusal, returned) : null }];
  });
}

/** Most delay of a request after the refill step that a 429 named, ms. */
function lateAfter(refusal: Sample, returned: Sample): number | null {
  const [wait, { kind }] = [waitOf(refusal), readRetryAfter(refusal.retryAfter)];
  if (wait === null || (kind !== 'seconds' && kind !== 'date')) return null;
  const lateMs = returned.sentAt - refusal.answeredAt - wait;
  return lateMs >= 0 && lateMs <= MOST_LATE_MS ? lateMs + ROUNDED_MS[kind] : null;
}

/** True if more was allowed than windows and logs allow in that time: it came back gradually. */
function servesSooner(all: readonly Sample[], figures: Figures): boolean {
  const served = bySending(all.filter(wasServed));
  const many = Math.ceil(SOONER.times * figures.perMinute);
  const within = SOONER.share * minuteMs(figures);
  return served.some((sample, index) => (served[index + many]?.answeredAt ?? Infinity) - sample.sentAt <= within);
}
