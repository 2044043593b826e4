import { bySending, wasServed } from '../../limits/answers.js';
import { isLongBySeconds, minuteMs } from '../../limits/bounds.js';
import type { Sample } from '../../limits/sample.js';
import type { KeySeries } from '../../limits/series.js';
import { refills } from './spread.js';

/** A window that is shorter by more than a quarter has begun anew within this much of a whole one. */
const SHOWN_SHARE = 0.75;

/** A retry and probes of the run's own may have used a little of the window. */
const OWN_PROBES = 3;

/** Whether nearly the whole allowance was used, and the last of it most of a window after the first. */
function isApart(samples: readonly Sample[], { figures }: Pick<KeySeries, 'figures'>): boolean {
  const got = bySending(samples.filter(wasServed));
  const first = got.at(-Math.max(2, figures.perMinute - OWN_PROBES)) ?? got[0];
  const last = got.at(-1);
  return first !== undefined && last !== undefined && last.sentAt - first.sentAt >= SHOWN_SHARE * minuteMs(figures);
}

/**
 * Whether a window that is shorter than the one that headers tell would have shown: who waits for the time told waits too
 * long to see it. It shows where the last of the allowance is asked for late (`lastOfBurstAt`, `SpreadSeries`), and cannot
 * be there where far less than the allowance is served at once, or where it comes back bit by bit.
 */
export function showsLength(key: Pick<KeySeries, 'burst' | 'spread' | 'figures'>): boolean {
  const { burst, spread, figures } = key;
  if (!isLongBySeconds(figures)) return false;
  const samples = burst?.samples ?? [];
  const isPaced = 2 * samples.filter(wasServed).length < figures.perMinute;
  return isPaced || refills(samples, figures) || isApart(samples, key) || isApart(spread?.samples ?? [], key);
}
