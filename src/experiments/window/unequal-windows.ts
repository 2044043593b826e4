import { OWN_PROBES, isLongBySeconds, minuteMs } from '../../limits/bounds.js';
import type { KeySeries } from '../../limits/series.js';
import { beginsFresh, ownBefore } from '../../limits/windows-seen.js';
import type { Bursts } from './window-progress.js';
import { bySending, wasRefused, wasServed, type Sample } from '../../limits/sample.js';
import { creeps, type Edge, edgesOf, ROUNDED_MS } from '../../limits/reset-edges.js';

/** Distance of a time from the nearest whole number of windows, ms. */
const offBeat = (apart: number, window: number): number => Math.abs(apart - window * Math.round(apart / window));

/**
 * Is true if Resets show windows that no limiter of a minute has: one that began with the run's request and ends early,
 * as only clock-aligned windows do, and another not whole windows from it. The limit must be used up less than a window
 * before it was back: gradual refills are not, and their Reset is no window's.
 */
export function unequalWindows({ figures, earlier }: KeySeries, bursts: Bursts): boolean {
  if (!isLongBySeconds(figures)) return false;
  const window = minuteMs(figures);
  const all = bySending(bursts.flat());
  const told = edgesOf(all.filter(wasServed));
  if (creeps(told, figures)) return false;
  const before = (first: Sample): readonly Sample[] => ownBefore(first, figures, [...earlier, ...all]);
  const freshOf = ({ samples: [first] }: Edge): Sample | null =>
    first !== undefined && beginsFresh(first, figures, Math.min(OWN_PROBES, before(first).length)) ? first : null;
  const isShort = (edge: Edge): boolean => {
    const first = freshOf(edge);
    const began = first === null ? null : (before(first)[0] ?? first).date;
    return began !== null && edge.unixMs - began < window - ROUNDED_MS;
  };
  const isBackSoon = (edge: Edge): boolean => {
    const first = freshOf(edge);
    const usedUp = first === null ? undefined : all.findLast((one) => wasRefused(one) && one.sentAt < first.sentAt);
    return first !== null && usedUp !== undefined && first.sentAt - usedUp.answeredAt < window - ROUNDED_MS;
  };
  const back = told.filter(isBackSoon);
  return back.some((edge) =>
    told.some(
      (other) =>
        (isShort(edge) || isShort(other)) && other !== edge && offBeat(edge.unixMs - other.unixMs, window) > ROUNDED_MS,
    ),
  );
}
