import type { Between, ServerClock } from '../clock.js';
import { plainInteger, readReset } from './header-number.js';
import { duration } from '../../format/format.js';
import type { Figures } from '../series.js';
import { windowSpokenOf, type HeaderNumber, type Sample } from '../sample.js';

/** Reset is rounded up by as much as a second, and `Date` was seen 2.3 s stale on sound servers. */
const GRACE_MS = 4000;

/** What is wrong with one answer's rate headers: `kind` groups the same fault over many answers. */
export interface HeaderFault {
  readonly header: 'limit' | 'remaining' | 'reset';
  readonly kind: 'not-integer' | 'negative' | 'above-limit' | 'unit' | 'past' | 'too-far';
  readonly expected: string;
  readonly actual: string;
}

const NAMES = { limit: 'X-RateLimit-Limit', remaining: 'X-RateLimit-Remaining', reset: 'X-RateLimit-Reset' } as const;

/** A whole number below zero, however it came. */
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
      expected: `X-RateLimit-Remaining of at most the limit, ${most}`,
      actual: `X-RateLimit-Remaining: ${left}`,
    },
  ];
}

/** The longest window that an answer's Limit may speak of, in ms: the day's where it is neither figure. */
export function longestWindowMs(sample: Sample, figures: Figures): number {
  const minute = windowSpokenOf(sample, figures) === 'minute';
  return (minute ? figures.minuteSeconds : Math.max(figures.daySeconds, figures.minuteSeconds)) * 1000;
}

/**
 * The server's time as it counted the request, in Unix ms: somewhere between sending and answer, of which this answer's `Date`
 * was read at some other moment; without one by the clock that other answers tell.
 */
function serverNow({ date, sentAt, answeredAt }: Sample, clock: ServerClock | null): Between | null {
  const underWayMs = answeredAt - sentAt;
  if (date !== null) return { earliest: date - underWayMs, latest: date + underWayMs };
  return clock === null ? null : { earliest: sentAt + clock.lowMs, latest: answeredAt + clock.highMs };
}

/** What is wrong with one answer's Reset, as far as the server's time is known. */
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
        expected: `X-RateLimit-Reset not before the server's own time`,
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

/** All that is wrong with the rate headers of one answer, in our clock and the server's. Absent ones are another row's. */
export const headerFaults = (sample: Sample, figures: Figures, clock: ServerClock | null): readonly HeaderFault[] => [
  ...formFaults(sample),
  ...remainingFaults(sample),
  ...resetFaults(sample, figures, clock),
];
