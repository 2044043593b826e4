import { kept, unestablished, untried, violated, type Judged } from '../findings/finding.js';
import { OWN_PROBES, inShort, isLongBySeconds, minuteMs, refillIntervalMs } from './bounds.js';
import { largestClump } from './clumps.js';
import { STALE_MS } from './clock.js';
import { count, counted, duration } from '../../base/kernel/format.js';
import { type KeySeries, subject } from './series.js';
import { bySending, wasServed, wasRefused, type Sample, servedIn } from './sample.js';
import { BEATS, creeps, edgesOf, ROUNDED_MS, type Edge } from './reset-edges.js';
import { beginsFresh, ownBefore } from './windows-seen.js';
import { burstsOf } from './further-bursts.js';
import type { KeyReading } from './reading.js';
import { refills } from './spread.js';
import { inAnySpan, windowBreach } from './window-breach.js';
import { windowProgress, type Bursts } from './window-progress.js';

/** Distance of a time from the nearest whole number of windows, ms. */
const offBeat = (apart: number, window: number): number => Math.abs(apart - window * Math.round(apart / window));

/**
 * Is true if Resets show windows that no limiter of a minute has: one that began with the run's request and ends early,
 * as only clock-aligned windows do, and another not whole windows from it. The limit must be used up less than a window
 * before it was back: gradual refills are not, and their Reset is no window's.
 */
function unequalWindows({ figures, earlier }: KeySeries, bursts: Bursts): boolean {
  if (!isLongBySeconds(figures)) return false;
  const window = minuteMs(figures);
  const all = bySending(bursts.flat());
  const told = edgesOf(all.filter(wasServed));
  if (creeps(told, figures)) return false;
  const before = (first: Sample): readonly Sample[] => ownBefore(first, figures, [...earlier, ...all]);
  const edges = told.map(({ unixMs, samples: [first] }) => {
    if (first === undefined || !beginsFresh(first, figures, Math.min(OWN_PROBES, before(first).length)))
      return { unixMs, isShort: false, isBackSoon: false };
    const began = (before(first)[0] ?? first).date;
    const usedUp = all.findLast((one) => wasRefused(one) && one.sentAt < first.sentAt);
    return {
      unixMs,
      isShort: began !== null && unixMs - began < window - ROUNDED_MS,
      isBackSoon: usedUp !== undefined && first.sentAt - usedUp.answeredAt < window - ROUNDED_MS,
    };
  });
  // An edge is no distance from itself.
  return edges.some(
    (one) =>
      one.isBackSoon &&
      edges.some((other) => (one.isShort || other.isShort) && offBeat(one.unixMs - other.unixMs, window) > ROUNDED_MS),
  );
}

/** Time of even refills for which Reset must stand still, ms: a bucket's Reset moves with each request. */
const STANDS_MS = 4000;
/** Share of a refill step: a retry of the run may have used a part of it. */
const MOST_OF_A_BEAT = 0.8;

/**
 * True if Reset stood still for many requests and, after its time, for many more, less than a window later. That must
 * not be a window after any request, as in a log. So it finds a counter of two shorter windows, which gives back too
 * slowly for a few bursts to show it.
 */
function tellsShorter({ figures, earlier, window: ofWindow }: KeySeries, bursts: Bursts): boolean {
  if (!isLongBySeconds(figures)) return false;
  const all = bySending(bursts.flat().filter(wasServed));
  const window = minuteMs(figures);
  const later = ofWindow?.slice(1) ?? [];
  const atOnce = later.reduce((most, burst) => Math.max(most, servedIn(burst)), largestClump(all, figures).sudden);
  const isOwn = ({ unixMs }: Edge): boolean =>
    [...earlier, ...all].some(({ date }) => date !== null && Math.abs(date + window - unixMs) <= ROUNDED_MS + STALE_MS);
  const told = edgesOf(all);
  const edges = told.filter(({ samples }) => samples.length * refillIntervalMs(figures) >= STANDS_MS);
  const steps = edges.flatMap((edge, index) => {
    const next = edges[index + 1];
    const toldAt = next?.samples[0]?.date ?? null;
    const hasPassed = toldAt !== null && toldAt >= edge.unixMs - ROUNDED_MS;
    return next === undefined || !hasPassed || (isOwn(edge) && isOwn(next)) ? [] : [next.unixMs - edge.unixMs];
  });
  // A silent client may have missed some: the shortest step is the window's, or a refill step's.
  const step = Math.min(...steps);
  if (creeps(told, figures) || step <= window / BEATS || step >= window - ROUNDED_MS) return false;
  // A refill step names the next one, and brings its whole share.
  return MOST_OF_A_BEAT * step > atOnce * refillIntervalMs(figures);
}

