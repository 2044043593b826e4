import { dayAfter, dayOf, daysBetween } from '../../base/kernel/day.js';
import { counted } from '../../base/kernel/format.js';

/** Days for which a certificate holds: a service changes with each release, and a quarter has a few. */
const VALID_DAYS = 90;

/**
 * Returns the last day of a certificate, ISO date: 90 days after the run, or the day on which the interface
 * removes an operation, whichever is first. That day still counts, because it begins at different moments in
 * different time zones.
 *
 * @param removalDate ISO date; one that is past when the run is judged ends nothing
 */
export function lastDayOf(finishedAt: string, asOf: string, removalDate: string): string {
  const last = dayAfter(finishedAt, VALID_DAYS);
  return asOf < removalDate && removalDate < last ? removalDate : last;
}

/**
 * Dates that decide whether a certificate is still valid. `validUntil` is absent in version 2, which has no
 * end.
 */
export interface CertificateDates {
  readonly finishedAt: string;
  readonly validUntil?: string;
}

export interface Age {
  readonly days: number;
  /** `future`: dated after that day, so its dates are wrong. `old`: older than the caller accepts. */
  readonly state: 'valid' | 'ended' | 'old' | 'future';
  /** A clause for a sentence, such as “is 5 months old; its time ended on 2027-02-18”. */
  readonly words: string;
}

/**
 * @param today ISO date, in UTC as the certificate's dates
 * @param mostDays greatest age that the caller accepts, in days; null for any
 */
export function ageOf(
  { finishedAt, validUntil }: CertificateDates,
  today: string,
  mostDays: number | null,
): Age {
  const days = daysBetween(finishedAt, today);
  const lead = `is ${ageWords(days)} old`;
  if (days < 0)
    return { days, state: 'future', words: `is dated ${dayOf(finishedAt)}, which is after ${today}` };
  if (validUntil !== undefined && today > validUntil)
    return { days, state: 'ended', words: `${lead}; its time ended on ${validUntil}` };
  const end = validUntil === undefined ? 'it names no end' : `valid until ${validUntil}`;
  return mostDays !== null && days > mostDays
    ? { days, state: 'old', words: `${lead}, more than ${counted(mostDays, 'day')}; ${end}` }
    : { days, state: 'valid', words: `${lead}; ${end}` };
}

/** From here on months say enough, and from there on years. */
const MONTHS_FROM = 60;
const YEARS_FROM = 730;

/** “less than a day”, “12 days”, “5 months”, “2 years”: whole units that have passed. */
export function ageWords(days: number): string {
  if (days < 1) return 'less than a day';
  if (days < MONTHS_FROM) return counted(days, 'day');
  if (days < YEARS_FROM) return counted(Math.floor(days / 30.44), 'month');
  return counted(Math.floor(days / 365.25), 'year');
}

/** Parses the greatest age of `--max-age`: `30d`, `12w` or a number of days; null for anything else. */
export function parseAge(text: string): number | null {
  const match = /^(\d{1,5})([dw]?)$/.exec(text);
  return match ? Number(match[1]) * (match[2] === 'w' ? 7 : 1) : null;
}
