import type { Between, ServerClock } from '../clock.js';
import { plainInteger, readReset } from './header-number.js';
import { duration } from '../../format/format.js';
import type { Figures } from '../bounds.js';
import { describedWindow, type HeaderNumber, type Sample } from '../sample.js';

/** Reset is rounded up by up to 1 s. A correct server may send a `Date` that is 2.3 s old. */
export const CLOCK_GRACE_MS = 4000;

/** Fault in the rate headers of one response. `kind` groups the same fault over many responses. */
export interface HeaderFault {
  readonly header: (typeof HEADERS)[number];
  readonly kind: 'not-integer' | 'negative' | 'above-limit' | 'unit' | 'past' | 'too-far';
  readonly expected: string;
  readonly actual: string;
}

const HEADERS = ['limit', 'remaining', 'reset'] as const;
const NAMES = { limit: 'X-RateLimit-Limit', remaining: 'X-RateLimit-Remaining', reset: 'X-RateLimit-Reset' } as const;

/** Lists the rate headers that a response lacks. Part 8: every response carries all three. */
export const missingHeaders = (sample: Sample): readonly string[] =>
  HEADERS.filter((header) => sample[header] === null).map((header) => NAMES[header]);

const isNegative = (value: HeaderNumber): boolean =>
  typeof value === 'number' ? value < 0 : value !== null && /^-\d+$/.test(value);

function formFault(sample: Sample, header: HeaderFault['header']): HeaderFault | null {
  const value = sample[header];
  if (value === null || plainInteger(value) !== null) return null;
  const [kind, name] = [isNegative(value) ? 'negative' : 'not-integer', NAMES[header]] as const;
  return { header, kind, expected: `${name} as a plain decimal integer, 0 or more`, actual: `${name}: ${value}` };
}

function remainingFault({ limit, remaining }: Sample): HeaderFault | null {
  const [most, left] = [plainInteger(limit), plainInteger(remaining)];
  if (most === null || left === null || left <= most) return null;
  const expected = `X-RateLimit-Remaining at most the limit, ${most}`;
  return { header: 'remaining', kind: 'above-limit', expected, actual: `X-RateLimit-Remaining: ${left}` };
}

/** Longest window that a response's Limit may describe, ms: the day's if Limit is neither figure of the plan. */
export function longestWindowMs(sample: Sample, figures: Figures): number {
  const minute = describedWindow(sample, figures) === 'minute';
  return (minute ? figures.minuteSeconds : Math.max(figures.daySeconds, figures.minuteSeconds)) * 1000;
}

/**
 * Server's time when it counted the request, Unix ms: somewhere between sending and response. The server read `Date` at
 * some other moment of that span. Without `Date` it follows from other responses' clock.
 */
function serverNow({ date, sentAt, answeredAt }: Sample, clock: ServerClock | null): Between | null {
  const underWayMs = answeredAt - sentAt;
  if (date !== null) return { earliest: date - underWayMs, latest: date + underWayMs };
  return clock === null ? null : { earliest: sentAt + clock.lowMs, latest: answeredAt + clock.highMs };
}

/** Returns the fault in one response's Reset, as far as the server's time is known; null without one. */
export function resetFault(sample: Sample, figures: Figures, clock: ServerClock | null): HeaderFault | null {
  const reset = readReset(sample.reset);
  const fault = (kind: HeaderFault['kind'], expected: string, actual: string): HeaderFault => ({
    header: 'reset',
    kind,
    expected: `X-RateLimit-Reset ${expected}`,
    actual,
  });
  if (reset === null) return null;
  if (reset.unit !== 'unix-seconds') {
    const isToGo = reset.unit === 'seconds-to-go';
    const read = isToGo ? `${reset.seconds}, which reads as seconds to go` : `${reset.unixMs}, which is not in seconds`;
    return fault('unit', 'as a Unix time in seconds', `X-RateLimit-Reset: ${read}`);
  }
  const now = serverNow(sample, clock);
  if (now === null) return null;
  const windowMs = longestWindowMs(sample, figures);
  const [pastMs, aheadMs] = [now.earliest - reset.unixMs, reset.unixMs - now.latest];
  if (pastMs > CLOCK_GRACE_MS)
    return fault('past', "not before the server's time", `a Reset ${duration(pastMs)} in the past`);
  if (aheadMs > windowMs + CLOCK_GRACE_MS)
    return fault('too-far', `at most ${duration(windowMs)} ahead`, `a Reset ${duration(aheadMs)} ahead`);
  return null;
}

/** Returns all faults in the rate headers of one response. Missing headers belong to another requirement. */
export const headerFaults = (sample: Sample, figures: Figures, clock: ServerClock | null): readonly HeaderFault[] =>
  [
    ...HEADERS.map((header) => formFault(sample, header)),
    remainingFault(sample),
    resetFault(sample, figures, clock),
  ].filter((fault) => fault !== null);

/** Is true if a malformed header keeps Remaining from being counted: `rate-headers-wellformed` reports it. */
export const hasUncountable = (samples: readonly Sample[], figures: Figures, clock: ServerClock | null): boolean =>
  samples.some((sample) =>
    headerFaults(sample, figures, clock).some(
      ({ kind, header }) => header === 'remaining' || (header === 'limit' && kind === 'not-integer'),
    ),
  );
