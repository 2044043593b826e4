import { isLongBySeconds, minuteMs } from '../../limits/bounds.js';
import type { ServerClock } from '../../limits/clock.js';
import { readReset } from '../../limits/headers/header-number.js';
import { isSameWindow } from '../../limits/reset-edges.js';
import type { Sample } from '../../limits/sample.js';
import type { Figures } from '../../limits/series.js';

const SECOND_MS = 1000;

/**
 * How far into a second a request is refused, counted from the second in which its window ends: of the wait that is left
 * four tenths then stand over, which whoever rounds to the nearest second leaves out. They are the room for latency.
 */
const PHASE_MS = 600;

/** A phase this much later shows it as well, and is not worth another pause, ms. */
const STILL_SHOWS_MS = 100;

/** What the moment of a refusal is chosen by. */
export interface Phase {
  readonly figures: Figures;
  readonly now: number;
  readonly clock: ServerClock | null;
  readonly latencyMs: number;
  /** What the run sent with this key before, oldest first. */
  readonly earlier?: readonly Sample[];
}

/**
 * When to send the request that is expected to be refused, so that a Retry-After rounded to the nearest second is too
 * short: within a second, Unix ms; null where it may go at once. A window ends a whole number of seconds after its first
 * request, or, of the calendar, with a second of the server's clock; of shorter windows a second is too large a part.
 * @param own the first request of the burst in that window, which others of the run may have begun
 */
export function refusalAt(own: Sample, { figures, now, clock, latencyMs, earlier = [] }: Phase): number | null {
  if (!isLongBySeconds(figures)) return null;
  const first = firstOfWindow(own, figures, earlier);
  // It may have opened a connection, which the refusal does not.
  const begunAt = Math.max(first.sentAt, first.answeredAt - latencyMs);
  const origin = isOfCalendar(first, figures) && clock !== null ? -clock.lowMs : begunAt;
  const late = modulo(now - origin - PHASE_MS, SECOND_MS);
  return late <= STILL_SHOWS_MS ? null : now + SECOND_MS - late;
}

/** The request that began the window of another. */
const firstOfWindow = (own: Sample, figures: Figures, earlier: readonly Sample[]): Sample =>
  earlier.find((one) => one.answeredAt <= own.sentAt && isSameWindow(one, own, figures)) ?? own;

/** Some servers' clocks tick so seldom, ms. */
const TICK_MS = 16;

/**
 * Whether a refusal came at such a moment for certain, wherever between sending and answer the server had looked at it and
 * at the first request of its window.
 * @param overMs by how much the wait that it asked for was over, at the most, when the server looked at the next request
 */
export function showsRounding(
  own: Sample,
  refusal: Sample,
  overMs: number,
  { figures, clock, earlier = [] }: Pick<Phase, 'figures' | 'clock' | 'earlier'>,
): boolean {
  if (!isLongBySeconds(figures)) return false;
  const first = firstOfWindow(own, figures, earlier);
  const begun =
    isOfCalendar(first, figures) && clock !== null
      ? { earliest: -clock.highMs, latest: -clock.lowMs }
      : { earliest: first.sentAt, latest: first.answeredAt };
  const phaseMs = modulo(refusal.sentAt - begun.latest, SECOND_MS);
  return phaseMs > SECOND_MS / 2 && phaseMs + begun.latest - begun.earliest + overMs < SECOND_MS - TICK_MS;
}

/** What is left of the allowance while single requests tell the server's clock: each of them halves what is unknown of it. */
const TELL_THE_CLOCK = { most: 4, least: 2 } as const;

/** Known so well, a phase that is chosen by the clock still shows, ms. */
const KNOWN_WELL_MS = 250;

/** A Date leaves a second open and the way to the server besides; more than this is open where Dates are stale, ms. */
const MOST_UNKNOWN_MS = 1500;

/**
 * When to send the next request so that its Date tells whether the server's second had ended by the middle of the time in
 * which it may: Unix ms; null where windows do not begin with the minute, where the clock is known well, or stale, and
 * where as much is left that requests go side by side.
 * @param left what is left of the allowance
 */
export function halvingAt(
  own: Sample,
  left: number | null,
  { figures, now, clock }: Pick<Phase, 'figures' | 'now' | 'clock'>,
): number | null {
  if (clock === null || !isLongBySeconds(figures) || !isOfCalendar(own, figures)) return null;
  if (left === null || left > TELL_THE_CLOCK.most || left < TELL_THE_CLOCK.least) return null;
  const unknownMs = clock.highMs - clock.lowMs;
  if (unknownMs <= KNOWN_WELL_MS || unknownMs > MOST_UNKNOWN_MS) return null;
  return now + modulo(-(clock.lowMs + clock.highMs) / 2 - now, SECOND_MS);
}

/** Whether windows begin with the minute, by a Reset that is a whole number of windows. */
function isOfCalendar({ reset }: Sample, figures: Figures): boolean {
  const told = readReset(reset);
  return told?.unit === 'unix-seconds' && told.unixMs % minuteMs(figures) === 0;
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by;
