import { DAY_MS } from '../kernel/day.js';

/** Position of a day relative to the removal of the deprecated operation (parts 4 and 9). */
export type RemovalPhase = 'before' | 'on-the-day' | 'after';

/** A day begins on Earth 14 hours before UTC's, and ends 12 hours after it. */
const EARLIEST_OFFSET_MS = 14 * 3_600_000;
const LATEST_OFFSET_MS = 12 * 3_600_000;

/**
 * Returns the phase of an instant: `on-the-day` while it is that day in any time zone.
 *
 * @param removalDate ISO date
 * @param instant Unix ms
 */
export function removalPhaseAt(removalDate: string, instant: number): RemovalPhase {
  const day = Date.parse(`${removalDate}T00:00:00Z`);
  if (instant < day - EARLIEST_OFFSET_MS) return 'before';
  return instant < day + DAY_MS + LATEST_OFFSET_MS ? 'on-the-day' : 'after';
}

/** Returns the phase of a named day in the same calendar. */
export function removalPhaseOn(removalDate: string, date: string): RemovalPhase {
  if (date === removalDate) return 'on-the-day';
  return date < removalDate ? 'before' : 'after';
}
