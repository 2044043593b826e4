import { isLongBySeconds, minuteMs, refilled } from './bounds.js';
import { clumpOf } from './clumps.js';
import { samplesOf } from './key-samples.js';
import type { KeySeries } from './series.js';
import { refills } from './spread.js';
import { gains, type Gain } from './burst-counts.js';
import { leftBy, mayHaveSlid, wasRefused, wasServed, refusedIn, type Sample, servedIn } from './sample.js';
import { resetJumps, resetMoved } from './reset-edges.js';
import { beginsFresh } from './windows-seen.js';

/** Factor for inexact clocks and schedules. */
const TOLERANCE = 0.95;
/** Requests of slack: a part of one at either end does not show, and the retry came before. */
const ROUNDED = 1;
/** Longest step of a limiter's clock, ms: some count in whole seconds. */
const CLOCK_MS = 1000;

/** True if no request before the first burst still counted when it began. */
function isFresh({ figures, aloneSince }: KeySeries, { first, usedBefore }: Gain): boolean {
  if (beginsFresh(first, figures, usedBefore)) return true;
  return usedBefore === 0 && aloneSince <= first.sentAt - 2 * minuteMs(figures);
}

/**
 * Is true if no request before the first burst counted, and no window began in it. With a new window, a
 * sliding counter gives back earlier use. (The sender may have waited for that after its first request; then
 * next to nothing is left to come back.)
 */
const isOfOneWindow = (key: KeySeries, first: Gain): boolean =>
  isFresh(key, first) && resetJumps(key.burst?.samples.slice(1) ?? [], key.figures).length === 0;

/** True if Reset moves with the requests, as a bucket's. A counter's moves to its next window only. */
function hasGradualReset({ burst, figures }: KeySeries): boolean {
  const samples = burst?.samples ?? [];
  return refills(samples, figures) && resetJumps(samples, figures).length === 0;
}

/**
 * Is true if a bucket shows that refills evenly: Reset moves with the requests, and nothing comes back in
 * larger steps.
 */
export const isEvenBucket = (key: KeySeries): boolean => hasGradualReset(key) && !comesInSteps(key);

/** Is true if refill steps show: more came back at once than evenly. */
const comesInSteps = (key: KeySeries): boolean => clumpOf(key).isSooner;

/**
 * True if less than the allowance was back at the retry, before any request that counted was a window old: by
 * then a window brings all of it, and a log nothing.
 */
function cameInPart(key: KeySeries, retry: Sample): boolean {
  const { figures } = key;
  const left = leftBy(retry, figures);
  const isPart = left !== null && 2 * (left + 1) <= figures.perMinute;
  return isPart && mayHaveSlid(samplesOf(key), figures, -Infinity, retry.answeredAt).length === 0;
}

/**
 * Measures what came back between the retry, which the limiter allowed, and the end of a second burst; null
 * without. From the retry on every algorithm gives back at least its rate: a bucket always, a sliding counter
 * since its new window, a window or a log once the first burst is a whole window old. Bursts for
 * `rate-window` between the two count as well.
 */
function sinceRetry(key: KeySeries) {
  const [first, second] = gains(key);
  const { refusal = null, retry = null } = key.recoveries[0] ?? {};
  if (first === undefined || second === undefined || retry === null || !wasServed(retry) || !second.refused)
    return null;
  // In windows of seconds, others' requests that leave a log look like a step.
  const isStepping = comesInSteps(key) && (isLongBySeconds(key.figures) || isFresh(key, first));
  const isSurelyBucket = hasGradualReset(key) || isStepping;
  const isBucket = isSurelyBucket || (isOfOneWindow(key, first) && cameInPart(key, retry));
  const isWindowLater = second.first.sentAt - first.lastAnswer >= minuteMs(key.figures);
  const clean = key.concurrent?.samples.every((sample) => wasServed(sample) || wasRefused(sample)) === true;
  if (!clean || !(isBucket || (isOfOneWindow(key, first) && isWindowLater))) return null;
  // A sliding counter that allows the retry without a new window gives back earlier use.
  if (resetMoved(refusal, retry) === 0) return null;
  const between = samplesOf(key).filter(
    ({ sentAt }) => sentAt > retry.sentAt && sentAt < second.first.sentAt,
  );
  const silentMs = second.first.sentAt - retry.answeredAt;
  const back = Math.min(first.held, refilled(key.figures, Math.max(0, silentMs - CLOCK_MS)));
  // A sliding counter still counts a part of what the run used before, and it may count refused requests.
  const counted = first.usedBefore + (isSurelyBucket ? 0 : refusedIn(between));
  const least = Math.floor(TOLERANCE * back - ROUNDED - counted);
  return { served: second.served + servedIn(between), back, least, silentMs };
}

/** Finds a second burst that got less than came back since the retry; null without. */
export function shortfall(key: KeySeries) {
  const since = sinceRetry(key);
  return since !== null && since.served < since.least ? since : null;
}

/** Share of what came back that shows the plan's rate: no bucket at four fifths of it reaches that. */
const CLEARLY_ENOUGH = 0.85;

/**
 * Is true if refill steps leave open whether they come as often as the plan says: one more may have been due
 * at the retry.
 */
export function mayBeSlowSteps(key: KeySeries): boolean {
  if (!comesInSteps(key)) return false;
  const since = sinceRetry(key);
  const { size } = clumpOf(key);
  return since === null || since.served - size < CLEARLY_ENOUGH * since.back;
}
