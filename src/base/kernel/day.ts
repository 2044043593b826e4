import { badOption } from './errors.js';

export const DAY_MS = 86_400_000;

/** Returns the day of a time in UTC, ISO date. @param time Unix ms or an ISO instant; default: now */
export const dayOf = (time: number | string = Date.now()): string =>
  (typeof time === 'string' ? time : new Date(time).toISOString()).slice(0, 10);

export const dayAfter = (time: string, days: number): string =>
  dayOf(Date.parse(dayOf(time)) + days * DAY_MS);

/** Whole days from one ISO date or instant to another; negative when the other is past. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(dayOf(to)) - Date.parse(dayOf(from))) / DAY_MS);

/** `Date` parses 2027-02-30 as 2 March, so the result must equal the input. */
export function isCalendarDate(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && dayOf(at) === text;
}

/** Returns the day of `--as-of`, ISO date; today without it. Throws UsageError. @param now Unix ms */
export function dayAsked(asOf: string | undefined, now = Date.now()): string {
  if (asOf === undefined) return dayOf(now);
  if (isCalendarDate(asOf)) return asOf;
  throw badOption(`--as-of takes a date, not "${asOf}".`, 'Write it as YYYY-MM-DD, e.g. --as-of 2031-01-01.');
}
