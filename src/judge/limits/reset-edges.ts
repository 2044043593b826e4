import { minuteMs, isLongBySeconds, type Figures } from './bounds.js';
import { STALE_MS } from './clock.js';
import { readReset } from '../../base/interface/rate-headers.js';
import { type Sample, describesMinute, wasServed } from './sample.js';

/** Shorter than any intended window, ms. A bucket's Reset moves as fast as time. */
const STANDSTILL_MS = 2000;

/** Reset in ms, on the scale of its unit. Without one it is NaN, with which every comparison is false. */
function resetMs(sample: Sample | null | undefined): number {
  const reset = readReset(sample?.reset ?? null);
  if (!sample || reset === null) return NaN;
  return reset.unit === 'seconds-to-go' ? sample.answeredAt + reset.seconds * 1000 : reset.unixMs;
}

/** Returns by how much Reset moved from one response to another, ms; NaN if either has none. */
export const resetMoved = (earlier: Sample | null | undefined, later: Sample | null | undefined): number =>
  resetMs(later) - resetMs(earlier);

/** Is true if two responses have the same Reset. The next window ends later. */
export const isSameWindow = (one: Sample | null | undefined, other: Sample, figures: Figures): boolean =>
  isLongBySeconds(figures) && Math.abs(resetMoved(one, other)) < STANDSTILL_MS;

/** Edges of windows are this close to W apart in whole seconds; a bucket's Reset moves 1 s at a time. */
const EDGE_ROUNDED_MS = 500;

/** Is true if Reset of a later response ends a later window than that of an earlier response. */
export const isLaterWindow = (
  earlier: Sample | null | undefined,
  later: Sample | null | undefined,
  figures: Figures,
): boolean => resetMoved(earlier, later) >= minuteMs(figures) - EDGE_ROUNDED_MS;

/**
 * Is true if a request certainly belongs to the window of `own`, not of `beside`: its Reset equals that of
 * `own`.
 */
export const isOfWindow = (
  sample: Sample,
  own: Sample | undefined,
  beside: Sample | undefined,
  figures: Figures,
): boolean =>
  (isLaterWindow(own, beside, figures) || isLaterWindow(beside, own, figures)) &&
  Math.abs(resetMoved(own, sample)) < STANDSTILL_MS;

/**
 * Is true if, after the response at `index`, an earlier window returns: one that is a window older, or one
 * seen before. Then two servers with two clocks alternate, and no window ended.
 */
export function returnsToEarlier(samples: readonly Sample[], index: number, figures: Figures): boolean {
  const at = samples[index];
  if (at === undefined) return false;
  const before = new Set(samples.slice(0, index).map(resetMs));
  return samples.some((other) => {
    if (!wasServed(other) || !describesMinute(other, figures) || other.sentAt < at.answeredAt) return false;
    if (!isLongBySeconds(figures)) return resetMoved(other, at) >= STANDSTILL_MS;
    return (
      isLaterWindow(other, at, figures) ||
      (resetMoved(other, at) >= STANDSTILL_MS && before.has(resetMs(other)))
    );
  });
}

/** Slack, ms: Reset is rounded up by up to 1 s, `Date` is rounded down by up to 1 s and may be stale. */
const NOT_YET_MS = 1000 + 1000 + STALE_MS;

/** Is true if the window of an earlier response still went on, by `Date`, when a later request was counted. */
export const stillGoesOn = (earlier: Sample | null, { date, sentAt, answeredAt }: Sample): boolean =>
  date !== null && resetMs(earlier) > date + (answeredAt - sentAt) + NOT_YET_MS;

/** Returns the places where Reset moved by a window. */
export function resetJumps(samples: readonly Sample[], figures: Figures): readonly number[] {
  let latest: Sample | null = null;
  return samples.flatMap((sample, index) => {
    if (!describesMinute(sample, figures) || readReset(sample.reset) === null) return [];
    const jumps = isLaterWindow(latest, sample, figures) && !returnsToEarlier(samples, index, figures);
    latest = resetMoved(latest, sample) < 0 ? latest : sample;
    return jumps ? [index] : [];
  });
}
