import { minuteMs, isLongBySeconds, type Figures } from './bounds.js';
import { STALE_MS } from './clock.js';
import { readReset, unixReset } from './headers/header-number.js';
import { type Sample, describesMinute, wasServed } from './sample.js';

/** Slack for the two ends of a window in whole seconds, ms. */
export const ROUNDED_MS = 2000;
/** Reset in ms, on the scale of its unit. */
function resetMs(sample: Sample): number | null {
  const reset = readReset(sample.reset);
  if (reset === null) return null;
  return reset.unit === 'seconds-to-go' ? sample.answeredAt + reset.seconds * 1000 : reset.unixMs;
}

/** Shorter than any intended window, ms. A bucket's Reset moves as fast as time. */
const STANDSTILL_MS = 2000;

/** Reset in Unix ms. Without one it is NaN, with which every comparison is false. */
const unixMs = (sample: Sample | null | undefined): number => unixReset(sample?.reset ?? null) ?? NaN;

/** Returns by how much Reset moved from one response to another, ms; NaN if either has none. */
export const resetMoved = (earlier: Sample | null | undefined, later: Sample | undefined): number =>
  unixMs(later) - unixMs(earlier);

/** Is true if two responses have the same Reset in Unix seconds. The next window ends later. */
export const isSameWindow = (earlier: Sample | null, later: Sample, figures: Figures): boolean =>
  isLongBySeconds(figures) && Math.abs(resetMoved(earlier, later)) < STANDSTILL_MS;

/** Least distance of two windows' Resets in whole seconds, as far as whole seconds can show it. */
const apartMs = (figures: Figures): number => Math.max(STANDSTILL_MS, minuteMs(figures) - 1000);

/** Is true if a request certainly belongs to the window of `own`, not of `beside`: its Reset equals that of `own`. */
export const isOfWindow = (
  sample: Sample,
  own: Sample | undefined,
  beside: Sample | undefined,
  figures: Figures,
): boolean =>
  Math.abs(resetMoved(own, beside)) >= apartMs(figures) && Math.abs(resetMoved(own, sample)) < STANDSTILL_MS;

/**
 * Is true if, after the response at `index`, an earlier window returns: one that is a window older, or one seen before.
 * Then two servers with two clocks alternate, and no window ended.
 */
export function returnsToEarlier(samples: readonly Sample[], index: number, figures: Figures): boolean {
  const at = samples[index];
  if (at === undefined) return false;
  const before = new Set(isLongBySeconds(figures) ? samples.slice(0, index).map(unixMs) : []);
  return samples.some((other) => {
    if (!wasServed(other) || !describesMinute(other, figures) || other.sentAt < at.answeredAt) return false;
    const back = resetMoved(other, at);
    return back >= apartMs(figures) || (back >= STANDSTILL_MS && before.has(unixMs(other)));
  });
}

/** Slack, ms: Reset is rounded up by up to 1 s, `Date` is rounded down by up to 1 s and may be stale. */
const NOT_YET_MS = 1000 + 1000 + STALE_MS;

/** Is true if the window of an earlier response still went on, by `Date`, when a later request was counted. */
export const stillGoesOn = (earlier: Sample | null, { date, sentAt, answeredAt }: Sample): boolean =>
  date !== null && unixMs(earlier) > date + (answeredAt - sentAt) + NOT_YET_MS;

/** Returns the places where Reset moved by a window. Reset is in whole seconds, so one second less is enough. */
export function resetJumps(samples: readonly Sample[], figures: Figures): readonly number[] {
  const threshold = Math.max(1000, minuteMs(figures) - 1000);
  const jumps: number[] = [];
  let standing: number | null = null;
  for (const [index, sample] of samples.entries()) {
    const reset = describesMinute(sample, figures) ? resetMs(sample) : null;
    if (reset === null) continue;
    if (standing !== null && reset - standing >= threshold && !returnsToEarlier(samples, index, figures))
      jumps.push(index);
    standing = standing === null ? reset : Math.max(standing, reset);
  }
  return jumps;
}

/** Edges of windows are this close to W apart in whole seconds; a bucket's Reset moves 1 s at a time. */
const EDGE_ROUNDED_MS = 500;

/** Is true if Reset of a later response ends a later window than that of an earlier response. */
export const isLaterWindow = (earlier: Sample | null, later: Sample, figures: Figures): boolean =>
  resetMoved(earlier, later) >= minuteMs(figures) - EDGE_ROUNDED_MS;

/**
 * Groups samples by the window of their Reset, if there are two: the order of concurrent requests does not show which
 * counted first. One group if there is one window, or if Reset creeps.
 */
export function byTheirReset(samples: readonly Sample[], figures: Figures): readonly (readonly Sample[])[] {
  const withReset = samples.flatMap((sample) => {
    const at = describesMinute(sample, figures) ? unixReset(sample.reset) : null;
    return at === null ? [] : [{ sample, at }];
  });
  if (withReset.length < samples.length) return [samples];
  const inOrder = withReset.toSorted((one, other) => one.at - other.at);
  const edge = inOrder.findIndex(
    ({ at }, index) => at - (inOrder[index - 1]?.at ?? at) >= minuteMs(figures) - EDGE_ROUNDED_MS,
  );
  const own = (from: number, to?: number): readonly Sample[] => inOrder.slice(from, to).map(({ sample }) => sample);
  const later = edge === -1 ? [] : own(edge);
  const isInTurn = later.some((sample) => returnsToEarlier(samples, samples.indexOf(sample), figures));
  return edge === -1 || isInTurn ? [samples] : [own(0, edge), later];
}
