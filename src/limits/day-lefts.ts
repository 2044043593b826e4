import { speaksOfDay, wasRefused, wasServed } from './answers.js';
import { plainInteger } from './headers/header-number.js';
import type { Sample } from './sample.js';
import type { Figures } from './series.js';

/** How far Remaining fell over some requests, and how far it may have. */
export interface Miscount {
  readonly fall: number;
  readonly least: number;
  readonly most: number;
  readonly requests: number;
}

/** Remaining of the day, as answers to requests one after the other told it. */
export interface DayLefts {
  /** What the first of these answers told, and the last; null before any. */
  readonly first: number | null;
  readonly last: number | null;
  /** Requests served since the first. */
  readonly served: number;
  /** Sending of the first, and the last answer, Unix ms. */
  readonly from: number;
  readonly to: number;
  /** What was wrong with it first; null where nothing was. */
  readonly miscount: Miscount | null;
  /** What the answer before had promised when a refusal for the day's sake came; null where no promise was broken. */
  readonly broken: number | null;
}

/** Nothing was told yet. */
export const NO_LEFTS: DayLefts = {
  first: null,
  last: null,
  served: 0,
  from: 0,
  to: -Infinity,
  miscount: null,
  broken: null,
};

/** Rounding may hide or show one request, at either end. */
const ROUNDING = 2;

/** Follows Remaining of the day, while requests go one by one and the headers speak of nothing else. */
export function withLeft(lefts: DayLefts, sample: Sample, figures: Figures): DayLefts {
  const { sentAt, answeredAt } = sample;
  const left = plainInteger(sample.remaining);
  const to = Math.max(lefts.to, answeredAt);
  const isLone = sentAt >= lefts.to;
  const isOfDay = left !== null && speaksOfDay(sample, figures);
  if (isOfDay && wasRefused(sample)) {
    const isBroken = isLone && lefts.last !== null && lefts.last > 0;
    return { ...lefts, to, broken: lefts.broken ?? (isBroken ? lefts.last : null) };
  }
  if (!isOfDay || !wasServed(sample)) return { ...lefts, to, first: null, last: null };
  const { first, last } = lefts;
  // A day that began anew, and requests side by side, begin a new count.
  if (first === null || last === null || !isLone || left > last + 1)
    return { ...lefts, first: left, last: left, served: 0, from: sentAt, to };
  const counted: DayLefts = { ...lefts, last: left, served: lefts.served + 1, to };
  return { ...counted, miscount: lefts.miscount ?? miscountOf(first - left, counted, figures) };
}

function miscountOf(fall: number, { served, from, to }: DayLefts, figures: Figures): Miscount | null {
  const least = served - (figures.perDay * (to - from)) / (figures.daySeconds * 1000);
  if (fall <= served + ROUNDING && fall >= least - ROUNDING) return null;
  return { fall, least: Math.max(0, Math.floor(least)), most: served, requests: served + 1 };
}
