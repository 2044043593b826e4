import { isLongBySeconds, minuteMs, refilled } from '../../limits/bounds.js';
import { largestClump } from '../../limits/came-back.js';
import { readRetryAfter, waitOf } from '../../limits/headers/retry-after.js';
import type { Figures, KeySeries } from '../../limits/series.js';
import type { Gain } from './gains.js';
import { isOfOneWindow } from './shortfall.js';
import { bySending, mayHaveCounted, speaksOfDay, wasRefused, wasServed, type Sample } from '../../limits/sample.js';
import { STALE_MS } from '../../limits/reset-edges.js';

/** Clocks and schedules are not exact. */
const TOLERANCE = 0.95;

/** In so much of a window no window and no log serves so many times the allowance, but for one that begins anew. */
const SOONER = { share: 0.7, times: 1.1 };
/** A window that begins anew gives back all but what its first answers hide. */
const NEARLY_WHOLE = 0.9;

/** A wait is rounded up to whole seconds; a date is by the server's clock as well, which is read in such and may be stale. */
const ROUNDED_MS = { seconds: 1000, date: 2000 + STALE_MS };
/** Who comes back this much later than told may have missed a clump. */
const MOST_LATE_MS = 2000;

/** What came back in clumps to a client that had used up all, and the least that the plan's rate brings meanwhile. */
export interface Lack {
  readonly kind: 'lacks';
  readonly served: number;
  readonly least: number;
  readonly elapsedMs: number;
  /** No beat explains it. Else one would that is shorter than the waits that were told. */
  readonly isSure: boolean;
}

/** What a bucket that gives back in clumps of this size was seen to give back: too little, or as much as tells nothing. */
export type SlowReturn = Lack | { readonly kind: 'untold'; readonly clump: number };

/** Nothing was left: refusals with nothing served between them. */
interface Dry {
  readonly first: Sample;
  readonly last: Sample;
  /** How long after its beat the client came back at the most, ms; null where it was not told, or came at another time. */
  readonly lateMs: number | null;
}

/**
 * Whether a bucket that gives back in clumps gives back less than the plan; null where it is none, or is seen to give
 * enough. Between two moments at which nothing was left all that came back was served: at least what the plan's rate brings
 * in that time, but for one clump, whose beat may have been about to come. Who comes back when told to comes just after a
 * beat, and between two of these there is nothing to take off.
 * @param every every sample of the key, in the order of sending
 */
export function slowReturn(key: KeySeries, every: readonly Sample[], [first]: readonly Gain[]): SlowReturn | null {
  const { figures, fresh, steady } = key;
  // What comes after two windows without a request is begun with a full bucket.
  const later = new Set([...(fresh?.samples ?? []), ...(steady?.samples ?? [])]);
  const all = every.filter((sample) => !later.has(sample));
  const { size, sudden, isSooner } = largestClump(all, figures);
  const clump = Math.max(size, sudden);
  // What is no sooner than evenly is no clump: a sliding counter brings as much in a pause, and a single one at any moment.
  const isClump = isSooner || sudden > 1;
  if (first === undefined || !isClump || !isLongBySeconds(figures) || !isOfOneWindow(key, first)) return null;
  const whole = NEARLY_WHOLE * figures.perMinute;
  const dries = driesOf(all, figures);
  const steps = dries.slice(1).map((dry, index) => spanOf(dries[index] ?? dry, dry, all, figures));
  const beginsAnew = steps.some(({ served, brought }) => served >= whole && brought < whole);
  if (beginsAnew || !servesSooner(all, figures)) return null;
  // What waits longer for the first of it than later does not come at a beat: a sliding window lets go of what it holds.
  const start = isToldLater(dries) ? 0 : 1;
  // A bucket that was full has lost what came meanwhile.
  const full = steps.findIndex(({ brought }, at) => at >= start && brought + clump > first.held);
  const among = dries.slice(start, full < 0 ? undefined : full + 1);
  const longest = (some: readonly Dry[]): DrySpan | null => {
    const [from, to] = [some[0], some.at(-1)];
    return from === undefined || to === undefined || from === to ? null : spanOf(from, to, all, figures);
  };
  const between = longest(among);
  if (between === null) return { kind: 'untold', clump };
  const least = leastOf(between.brought) - clump;
  if (between.served < least) return { kind: 'lacks', isSure: true, least, ...between };
  const inTime = longest(among.filter(({ lateMs }) => lateMs !== null));
  if (inTime === null || inTime.lateMs === null) return { kind: 'untold', clump };
  const { served, elapsedMs, lateMs } = inTime;
  const told = leastOf(refilled(figures, elapsedMs - lateMs.to));
  if (served < told) return { kind: 'lacks', isSure: false, served, least: told, elapsedMs };
  return served < TOLERANCE * refilled(figures, elapsedMs + lateMs.from) ? { kind: 'untold', clump } : null;
}

