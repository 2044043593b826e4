import { isLongBySeconds, minuteMs, ROUNDED_UP_MS, type Figures } from './bounds.js';
import { resetTime, type ServerClock } from './clock.js';
import { unixReset } from '../../base/interface/rate-headers.js';
import { isSameWindow } from './reset-edges.js';
import type { Sample } from './sample.js';

const SECOND_MS = 1000;

/**
 * Phase of a 429 within the seconds of its window, ms. Of the wait, 0.4 s then exceed whole seconds, and
 * rounding to the nearest second drops them. They are the room for latency.
 */
const PHASE_MS = 600;
/** Lateness that still shows rounding and needs no further pause, ms. */
const STILL_SHOWS_MS = 100;

export interface Phase {
  readonly figures: Figures;
  readonly now: number;
  readonly clock: ServerClock | null;
  readonly latencyMs: number;
  /** Earlier requests of the run with this key, oldest first. */
  readonly earlier?: readonly Sample[];
}

/**
 * Returns when to send the request that should get 429, so that a Retry-After rounded to the nearest second
 * is too short. Within 1 s, Unix ms; null for now. A window ends whole seconds after its first request or, if
 * aligned to the clock, with a server's second. For shorter windows a second is too much.
 *
 * @param own first request of the burst in that window, which other requests may have begun
 */
export function refusalAt(
  own: Sample,
  { figures, now, clock, latencyMs, earlier = [] }: Phase,
): number | null {
  if (!isLongBySeconds(figures)) return null;
  const first = firstOfWindow(own, figures, earlier);
  // It may have opened a connection; the later 429 does not.
  const begunAt = Math.max(first.sentAt, first.answeredAt - latencyMs);
  const origin = isOfCalendar(first, figures) && clock !== null ? -clock.lowMs : begunAt;
  const late = modulo(now - origin - PHASE_MS, SECOND_MS);
  return late <= STILL_SHOWS_MS ? null : now + SECOND_MS - late;
}

const firstOfWindow = (own: Sample, figures: Figures, earlier: readonly Sample[]): Sample =>
  earlier.find((one) => one.answeredAt <= own.sentAt && isSameWindow(one, own, figures)) ?? own;

/** Longest clock tick of some servers, ms. */
const TICK_MS = 16;

/**
 * Is true if a 429 certainly came at such a moment, whenever the server handled it and the first request of
 * its window.
 *
 * @param overMs most by which the wait was over when the server handled the next request
 */
export function showsRounding(
  own: Sample,
  refusal: Sample,
  overMs: number,
  { figures, clock, earlier = [] }: Pick<Phase, 'figures' | 'clock' | 'earlier'>,
): boolean {
  if (!isLongBySeconds(figures)) return false;
  const first = firstOfWindow(own, figures, earlier);
  const isAligned = isOfCalendar(first, figures) && clock !== null;
  if (!isAligned && !mayHaveBegun(first, figures, clock)) return false;
  const begun = isAligned
    ? { earliest: -clock.highMs, latest: -clock.lowMs }
    : { earliest: first.sentAt, latest: first.answeredAt };
  const phaseMs = modulo(refusal.sentAt - begun.latest, SECOND_MS);
  return phaseMs > SECOND_MS / 2 && phaseMs + begun.latest - begun.earliest + overMs < SECOND_MS - TICK_MS;
}

/**
 * True if a window may have begun with a request: Reset is a window later, as far as whole seconds show.
 * Other windows begin at any time.
 */
function mayHaveBegun(first: Sample, figures: Figures, clock: ServerClock | null): boolean {
  const reset = resetTime(first, clock);
  if (reset === null) return true;
  return (
    reset.latest >= first.sentAt + minuteMs(figures) - ROUNDED_UP_MS &&
    reset.earliest <= first.answeredAt + minuteMs(figures) + ROUNDED_UP_MS
  );
}

/** Remaining while single requests narrow down the server's clock. Each halves the uncertainty. */
const LEFT_FOR_CLOCK = { most: 4, least: 2 } as const;

/** Uncertainty at which a phase by the server's clock still shows, ms. */
const KNOWN_WELL_MS = 250;
/** Uncertainty of a fresh `Date`: 1 s and the way to the server. More means that `Date` is stale, ms. */
const MOST_UNKNOWN_MS = 1500;

/**
 * Returns when to send a request whose `Date` halves the uncertainty about the server's second, Unix ms. Null
 * if windows are not aligned to the clock, if the clock is well known or stale, or if so much is left that
 * requests are concurrent.
 *
 * @param left Remaining of the allowance
 */
export function halvingAt(
  own: Sample,
  left: number | null,
  { figures, now, clock }: Pick<Phase, 'figures' | 'now' | 'clock'>,
): number | null {
  if (clock === null || !isLongBySeconds(figures) || !isOfCalendar(own, figures)) return null;
  if (left === null || left > LEFT_FOR_CLOCK.most || left < LEFT_FOR_CLOCK.least) return null;
  const unknownMs = clock.highMs - clock.lowMs;
  if (unknownMs <= KNOWN_WELL_MS || unknownMs > MOST_UNKNOWN_MS) return null;
  return now + modulo(-(clock.lowMs + clock.highMs) / 2 - now, SECOND_MS);
}

/** True if windows are aligned to the clock: Reset is a whole number of windows. */
function isOfCalendar({ reset }: Sample, figures: Figures): boolean {
  const resetMs = unixReset(reset);
  return resetMs !== null && resetMs % minuteMs(figures) === 0;
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by;
