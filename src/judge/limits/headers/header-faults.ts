import type { Between, ServerClock } from '../clock.js';
import { plainInteger, readReset, unixReset } from './header-number.js';
import { duration, listed } from '../../../base/kernel/format.js';
import type { Figures } from '../bounds.js';
import { describedWindow, isPlanAnswer, wasRefused, type HeaderNumber, type Sample } from '../sample.js';

/** Reset is rounded up by up to 1 s. A correct server may send a `Date` that is 2.3 s old. */
export const CLOCK_GRACE_MS = 4000;

/** Rows of the ledger that the rate headers of one response can break. */
export const RATE_ROWS = ['rate-headers-present', 'rate-headers-wellformed', 'rate-limit-value'] as const;
export type RateRow = (typeof RATE_ROWS)[number];

/** Fault in the rate headers of one response. `kind` groups the same fault over many responses. */
export interface RateFault {
  readonly row: RateRow;
  readonly kind:
    | 'missing'
    | 'repeated'
    | 'not-integer'
    | 'negative'
    | 'above-limit'
    | 'unit'
    | 'past'
    | 'too-far'
    | 'not-the-plans';
  /** Header that shows it; the first of several missing ones. */
  readonly header: (typeof HEADERS)[number];
  readonly expected: string;
  readonly actual: string;
}

type HeaderFault = Omit<RateFault, 'row'>;

const HEADERS = ['limit', 'remaining', 'reset'] as const;
const NAMES = { limit: 'X-RateLimit-Limit', remaining: 'X-RateLimit-Remaining', reset: 'X-RateLimit-Reset' } as const;

/** Lists the rate headers that a response lacks. Part 8: every response carries all three. */
export const missingHeaders = (sample: Sample): readonly string[] =>
  HEADERS.filter((header) => sample[header] === null).map((header) => NAMES[header]);

const isNegative = (value: HeaderNumber): boolean =>
  typeof value === 'number' ? value < 0 : value !== null && /^-\d+$/.test(value);

/** Returns how often a header stands in a response, if its lines were joined with commas (RFC 9110, 5.3); else 1. */
const timesSent = (value: HeaderNumber): number =>
  typeof value === 'string' && /^\d+(\s*,\s*\d+)+$/.test(value) ? value.split(',').length : 1;

function formFault(sample: Sample, header: HeaderFault['header']): HeaderFault | null {
  const value = sample[header];
  if (value === null || plainInteger(value) !== null) return null;
  const name = NAMES[header];
  const times = timesSent(value);
  if (times > 1) {
    const often = times === 2 ? 'twice' : `${times} times`;
    return { header, kind: 'repeated', expected: `${name} once`, actual: `${name} ${often}: ${value}` };
  }
  const kind = isNegative(value) ? 'negative' : 'not-integer';
  return { header, kind, expected: `${name} as a plain decimal integer, 0 or more`, actual: `${name}: ${value}` };
}

function remainingFault({ limit, remaining }: Sample): HeaderFault | null {
  const [most, left] = [plainInteger(limit), plainInteger(remaining)];
  if (most === null || left === null || left <= most) return null;
  const expected = `X-RateLimit-Remaining at most the limit, ${most}`;
  return { header: 'remaining', kind: 'above-limit', expected, actual: `X-RateLimit-Remaining: ${left}` };
}

/** A `Date` that is off by more than this is of another clock than ours; a stale one was seen to be 4.7 s old. */
const OUR_CLOCK_MS = 10_000;

/**
 * Server's time when it counted the request, Unix ms, by each of its witnesses: it lies somewhere between sending and
 * response. One is the response's `Date`, read at some other moment of that span, and sometimes stale. The other is the clock
 * that all responses show; without it our own, if `Date` is near it.
 */
function serverTimes({ date, sentAt, answeredAt }: Sample, clock: ServerClock | null): readonly Between[] {
  const underWayMs = answeredAt - sentAt;
  const isNear = date !== null && date >= sentAt - OUR_CLOCK_MS && date <= answeredAt + OUR_CLOCK_MS;
  const known = clock ?? (isNear ? { lowMs: 0, highMs: 0 } : null);
  return [
    ...(date === null ? [] : [{ earliest: date - underWayMs, latest: date + underWayMs }]),
    ...(known === null ? [] : [{ earliest: sentAt + known.lowMs, latest: answeredAt + known.highMs }]),
  ];
}

/**
 * Longest time that the Reset of a refusal may be ahead if the refusal may speak of a ban, ms. A ban may last as long as the
 * target file says; without that, as long as the longest window of the plan.
 */
const longestBanMs = ({ banSeconds, daySeconds, minuteSeconds }: Figures): number =>
  (banSeconds ?? Math.max(daySeconds, minuteSeconds)) * 1000;

/**
 * Returns how far ahead the Reset of a response may be, ms: the window that its Limit describes, or the day's if Limit is
 * neither figure of the plan.
 */
