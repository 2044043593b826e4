import type { HeaderNumber } from '../sample.js';

/** Beyond 15 digits a number may lose digits in JavaScript; such text is kept as text. */
const MOST_DIGITS = 15;

/** Below it a Reset is seconds to go: as a Unix time it would lie before September 2001. */
const LEAST_UNIX_SECONDS = 1e9;
/** Above it a Reset is milliseconds: as seconds it would lie beyond the year 5000. */
const MOST_UNIX_SECONDS = 1e11;

/** Reads a header that should hold a plain decimal integer (part 8): the number, else the text as it came, else null. */
export function headerNumber(text: string | null): HeaderNumber {
  if (text === null) return null;
  const trimmed = text.trim();
  return /^\d+$/.test(trimmed) && trimmed.length <= MOST_DIGITS ? Number(trimmed) : trimmed;
}

/** The number that a header holds where it is a plain decimal integer, else null. Text of digits only loses its last ones. */
export function plainInteger(value: HeaderNumber): number | null {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value : null;
  return value !== null && /^\d+$/.test(value) ? Number(value) : null;
}

/** The point in time that an X-RateLimit-Reset means, in the unit in which it was most likely written. */
export type ResetReading =
  | { readonly unit: 'unix-seconds' | 'unix-milliseconds'; readonly unixMs: number }
  | { readonly unit: 'seconds-to-go'; readonly seconds: number };

/** Reads a Reset in any of the three units that servers use; null when it is no plain integer. Only Unix seconds are right. */
export function readReset(value: HeaderNumber): ResetReading | null {
  const number = plainInteger(value);
  if (number === null) return null;
  if (number < LEAST_UNIX_SECONDS) return { unit: 'seconds-to-go', seconds: number };
  if (number <= MOST_UNIX_SECONDS) return { unit: 'unix-seconds', unixMs: number * 1000 };
  return { unit: 'unix-milliseconds', unixMs: number };
}
