import type { HeaderNumber } from '../sample.js';

/** JavaScript may lose digits of a number beyond 15 digits; such text is kept as text. */
const MOST_DIGITS = 15;
/** A smaller Reset is seconds to go: as a Unix time it would lie before September 2001. */
const LEAST_UNIX_SECONDS = 1e9;
/** A larger Reset is milliseconds: as seconds it would lie beyond the year 5000. */
const MOST_UNIX_SECONDS = 1e11;

/** Reads a header that should hold a plain decimal integer (part 8): a number, else the raw text, else null. */
export function headerNumber(text: string | null): HeaderNumber {
  if (text === null) return null;
  const trimmed = text.trim();
  return /^\d+$/.test(trimmed) && trimmed.length <= MOST_DIGITS ? Number(trimmed) : trimmed;
}

/**
 * Returns a header's value if it is a plain decimal integer, else null. A very long one loses only its last
 * digits.
 */
export function plainInteger(value: HeaderNumber): number | null {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value : null;
  return value !== null && /^\d+$/.test(value) ? Number(value) : null;
}

/** Time that X-RateLimit-Reset means, in the most likely unit. */
export type ResetReading =
  | { readonly unit: 'unix-seconds' | 'unix-milliseconds'; readonly unixMs: number }
  | { readonly unit: 'seconds-to-go'; readonly seconds: number };

/** Returns a Reset in Unix ms; null if it is not in Unix seconds. */
export function unixReset(value: HeaderNumber): number | null {
  const read = readReset(value);
  return read?.unit === 'unix-seconds' ? read.unixMs : null;
}

/**
 * Reads a Reset in any of the three units that servers use; null without an integer. Only Unix seconds are
 * correct.
 */
export function readReset(value: HeaderNumber): ResetReading | null {
  const number = plainInteger(value);
  if (number === null) return null;
  if (number < LEAST_UNIX_SECONDS) return { unit: 'seconds-to-go', seconds: number };
  if (number <= MOST_UNIX_SECONDS) return { unit: 'unix-seconds', unixMs: number * 1000 };
  return { unit: 'unix-milliseconds', unixMs: number };
}
