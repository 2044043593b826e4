import { OWN_PROBES, minuteMs, refilled } from '../../limits/bounds.js';
import { readReset } from '../../limits/headers/header-number.js';
import type { KeySeries } from '../../limits/series.js';
import { resetJumps } from '../../limits/reset-edges.js';
import { beginsFresh } from '../../limits/windows-seen.js';
import type { Gain } from './burst-counts.js';
import { wasRefused, wasServed, type Sample } from '../../limits/sample.js';

/** Factor for inexact clocks and schedules. */
const TOLERANCE = 0.95;

/** Requests of slack: a part of one at either end does not show, and the retry came before. */
const ROUNDED = 1;

/** Requests that a second burst got, and the least from any correct limiter. */
export interface Shortfall {
  readonly served: number;
  readonly least: number;
  readonly silentMs: number;
}

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

/** True if two responses have exactly the same Reset. */
function tellsSameEnd(one: Sample | null, other: Sample): boolean {
  const [before, after] = [readReset(one?.reset ?? null), readReset(other.reset)];
  return before?.unit === 'unix-seconds' && after?.unit === 'unix-seconds' && before.unixMs === after.unixMs;
}

/**
 * Finds a second burst that no correct limiter explains. The limiter allowed the retry. From then on every algorithm
 * gives back at least its rate, once the first burst is a whole window old. (A sliding counter does since its new
 * window, a bucket always, a fixed window and a log immediately.) Bursts for `rate-window` between the two count as
 * well.
 */
export function shortfall(key: KeySeries, all: readonly Sample[], [first, second]: readonly Gain[]): Shortfall | null {
  const { refusal = null, retry = null } = key.recoveries[0] ?? {};
  if (first === undefined || second === undefined || retry === null || !wasServed(retry) || !second.refused)
    return null;
  const window = minuteMs(key.figures);
  const clean = key.concurrent?.samples.every((sample) => wasServed(sample) || wasRefused(sample)) === true;
  if (!clean || !isOfOneWindow(key, first) || second.first.sentAt - first.lastAnswer < window) return null;
  // A sliding counter that allows the retry without a new window gives back earlier use.
  if (tellsSameEnd(refusal, retry)) return null;
  const between = all.filter(({ sentAt }) => sentAt > retry.sentAt && sentAt < second.first.sentAt);
  // Requests of the bursts between the two came back as well.
  const served = second.served + between.filter(wasServed).length;
  const silentMs = second.first.sentAt - retry.answeredAt;
  const least = Math.floor(TOLERANCE * Math.min(first.held, refilled(key.figures, silentMs)) - ROUNDED);
  return served < least ? { served, least, silentMs } : null;
}
