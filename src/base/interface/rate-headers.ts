/** Names of the rate headers (part 8, "Rate limit headers"). */
export const RATE_HEADERS = {
  limit: 'X-RateLimit-Limit',
  remaining: 'X-RateLimit-Remaining',
  reset: 'X-RateLimit-Reset',
} as const;

export type RateHeader = keyof typeof RATE_HEADERS;

/** The rate headers, in the interface's order. */
export const rateHeaders: readonly RateHeader[] = ['limit', 'remaining', 'reset'];

/**
 * A header that should be a plain decimal integer (part 8): the number (at most 15 digits), other text
 * without outer blanks, or null if absent.
 */
export type HeaderNumber = number | string | null;

/** JavaScript may lose digits of a number beyond 15 digits; such text is kept as text. */
const MOST_DIGITS = 15;
/** A smaller Reset is seconds to go: as a Unix time it would lie before September 2001. */
const LEAST_UNIX_SECONDS = 1e9;
/** A larger Reset is milliseconds: as seconds it would lie beyond the year 5000. */
const MOST_UNIX_SECONDS = 1e11;

export const rateHeadersWith = (
  figures: Readonly<Record<RateHeader, number | string>>,
): readonly (readonly [name: string, value: string])[] =>
  rateHeaders.map((header) => [RATE_HEADERS[header], String(figures[header])]);

const ofEach = <Value>(of: (header: RateHeader) => Value): Readonly<Record<RateHeader, Value>> => ({
  limit: of('limit'),
  remaining: of('remaining'),
  reset: of('reset'),
});

/** The same names in small letters, as headers are looked up. */
export const RATE_FIELDS = ofEach((header) => RATE_HEADERS[header].toLowerCase());

/**
 * Returns the text of each rate header; null for one that is absent.
 *
 * @param headerOf returns the text of a header by its name in small letters
 */
export const rateTextsOf = (headerOf: (name: string) => string | null) =>
  ofEach((header) => headerOf(RATE_FIELDS[header]));

/** Reads the rate headers of a response: `rateTextsOf`, as numbers. */
export const rateFieldsOf = (headerOf: (name: string) => string | null) =>
  ofEach((header) => headerNumber(headerOf(RATE_FIELDS[header])));

export function headerNumber(text: string | null): HeaderNumber {
  if (text === null) return null;
  const trimmed = text.trim();
  return /^\d+$/.test(trimmed) && trimmed.length <= MOST_DIGITS ? Number(trimmed) : trimmed;
}

/** A very long one loses only its last digits. */
export function plainInteger(value: HeaderNumber): number | null {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value : null;
  return value !== null && /^\d+$/.test(value) ? Number(value) : null;
}

/** Time that Reset means, in the most likely unit. */
type ResetReading =
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
