import { minuteMs, isLongBySeconds } from './bounds.js';
import { readReset } from './headers/header-number.js';
import { type Sample, speaksOfMinute, wasServed } from './sample.js';
import type { Figures } from './series.js';

/** Both ends of a window are told in whole seconds, ms. */
export const ROUNDED_MS = 2000;

/** Where on the server's clock a date lies, answers tell from second to second, and `Date` was seen 2.3 s stale. */
export const STALE_MS = 2300;

/** What comes back by fewer beats than these in a window shows in what a burst gets. */
export const BEATS = 10;

/** Answers one after the other that told the same Reset, in the server's ms. */
export interface Edge {
  readonly unixMs: number;
  readonly samples: readonly Sample[];
}

/** What was told of Reset, one time after the other, by samples in the order of sending. */
export function edgesOf(samples: readonly Sample[]): readonly Edge[] {
  const edges: { readonly unixMs: number; readonly samples: Sample[] }[] = [];
  for (const sample of samples) {
    const read = readReset(sample.reset);
    if (read?.unit !== 'unix-seconds') continue;
    const last = edges.at(-1);
    if (last !== undefined && Math.abs(read.unixMs - last.unixMs) <= ROUNDED_MS) last.samples.push(sample);
    else edges.push({ unixMs: read.unixMs, samples: [sample] });
  }
  return edges;
}

/** Whether Reset moves on bit by bit, as the time does until a bucket is full. */
export const creeps = (told: readonly Edge[], figures: Figures): boolean =>
  told.some(({ unixMs }, index) => {
    const by = unixMs - (told[index - 1]?.unixMs ?? -Infinity);
    return by > 0 && by <= minuteMs(figures) / BEATS;
  });

/** Reset in ms, on the scale of whatever unit it is written in. */
function resetMs(sample: Sample): number | null {
  const reset = readReset(sample.reset);
  if (reset === null) return null;
  return reset.unit === 'seconds-to-go' ? sample.answeredAt + reset.seconds * 1000 : reset.unixMs;
}

/** Less than the shortest window that anybody means; what a bucket tells moves by as much as time does. */
const STANDSTILL_MS = 2000;

/** Whether two answers, by Reset in Unix seconds, speak of one window: the end of the next one is later. */
export function isSameWindow(earlier: Sample | null, later: Sample, figures: Figures): boolean {
  const [before, after] = [earlier === null ? null : readReset(earlier.reset), readReset(later.reset)];
  if (before?.unit !== 'unix-seconds' || after?.unit !== 'unix-seconds' || !isLongBySeconds(figures)) return false;
  return Math.abs(after.unixMs - before.unixMs) < STANDSTILL_MS;
}

/** Reset in Unix ms where it is told in Unix seconds, as it should be. */
function unixMs(sample: Sample | null | undefined): number | null {
  const reset = sample ? readReset(sample.reset) : null;
  return reset?.unit === 'unix-seconds' ? reset.unixMs : null;
}

/** How far apart the Resets of two windows are at least, told in whole seconds, where whole seconds can tell windows apart. */
const apartMs = (figures: Figures): number => Math.max(STANDSTILL_MS, minuteMs(figures) - 1000);

/** Whether a request is surely of the window that `own` tells and not of the one beside it: its Reset says so, and theirs differ. */
export function tellsItsWindow(
  sample: Sample,
  own: Sample | undefined,
  beside: Sample | undefined,
  figures: Figures,
): boolean {
  const [at, here, there] = [unixMs(sample), unixMs(own), unixMs(beside)];
  if (at === null || here === null || there === null) return false;
  return Math.abs(here - there) >= apartMs(figures) && Math.abs(at - here) < STANDSTILL_MS;
}

/**
 * Whether, once the request at `index` was answered, an earlier window is told again, one that lies as far back as a window is
 * long or was told before: then two clocks are told in turn, of servers side by side, and no window ended.
 */
export function returnsToEarlier(samples: readonly Sample[], index: number, figures: Figures): boolean {
  const at = samples[index];
  const reset = unixMs(at);
  if (at === undefined || reset === null) return false;
  const before = new Set(isLongBySeconds(figures) ? samples.slice(0, index).map(unixMs) : []);
  return samples.some((other) => {
    const isRead = wasServed(other) && speaksOfMinute(other, figures) && other.sentAt >= at.answeredAt;
    const told = isRead ? unixMs(other) : null;
    if (told === null) return false;
    return reset - told >= apartMs(figures) || (reset - told >= STANDSTILL_MS && before.has(told));
  });
}

/** A Reset is rounded up by as much as a second, and a `Date` rounded down by as much and as stale as sound servers' are, ms. */
const NOT_YET_MS = 1000 + 1000 + STALE_MS;

/** Whether the window that an earlier answer tells still went on, by the server's own `Date`, when a later request was counted. */
export function stillGoesOn(earlier: Sample | null, later: Sample): boolean {
  const end = unixMs(earlier);
  if (end === null || later.date === null) return false;
  return end > later.date + (later.answeredAt - later.sentAt) + NOT_YET_MS;
}

/** Places where Reset moved on by a window; it is rounded to whole seconds, hence the second less. */
export function resetJumps(samples: readonly Sample[], figures: Figures): readonly number[] {
  const threshold = Math.max(1000, minuteMs(figures) - 1000);
  const jumps: number[] = [];
  let standing: number | null = null;
  for (const [index, sample] of samples.entries()) {
    const reset = speaksOfMinute(sample, figures) ? resetMs(sample) : null;
    if (reset === null) continue;
    if (standing !== null && reset - standing >= threshold && !returnsToEarlier(samples, index, figures))
      jumps.push(index);
    standing = standing === null ? reset : Math.max(standing, reset);
  }
  return jumps;
}

/** Windows whose edges are told in whole seconds lie so close to W apart; what a bucket tells moves by a second at a time. */
const EDGE_ROUNDED_MS = 500;

/** Whether a later answer tells the end of a window that comes after the one that an earlier one told. */
export function isLaterWindow(earlier: Sample | null, later: Sample, figures: Figures): boolean {
  const [before, after] = [unixMs(earlier), unixMs(later)];
  return before !== null && after !== null && after - before >= minuteMs(figures) - EDGE_ROUNDED_MS;
}

/**
 * The samples by the window that their Reset tells, where it tells two: among requests that were under way together no
 * order shows which was counted first. All in one where it tells one, or where it creeps.
 */
export function byTheirReset(samples: readonly Sample[], figures: Figures): readonly (readonly Sample[])[] {
  const told = samples.flatMap((sample) => {
    const reset = speaksOfMinute(sample, figures) ? readReset(sample.reset) : null;
    return reset?.unit === 'unix-seconds' ? [{ sample, at: reset.unixMs }] : [];
  });
  if (told.length < samples.length) return [samples];
  const inOrder = told.toSorted((one, other) => one.at - other.at);
  const edge = inOrder.findIndex(
    ({ at }, index) => at - (inOrder[index - 1]?.at ?? at) >= minuteMs(figures) - EDGE_ROUNDED_MS,
  );
  const own = (from: number, to?: number): readonly Sample[] => inOrder.slice(from, to).map(({ sample }) => sample);
  const later = edge === -1 ? [] : own(edge);
  const isInTurn = later.some((sample) => returnsToEarlier(samples, samples.indexOf(sample), figures));
  return edge === -1 || isInTurn ? [samples] : [own(0, edge), later];
}
