import { plainInteger } from './headers/header-number.js';
import type { Figures } from './series.js';
import { speaksOfDay, wasRefused, wasServed, type Sample } from './sample.js';
import { spansAt, type Spans } from './bounds.js';
import { clockBounds, type ClockBounds } from './clock.js';
import type { Fold } from './fold.js';
import { everyAnswer, type EveryAnswer } from './headers/headers-present.js';

/** How far Remaining fell over some requests, and how far it may have. */
interface Miscount {
  readonly fall: number;
  readonly least: number;
  readonly most: number;
  readonly requests: number;
}

/** Remaining of the day, as answers to requests one after the other told it. */
interface DayLefts {
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
function withLeft(lefts: DayLefts, sample: Sample, figures: Figures): DayLefts {
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

/** The length of a plan's day in ms. */
export const dayMs = ({ daySeconds }: Figures): number => daySeconds * 1000;

/** A day is looked at in so many parts, of a minute each: fine enough, and few enough to keep. */
const PARTS_OF_A_DAY = 1440;

/** What was sent in one part of a day. */
interface DayPart {
  /** Sending of the first and of the last request, Unix ms. */
  readonly from: number;
  readonly to: number;
  /** Served, or sent without an answer coming back: each of them may have been counted. */
  readonly used: number;
  /** Answered, but not served: limiters differ in whether these use the day, and one that refuses for the day's sake does not. */
  readonly unserved: number;
}

/** How a key's day was used up, as far as the quota of a day has to know it. */
export interface DayCourse {
  readonly requests: number;
  /** Spans between served requests, by a day's rate. */
  readonly served: Spans;
  /** The first answer whose headers speak of the day. */
  readonly firstOfDay: Sample | null;
  readonly parts: readonly DayPart[];
  /** The part that is still going on. */
  readonly open: DayPart | null;
  /** The last answer that was not a service, and how much of the day before it was used by then, and how much more by those not served; null before any. */
  readonly over: { readonly status: number; readonly used: number; readonly unserved: number } | null;
  readonly lefts: DayLefts;
}

/** All parts so far, in the order of time. */
export const partsOf = ({ parts, open }: DayCourse): readonly DayPart[] => (open === null ? parts : [...parts, open]);

/** Follows a key's requests over a day, those that went before the day's own profile included. */
export function dayCourse(figures: Figures): Fold<DayCourse> {
  const day = dayMs(figures);
  const served = spansAt(figures.perDay / day);
  const placeOf = (at: number): number => Math.floor((at / day) * PARTS_OF_A_DAY);
  return {
    none: { requests: 0, served: served.none, firstOfDay: null, parts: [], open: null, over: null, lefts: NO_LEFTS },
    with(course, sample) {
      const { parts, open } = course;
      const { sentAt } = sample;
      const used = wasServed(sample) || sample.status === 0 ? 1 : 0;
      const unserved = used === 0 && !(wasRefused(sample) && speaksOfDay(sample, figures)) ? 1 : 0;
      const goesOn = open !== null && placeOf(open.from) === placeOf(sentAt);
      return {
        requests: course.requests + 1,
        served: wasServed(sample) ? served.with(course.served, sample) : course.served,
        firstOfDay: course.firstOfDay ?? (speaksOfDay(sample, figures) ? sample : null),
        parts: goesOn || open === null ? parts : [...parts, open],
        open: goesOn
          ? { ...open, to: sentAt, used: open.used + used, unserved: open.unserved + unserved }
          : { from: sentAt, to: sentAt, used, unserved },
        lefts: withLeft(course.lefts, sample, figures),
        over: used > 0 ? course.over : { status: sample.status, ...usedSince(course, sentAt - day) },
      };
    },
  };
}

/** What was used since a time, and not served; a part that began before it is left out, so that this is never too much. */
function usedSince(course: DayCourse, since: number): { readonly used: number; readonly unserved: number } {
  const parts = partsOf(course).filter(({ from }) => from > since);
  const sum = (of: (part: DayPart) => number): number => parts.reduce((total, part) => total + of(part), 0);
  return { used: sum(({ used }) => used), unserved: sum(({ unserved }) => unserved) };
}

/**
 * A day's requests, too many to be kept one by one: what the rows of every answer, the server's clock and the quota of
 * the day know of them.
 */
export interface Day {
  readonly answers: EveryAnswer;
  readonly clock: ClockBounds;
  readonly course: DayCourse;
}

/** Follows the requests that use up a day, in the order of sending. */
export function dayOf(figures: Figures): Fold<Day> {
  const [answers, course] = [everyAnswer(figures), dayCourse(figures)];
  return {
    none: { answers: answers.none, clock: clockBounds.none, course: course.none },
    with: (day, sample) => ({
      answers: answers.with(day.answers, sample),
      clock: clockBounds.with(day.clock, sample),
      course: course.with(day.course, sample),
    }),
  };
}