/** Share of W within which a window that is shorter by more than a quarter restarts. */
const SHOWN_SHARE = 0.75;

/** True if nearly the whole limit was used, the last of it most of a window after the first. */
function isApart(samples: readonly Sample[], { figures }: Pick<KeySeries, 'figures'>): boolean {
  const got = bySending(samples.filter(wasServed));
  const first = got.at(-Math.max(2, figures.perMinute - OWN_PROBES)) ?? got[0];
  const last = got.at(-1);
  return first !== undefined && last !== undefined && last.sentAt - first.sentAt >= SHOWN_SHARE * minuteMs(figures);
}

/**
 * True if a window shorter than the headers say would have shown: a client that follows the headers waits too long for
 * it. It shows if the last of the limit is sent late (`lastOfBurstAt`, `SpreadSeries`). It cannot exist if far less
 * than the limit is allowed together, or with gradual refills.
 */
function showsLength(key: Pick<KeySeries, 'burst' | 'spread' | 'figures'>): boolean {
  const { burst, spread, figures } = key;
  if (!isLongBySeconds(figures)) return false;
  const samples = burst?.samples ?? [];
  const isPaced = 2 * servedIn(samples) < figures.perMinute;
  return isPaced || refills(samples, figures) || isApart(samples, key) || isApart(spread?.samples ?? [], key);
}

/** Judges `rate-window`: any algorithm allows at most twice the limit in any span of a window. */
export function windowLength({ key, clock, comesBack, overfull }: KeyReading): Judged {
  const name = subject(key.key);
  const { figures } = key;
  const bursts = burstsOf(key);
  const all = bySending(bursts.flat().filter(wasServed));
  const [first] = all;
  if (first === undefined) return unestablished('too-little-data', `${name} sent no burst.`);
  const breach = inAnySpan(overfull) ?? windowBreach(bursts, key, comesBack.clump);
  if (breach !== null) {
    const { what, ...detail } = breach;
    return violated([], `${name} ${what}.`, detail);
  }
  const progress = windowProgress(bursts, key, clock);
  const open = (why: string): Judged => unestablished('too-little-data', `${name} ${why}.`);
  switch (progress.kind) {
    case 'unrefused':
      return open('got no 429 in its last burst');
    case 'untold':
      return unestablished('prerequisite', `${name}'s 429 does not say when to retry.`);
    case 'open':
    case 'drained':
      return open(
        `was allowed again before a window was over, and ${counted(bursts.length, 'burst')} did not show whether that exceeds a window's allowance`,
      );
    case 'over': {
      if (tellsShorter(key, bursts))
        return open('gets an X-RateLimit-Reset of shorter windows, but the allowed requests do not confirm it');
      if (unequalWindows(key, bursts))
        return open(
          'gets an X-RateLimit-Reset of windows of another length, but the allowed requests do not confirm it',
        );
      const span = duration((all.at(-1)?.answeredAt ?? first.sentAt) - first.sentAt);
      const got = `${count(all.length)} requests allowed in ${counted(bursts.length, 'burst')} over ${span}.`;
      const found = kept([], got);
      // A client that follows a whole window waits one: only Reset shows that it was shorter.
      if (showsLength(key)) return [found];
      const what = isLongBySeconds(figures)
        ? `whether windows of the ${key.key} key are shorter than announced`
        : `a shorter window than announced (${inShort(figures)})`;
      return [found, untried(what)];
    }
  }
}
