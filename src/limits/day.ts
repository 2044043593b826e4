import type { Movement } from './remaining-movement.js';
import { plainInteger } from './headers/header-number.js';
import { describesDay, together, wasRefused, wasServed, type Sample, type Fold } from './sample.js';
import { spansAt, type Spans, type Figures } from './bounds.js';
import { clockBounds } from './clock.js';
import { rateTally } from './headers/rate-tally.js';

/** Fall of Remaining over some requests, with its bounds. */
type Miscount = Pick<Movement, 'fall' | 'least' | 'most' | 'requests'>;

/** Remaining of the day, in responses to requests one by one. */
type DayLefts = Readonly<typeof NO_LEFTS>;

export const NO_LEFTS = {
  /** Remaining of the first of these responses and of the last; null before any. */
  first: null as number | null,
  last: null as number | null,
  /** Requests allowed after the first. */
  served: 0,
  /** Sending of the first request, and the latest response, Unix ms. */
  from: 0,
  to: -Infinity,
  /** First fault of Remaining; null without one. */
  miscount: null as Miscount | null,
  /** Remaining just before a refusal by the day's limit; null if no refusal came too early. */
  broken: null as number | null,
};

/** Requests of slack: rounding may hide or show one at either end. */
const ROUNDING = 2;

/** Follows Remaining of the day, while requests go one by one and the headers describe only the day. */
function withLeft(lefts: DayLefts, sample: Sample, figures: Figures): DayLefts {
  const { sentAt, answeredAt } = sample;
  const left = plainInteger(sample.remaining);
  const to = Math.max(lefts.to, answeredAt);
  const isLone = sentAt >= lefts.to;
  const isOfDay = left !== null && describesDay(sample, figures);
  if (isOfDay && wasRefused(sample)) {
    const isBroken = isLone && lefts.last !== null && lefts.last > 0;
    return { ...lefts, to, broken: lefts.broken ?? (isBroken ? lefts.last : null) };
  }
  if (!isOfDay || !wasServed(sample)) return { ...lefts, to, first: null, last: null };
  const { first, last } = lefts;
  // A new day and concurrent requests start a new count.
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

/** Returns the length of a plan's day in ms. */
export const dayMs = ({ daySeconds }: Figures): number => daySeconds * 1000;

/** Parts of a day, one minute each: fine enough, and few enough to keep. */
const PARTS_OF_A_DAY = 1440;

/** Requests sent in one part of a day. */
interface DayPart {
  readonly from: number;
  readonly to: number;
  /** Requests that may have counted: allowed, or sent without a response. */
  readonly used: number;
  /** Other requests with a response. Limiters differ in whether these count; a refusal by the day's limit does not. */
  readonly unserved: number;
}

/** Use of a key's day, as far as the day quota needs it. */
export interface DayCourse {
  readonly requests: number;
  /** Spans of allowed requests, at a day's rate. */
  readonly served: Spans;
  /** First response whose headers describe the day. */
  readonly firstOfDay: Sample | null;
  /** In order of time. */
  readonly parts: readonly DayPart[];
  /** Last response that did not allow its request, with the use of the day before it; null before any. */
  readonly over: { readonly status: number; readonly used: number; readonly unserved: number } | null;
  readonly lefts: DayLefts;
}

/** Follows a key's requests over a day, including those before the day's own profile. */
export function dayCourse(figures: Figures): Fold<DayCourse> {
  const day = dayMs(figures);
  const served = spansAt(figures.perDay / day);
  const placeOf = (at: number): number => Math.floor((at / day) * PARTS_OF_A_DAY);
  return {
    none: { requests: 0, served: served.none, firstOfDay: null, parts: [], over: null, lefts: NO_LEFTS },
    with(course, sample) {
      const { parts } = course;
      const { sentAt } = sample;
      const open = parts.at(-1);
      const used = wasServed(sample) || sample.status === 0 ? 1 : 0;
      const unserved = used === 0 && !(wasRefused(sample) && describesDay(sample, figures)) ? 1 : 0;
      return {
        requests: course.requests + 1,
        served: wasServed(sample) ? served.with(course.served, sample) : course.served,
        firstOfDay: course.firstOfDay ?? (describesDay(sample, figures) ? sample : null),
        parts:
          open && placeOf(open.from) === placeOf(sentAt)
            ? parts.with(parts.length - 1, {
                ...open,
                to: sentAt,
                used: open.used + used,
                unserved: open.unserved + unserved,
              })
            : [...parts, { from: sentAt, to: sentAt, used, unserved }],
        lefts: withLeft(course.lefts, sample, figures),
        over: used > 0 ? course.over : { status: sample.status, ...usedSince(course, sentAt - day) },
      };
    },
  };
}

/** Sums used and unserved requests since a time. A part that began earlier is left out: the sum is never too high. */
function usedSince(course: DayCourse, since: number) {
  const parts = course.parts.filter(({ from }) => from > since);
  const sum = (of: (part: DayPart) => number): number => parts.reduce((total, part) => total + of(part), 0);
  return { used: sum(({ used }) => used), unserved: sum(({ unserved }) => unserved) };
}

/**
 * A day's requests, too many to keep each: what is needed for the requirements on every response, the server's clock
 * and the day quota.
 */
export type Day = Readonly<ReturnType<typeof dayOf>['none']>;

/** Follows the requests that use up a day, in order of sending. */
export const dayOf = (figures: Figures) =>
  together({ answers: rateTally(figures), clock: clockBounds, course: dayCourse(figures) });