export function mostAheadMs(sample: Sample, figures: Figures, mayBeBan: boolean): number {
  const isMinute = describedWindow(sample, figures) === 'minute';
  const windowSeconds = isMinute ? figures.minuteSeconds : Math.max(figures.daySeconds, figures.minuteSeconds);
  return Math.max(windowSeconds * 1000, mayBeBan && wasRefused(sample) ? longestBanMs(figures) : 0);
}

/** Returns the fault in one response's Reset, as far as the server's time is known; null without one. */
function resetFault(
  sample: Sample,
  figures: Figures,
  clock: ServerClock | null,
  mayBeBan: boolean,
): HeaderFault | null {
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
  const times = serverTimes(sample, clock);
  if (times.length === 0) return null;
  const windowMs = mostAheadMs(sample, figures, mayBeBan);
  // Wrong only where both Date and the clock say so: a Date may stand still for seconds on a busy server.
  const pastMs = Math.min(...times.map(({ earliest }) => earliest)) - reset.unixMs;
  const aheadMs = reset.unixMs - Math.max(...times.map(({ latest }) => latest));
  if (pastMs > CLOCK_GRACE_MS)
    return fault('past', "not before the server's time", `a Reset ${duration(pastMs)} in the past`);
  if (aheadMs > windowMs + CLOCK_GRACE_MS)
    return fault('too-far', `at most ${duration(windowMs)} ahead`, `a Reset ${duration(aheadMs)} ahead`);
  return null;
}

/** Faults of the form of the headers that a response has. */
const wellformedFaults = (
  sample: Sample,
  figures: Figures,
  clock: ServerClock | null,
  mayBeBan: boolean,
): readonly HeaderFault[] =>
  [
    ...HEADERS.map((header) => formFault(sample, header)),
    remainingFault(sample),
    resetFault(sample, figures, clock, mayBeBan),
  ].filter((fault) => fault !== null);

function missingFault(sample: Sample): HeaderFault | null {
  const header = HEADERS.find((name) => sample[name] === null);
  if (header === undefined) return null;
  const missing = missingHeaders(sample);
  const actual = missing.length === HEADERS.length ? 'none of them' : `no ${missing.join(' and no ')}`;
  return { header, kind: 'missing', expected: listed(Object.values(NAMES)), actual };
}

function planFault(sample: Sample, figures: Figures): HeaderFault | null {
  if (describedWindow(sample, figures) !== 'unknown') return null;
  const expected = `X-RateLimit-Limit: ${figures.perMinute} (a minute) or ${figures.perDay} (a day)`;
  return { header: 'limit', kind: 'not-the-plans', expected, actual: `X-RateLimit-Limit: ${sample.limit}` };
}

/** Status codes for a too large body or head, which an HTTP layer returns before any application. */
export const BEFORE_ANY_APPLICATION: readonly number[] = [413, 414, 431];

/**
 * Is true if a response can keep or break a row. Without the server's time the form is undecided until a fault shows. A 401
 * belongs to no plan.
 */
export function showsRate(row: RateRow, sample: Sample): boolean {
  if (sample.status === 0 || BEFORE_ANY_APPLICATION.includes(sample.status)) return false;
  switch (row) {
    case 'rate-headers-present':
      return true;
    case 'rate-headers-wellformed':
      return HEADERS.some((header) => sample[header] !== null);
    case 'rate-limit-value':
      return isPlanAnswer(sample) && plainInteger(sample.limit) !== null;
  }
}

/** Is true if only the server's time decides a response's Reset, and its own `Date` does not show it. */
export const needsClock = ({ date, reset }: Sample): boolean => date === null && unixReset(reset) !== null;

/**
 * Returns all faults of one response's rate headers, of every row. Part 8, "Rate limit headers".
 * @param mayBeBan true if the key may be banned: then a refusal's Reset may name the end of the ban
 */
export const rateFaults = (
  sample: Sample,
  figures: Figures,
  clock: ServerClock | null,
  mayBeBan = false,
): readonly RateFault[] => {
  const of = (row: RateRow, faults: readonly (HeaderFault | null)[]): readonly RateFault[] =>
    showsRate(row, sample) ? faults.flatMap((fault) => (fault === null ? [] : [{ row, ...fault }])) : [];
  return [
    ...of('rate-headers-present', [missingFault(sample)]),
    ...of('rate-headers-wellformed', wellformedFaults(sample, figures, clock, mayBeBan)),
    ...of('rate-limit-value', [planFault(sample, figures)]),
  ];
};

/** Is true if a malformed header keeps Remaining from being counted: `rate-headers-wellformed` reports it. */
export const hasUncountable = (samples: readonly Sample[], figures: Figures, clock: ServerClock | null): boolean =>
  samples.some((sample) =>
    wellformedFaults(sample, figures, clock, true).some(
      ({ kind, header }) =>
        header === 'remaining' || (header === 'limit' && (kind === 'not-integer' || kind === 'repeated')),
    ),
  );