/** Whether the first wait was no longer than one that was told later. */
function isToldLater(dries: readonly Dry[]): boolean {
  const [first, ...later] = dries.map(({ last }) => waitOf(last));
  const longest = later.reduce<number>((most, wait) => Math.max(most, wait ?? 0), 0);
  return first !== null && first !== undefined && first <= longest + ROUNDED_MS.seconds;
}

/** Of what the plan's rate brings, the least that shows in whole requests. */
const leastOf = (brought: number): number => Math.floor(TOLERANCE * brought) - 1;

/** What was served between two moments, and what the plan's rate brings at the least. */
interface DrySpan {
  readonly served: number;
  readonly brought: number;
  readonly elapsedMs: number;
  /** How late the client came back before each of the two, at the most; null where one of them was not told. */
  readonly lateMs: { readonly from: number; readonly to: number } | null;
}

function spanOf(from: Dry, to: Dry, all: readonly Sample[], figures: Figures): DrySpan {
  const elapsedMs = Math.max(0, to.first.sentAt - from.last.answeredAt);
  const served = all.filter(
    (sample) => mayHaveCounted(sample) && sample.answeredAt > from.last.sentAt && sample.sentAt < to.first.answeredAt,
  ).length;
  const lateMs = from.lateMs === null || to.lateMs === null ? null : { from: from.lateMs, to: to.lateMs };
  return { served, brought: refilled(figures, elapsedMs), elapsedMs, lateMs };
}

function driesOf(all: readonly Sample[], figures: Figures): readonly Dry[] {
  const dries: Dry[] = [];
  let returned: Sample | null = null;
  for (const sample of all) {
    const before = dries.at(-1);
    if (wasServed(sample)) returned ??= sample;
    else if (!wasRefused(sample) || speaksOfDay(sample, figures)) continue;
    else if (before !== undefined && returned === null) dries[dries.length - 1] = { ...before, last: sample };
    else {
      const lateMs = before === undefined || returned === null ? null : lateAfter(before.last, returned);
      dries.push({ first: sample, last: sample, lateMs });
      returned = null;
    }
  }
  return dries;
}

/** How long after the beat that a refusal tells of a request was sent at the most, ms. */
function lateAfter(refusal: Sample, returned: Sample): number | null {
  const [wait, { kind }] = [waitOf(refusal), readRetryAfter(refusal.retryAfter)];
  if (wait === null || (kind !== 'seconds' && kind !== 'date')) return null;
  const lateMs = returned.sentAt - refusal.answeredAt - wait;
  return lateMs >= 0 && lateMs <= MOST_LATE_MS ? lateMs + ROUNDED_MS[kind] : null;
}

/** Whether more was served than windows and logs serve in that time: what came back did so bit by bit. */
function servesSooner(all: readonly Sample[], figures: Figures): boolean {
  const served = bySending(all.filter(wasServed));
  const many = Math.ceil(SOONER.times * figures.perMinute);
  const within = SOONER.share * minuteMs(figures);
  return served.some((sample, index) => (served[index + many]?.answeredAt ?? Infinity) - sample.sentAt <= within);
}
