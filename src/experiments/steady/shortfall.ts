import { OWN_PROBES, minuteMs, refilled } from '../../limits/bounds.js';
import { readReset } from '../../limits/headers/header-number.js';
import type { KeySeries } from '../../limits/series.js';
import { resetJumps } from '../../limits/reset-edges.js';
import { beginsFresh } from '../../limits/windows-seen.js';
import type { Gain } from './gains.js';
import { wasRefused, wasServed, type Sample } from '../../limits/sample.js';

/** Clocks and schedules are not exact. */
const TOLERANCE = 0.95;

/** A part of a request at either end shows in no whole number; the retry itself came before. */
const ROUNDED = 1;

/** What a second burst got, and the least that any sound limiter gives it. */
export interface Shortfall {
  readonly served: number;
  readonly least: number;
  readonly silentMs: number;
}

/** Nothing sent before the first burst can still have counted when it began. */
function isFresh({ figures, aloneSince }: KeySeries, { first, usedBefore }: Gain): boolean {
  if (beginsFresh(first, figures, Math.min(usedBefore, OWN_PROBES))) return true;
  return usedBefore === 0 && aloneSince <= first.sentAt - 2 * minuteMs(figures);
}

/**
 * Whether nothing was sent before the first burst that still counted, and no window rolled over in its midst. A sliding
 * counter whose window did lets back for the sake of what came before. (After the first request the sender may have waited
 * for just that: it left next to nothing to come back.)
 */
export const isOfOneWindow = (key: KeySeries, first: Gain): boolean =>
  isFresh(key, first) && resetJumps(key.burst?.samples.slice(1) ?? [], key.figures).length === 0;

/** Whether two answers tell the very same Reset. */
function tellsSameEnd(one: Sample | null, other: Sample): boolean {
  const [before, after] = [readReset(one?.reset ?? null), readReset(other.reset)];
  return before?.unit === 'unix-seconds' && after?.unit === 'unix-seconds' && before.unixMs === after.unixMs;
}

/**
 * A second burst that no sound limiter explains. A limiter that had refused served again at the retry: from there on
 * every algorithm gives back at least what its rate promises (a sliding counter since its window rolled over, a bucket
 * always, a fixed window and a log at once), once the first burst lies a whole window back. What bursts for `rate-window`
 * got between the two is counted in.
 */
export function shortfall(key: KeySeries, all: readonly Sample[], [first, second]: readonly Gain[]): Shortfall | null {
  const { refusal = null, retry = null } = key.recoveries[0] ?? {};
  if (first === undefined || second === undefined || retry === null || !wasServed(retry) || !second.refused)
    return null;
  const window = minuteMs(key.figures);
  const clean = key.concurrent?.samples.every((sample) => wasServed(sample) || wasRefused(sample)) === true;
  if (!clean || !isOfOneWindow(key, first) || second.first.sentAt - first.lastAnswer < window) return null;
  // A sliding counter whose window has not rolled over when it serves again lets back for the sake of what came before.
  if (tellsSameEnd(refusal, retry)) return null;
  const between = all.filter(({ sentAt }) => sentAt > retry.sentAt && sentAt < second.first.sentAt);
  // What bursts between the two were served came back as well.
  const served = second.served + between.filter(wasServed).length;
  const silentMs = second.first.sentAt - retry.answeredAt;
  const least = Math.floor(TOLERANCE * Math.min(first.held, refilled(key.figures, silentMs)) - ROUNDED);
  return served < least ? { served, least, silentMs } : null;
}
