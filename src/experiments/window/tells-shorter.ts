import { bySending, wasServed } from '../../limits/answers.js';
import { isLongBySeconds, minuteMs, refillIntervalMs } from '../../limits/bounds.js';
import { largestClump } from '../../limits/came-back.js';
import type { KeySeries } from '../../limits/series.js';
import { BEATS, creeps, type Edge, edgesOf, ROUNDED_MS, STALE_MS } from '../../limits/told-edges.js';
import { type Bursts, served } from './window-progress.js';

/** So long a time must requests take to come back evenly for which Reset stood still: a bucket's moves with each of them. */
const STANDS_MS = 4000;

/** Of a beat's share: a retry of the run's own may have had a little of it. */
const NEARLY_ALL = 0.8;

/**
 * Whether Reset stood still for many requests and then, once it had passed, for many more at a time less than a window
 * later, which is not a window after any request, as a log's is: a counter that remembers the window before tells so of a
 * shorter one, and gives it back too slowly for a few bursts to show it.
 */
export function tellsShorter({ figures, earlier, window: ofWindow }: KeySeries, bursts: Bursts): boolean {
  if (!isLongBySeconds(figures)) return false;
  const all = bySending(bursts.flat().filter(wasServed));
  const window = minuteMs(figures);
  const later = ofWindow?.bursts.slice(1) ?? [];
  const atOnce = later.reduce((most, burst) => Math.max(most, served(burst)), largestClump(all, figures).sudden);
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
  // Who was silent meanwhile may have missed some: the shortest step is the window's, or a beat's.
  const step = Math.min(...steps);
  if (creeps(told, figures) || step <= window / BEATS || step >= window - ROUNDED_MS) return false;
  // What comes back at a beat tells of the next one, and brings all of its share at it.
  return NEARLY_ALL * step > atOnce * refillIntervalMs(figures);
}
