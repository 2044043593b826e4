/** Position of a day relative to the removal of the deprecated operation (parts 4 and 9). */
export type RemovalPhase = 'before' | 'on-the-day' | 'after';

/** The first place on Earth to begin a day is 14 hours ahead of UTC, the last to end it 12 hours behind. */
const EARLIEST_OFFSET_MS = 14 * 3_600_000;
const LATEST_OFFSET_MS = 12 * 3_600_000;
const DAY_MS = 86_400_000;

/**
 * The phase of an instant: on the day while it is that day in any time zone.
 * @param removalDate ISO date
 * @param instant Unix ms
 */
export function removalPhaseAt(removalDate: string, instant: number): RemovalPhase {
  const day = Date.parse(`${removalDate}T00:00:00Z`);
  if (instant < day - EARLIEST_OFFSET_MS) return 'before';
  return instant < day + DAY_MS + LATEST_OFFSET_MS ? 'on-the-day' : 'after';
}

/** The phase of a day that was named, as a date of the same calendar. */
export function removalPhaseOn(removalDate: string, date: string): RemovalPhase {
  if (date === removalDate) return 'on-the-day';
  return date < removalDate ? 'before' : 'after';
}

/** Whole days from one ISO date to another. */
export const daysUntil = (removalDate: string, date: string): number =>
  Math.round((Date.parse(removalDate) - Date.parse(date)) / DAY_MS);
