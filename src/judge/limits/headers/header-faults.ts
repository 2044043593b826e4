import type { ServerClock } from '../clock.js';
import {
  plainInteger,
  RATE_HEADERS,
  rateHeaders,
  unixReset,
  type HeaderNumber,
  type RateHeader,
} from '../../../base/interface/rate-headers.js';
import { resetFault, type HeaderFault } from './reset-fault.js';
import { count, listed } from '../../../base/kernel/format.js';
import { OF_A_GATEWAY } from '../../../wire/exchange/gateway.js';
import type { Figures } from '../bounds.js';
import { describedWindow, isPlanAnswer, type Sample } from '../sample.js';

/** Rows of the ledger that the rate headers of one response can break. */
export const RATE_ROWS = ['rate-headers-present', 'rate-headers-wellformed', 'rate-limit-value'] as const;
export type RateRow = (typeof RATE_ROWS)[number];

export interface RateFault extends HeaderFault {
  readonly row: RateRow;
}

/** Lists the rate headers that a response lacks. Part 8: every response carries all three. */
export const missingHeaders = (sample: Sample): readonly string[] =>
  rateHeaders.filter((header) => sample[header] === null).map((header) => RATE_HEADERS[header]);

const isNegative = (value: HeaderNumber): boolean =>
  typeof value === 'number' ? value < 0 : value !== null && /^-\d+$/.test(value);

const hasFraction = (value: HeaderNumber): boolean =>
  typeof value === 'number' ? !Number.isInteger(value) : value !== null && /^-?\d+\.\d+$/.test(value);

/** Returns how often a header stands in a response, if its lines were joined with commas (RFC 9110, 5.3); else 1. */
const timesSent = (value: HeaderNumber): number =>
  typeof value === 'string' && /^\d+(\s*,\s*\d+)+$/.test(value) ? value.split(',').length : 1;

function formFault(sample: Sample, header: RateHeader): HeaderFault | null {
  const value = sample[header];
  if (value === null || plainInteger(value) !== null) return null;
  const name = RATE_HEADERS[header];
  const times = timesSent(value);
  if (times > 1) {
    const often = times === 2 ? 'twice' : `${count(times)} times`;
    return { header, kind: 'repeated', expected: `${name} once`, actual: `${name} ${often}: ${value}` };
  }
  const kind = isNegative(value) ? 'negative' : hasFraction(value) ? 'decimal' : 'not-integer';
  return {
    header,
    kind,
    expected: `${name} as a plain decimal integer, 0 or more`,
    actual: `${name}: ${value}`,
  };
}

function remainingFault({ limit, remaining }: Sample): HeaderFault | null {
  const [most, left] = [plainInteger(limit), plainInteger(remaining)];
  if (most === null || left === null || left <= most) return null;
  const expected = `${RATE_HEADERS.remaining} at most the limit, ${most}`;
  return { header: 'remaining', kind: 'above-limit', expected, actual: `${RATE_HEADERS.remaining}: ${left}` };
}

const wellformedFaults = (
  sample: Sample,
  figures: Figures,
  clock: ServerClock | null,
  mayBeBan: boolean,
): readonly HeaderFault[] =>
  [
    ...rateHeaders.map((header) => formFault(sample, header)),
    remainingFault(sample),
    resetFault(sample, figures, clock, mayBeBan),
  ].filter((fault) => fault !== null);

function missingFault(sample: Sample): HeaderFault | null {
  const header = rateHeaders.find((name) => sample[name] === null);
  if (header === undefined) return null;
  const missing = missingHeaders(sample);
  const actual = missing.length === rateHeaders.length ? 'none of them' : `no ${missing.join(' and no ')}`;
  return { header, kind: 'missing', expected: listed(Object.values(RATE_HEADERS)), actual };
}

function planFault(sample: Sample, figures: Figures): HeaderFault | null {
  if (describedWindow(sample, figures) !== 'unknown') return null;
  const expected = `${RATE_HEADERS.limit}: ${figures.perMinute} (a minute) or ${figures.perDay} (a day)`;
  return {
    header: 'limit',
    kind: 'not-the-plans',
    expected,
    actual: `${RATE_HEADERS.limit}: ${sample.limit}`,
  };
}

/** Status codes for a too large body or head, which an HTTP layer returns before any application. */
export const BEFORE_ANY_APPLICATION: readonly number[] = [413, 414, 431, ...OF_A_GATEWAY];

/**
 * Is true if a response can keep or break a row. Without the server's time the form is undecided until a
 * fault shows. A 401 belongs to no plan.
 */
export function showsRate(row: RateRow, sample: Sample): boolean {
  if (sample.status === 0 || BEFORE_ANY_APPLICATION.includes(sample.status)) return false;
  switch (row) {
    case 'rate-headers-present':
      return true;
    case 'rate-headers-wellformed':
      return rateHeaders.some((header) => sample[header] !== null);
    case 'rate-limit-value':
      return isPlanAnswer(sample) && plainInteger(sample.limit) !== null;
  }
}

/** Is true if only the server's time decides a response's Reset, and its own `Date` does not show it. */
export const needsClock = ({ date, reset }: Sample): boolean => date === null && unixReset(reset) !== null;

/**
 * Returns all faults of one response's rate headers, of every row. Part 8, "Rate limit headers".
 *
 * @param mayBeBan true if the key may be banned: then a refusal's Reset may name the end of the ban
 */
export const rateFaults = (
  sample: Sample,
  figures: Figures,
  clock: ServerClock | null,
  mayBeBan = false,
): readonly RateFault[] => {
  const of = (row: RateRow, faults: readonly (HeaderFault | null)[]): readonly RateFault[] =>
    faults.flatMap((fault) => (fault !== null && showsRate(row, sample) ? [{ row, ...fault }] : []));
  return [
    ...of('rate-headers-present', [missingFault(sample)]),
    ...of('rate-headers-wellformed', wellformedFaults(sample, figures, clock, mayBeBan)),
    ...of('rate-limit-value', [planFault(sample, figures)]),
  ];
};

/** Is true if a malformed header keeps Remaining from being counted: `rate-headers-wellformed` reports it. */
export const hasUncountable = (samples: readonly Sample[], figures: Figures): boolean =>
  samples.some((sample) =>
    wellformedFaults(sample, figures, null, true).some(
      ({ kind, header }) =>
        header === 'remaining' ||
        (header === 'limit' && (kind === 'not-integer' || kind === 'decimal' || kind === 'repeated')),
    ),
  );
