import type { Between, ServerClock } from '../clock.js';
import { plainInteger, readReset } from './header-number.js';
import { duration } from '../../format/format.js';
import type { Figures } from '../series.js';
import { describedWindow, type HeaderNumber, type Sample } from '../sample.js';

/** Reset is rounded up by up to 1 s. A correct server may send a `Date` that is 2.3 s old. */
const GRACE_MS = 4000;

/** Fault in the rate headers of one response. `kind` groups the same fault over many responses. */
export interface HeaderFault {
  readonly header: 'limit' | 'remaining' | 'reset';
  readonly kind: 'not-integer' | 'negative' | 'above-limit' | 'unit' | 'past' | 'too-far';
  readonly expected: string;
  readonly actual: string;
}

const NAMES = { limit: 'X-RateLimit-Limit', remaining: 'X-RateLimit-Remaining', reset: 'X-RateLimit-Reset' } as const;

/** A negative integer, as a number or as text. */
const isNegative = (value: HeaderNumber): boolean =>
  typeof value === 'number' ? value < 0 : value !== null && /^-\d+$/.test(value);

function formFaults(sample: Sample): readonly HeaderFault[] {
  return (['limit', 'remaining', 'reset'] as const).flatMap((name): readonly HeaderFault[] => {
    const value = sample[name];
    if (value === null || plainInteger(value) !== null) return [];
    const kind = isNegative(value) ? 'negative' : 'not-integer';
    return [
      {
        header: name,
        kind,
        expected: `${NAMES[name]} as a plain decimal integer, 0 or more`,
        actual: `${NAMES[name]}: ${value}`,
      },
    ];
  });
}

function remainingFaults({ limit, remaining }: Sample): readonly HeaderFault[] {
  const [most, left] = [plainInteger(limit), plainInteger(remaining)];
  if (most === null || left === null || left <= most) return [];
  return [
    {
      header: 'remaining',
      kind: 'above-limit',
      expected: `X-RateLimit-Remaining at most the limit, ${most}`,
      actual: `X-RateLimit-Remaining: ${left}`,
    },
  ];
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

/** Returns the faults in one response's Reset, as far as the server's time is known. */
export function resetFaults(sample: Sample, figures: Figures, clock: ServerClock | null): readonly HeaderFault[] {
  const reset = readReset(sample.reset);
  if (reset === null) return [];
  const expected = 'X-RateLimit-Reset as a Unix time in seconds';
  if (reset.unit === 'seconds-to-go') {
    return [
      {
        header: 'reset',
        kind: 'unit',
        expected,
        actual: `X-RateLimit-Reset: ${reset.seconds}, which reads as seconds to go`,
      },
    ];
  }
  if (reset.unit === 'unix-milliseconds') {
    return [
      {
        header: 'reset',
        kind: 'unit',
        expected,
        actual: `X-RateLimit-Reset: ${reset.unixMs}, which is not in seconds`,
      },
    ];
  }
  const now = serverNow(sample, clock);
  if (now === null) return [];
  const windowMs = longestWindowMs(sample, figures);
  if (reset.unixMs < now.earliest - GRACE_MS) {
    const ago = duration(now.earliest - reset.unixMs);
    return [
      {
        header: 'reset',
        kind: 'past',
        expected: `X-RateLimit-Reset not before the server's time`,
        actual: `a Reset ${ago} in the past`,
      },
    ];
  }
  if (reset.unixMs > now.latest + windowMs + GRACE_MS) {
    const ahead = duration(reset.unixMs - now.latest);
    return [
      {
        header: 'reset',
        kind: 'too-far',
        expected: `X-RateLimit-Reset at most ${duration(windowMs)} ahead`,
        actual: `a Reset ${ahead} ahead`,
      },
    ];
  }
  return [];
}

/** Returns all faults in the rate headers of one response. Missing headers belong to another requirement. */
export const headerFaults = (sample: Sample, figures: Figures, clock: ServerClock | null): readonly HeaderFault[] => [
  ...formFaults(sample),
  ...remainingFaults(sample),
  ...resetFaults(sample, figures, clock),
];

/** Is true if a malformed header keeps Remaining from being counted: `rate-headers-wellformed` reports it. */
export const hasUncountable = (samples: readonly Sample[], figures: Figures, clock: ServerClock | null): boolean =>
  samples.some((sample) =>
    headerFaults(sample, figures, clock).some(
      ({ kind, header }) => header === 'remaining' || (header === 'limit' && kind === 'not-integer'),
    ),
  );
