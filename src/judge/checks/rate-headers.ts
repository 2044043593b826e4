import type { PlanFigures } from '../../base/interface/plans.js';
import { answerHeader, answeredAt, statusOf } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { clockBy } from '../limits/headers/own-time.js';
import { wasRefused, type Sample } from '../limits/sample.js';
import { grouped } from '../../base/kernel/format.js';
import { RATE_HEADERS, rateFieldsOf } from '../../base/interface/rate-headers.js';
import {
  BEFORE_ANY_APPLICATION,
  missingHeaders,
  needsClock,
  rateFaults,
  showsRate,
  type RateFault,
  type RateRow,
} from '../limits/headers/header-faults.js';
import { mayBeBannedFrom } from '../limits/headers/rate-tally.js';
import type { Figures } from '../limits/bounds.js';
import { asksForNoAnimal, isJsonMediaType, isOutgrown } from './layers.js';
import { about, unestablished, violated, type Finding } from '../findings/finding.js';

/** Rate limit of the suites' key, and the lengths of the windows in seconds. */
interface TargetFigures {
  readonly plan: PlanFigures;
  readonly windows: { readonly minute: number; readonly day: number };
  /** Longest ban that the operator promises, seconds; absent if not declared. */
  readonly banSeconds?: number | undefined;
}

export const rateFactsOf = ({ plan, windows, banSeconds }: TargetFigures): Figures => ({
  perMinute: plan.perMinute,
  perDay: plan.perDay,
  minuteSeconds: windows.minute,
  daySeconds: windows.day,
  banSeconds,
});

export type RowJudgement = readonly Finding[] | 'kept' | 'not judged';

/** Converts an exchange for the limit checks; null without a response or an operation. */
export function sampleOf(exchange: Exchange): Sample | null {
  const status = statusOf(exchange);
  if (status === null || exchange.operation === null) return null;
  const date = Date.parse(answerHeader(exchange, 'date') ?? '');
  return {
    ...unread(exchange),
    status,
    ...rateFieldsOf((name) => answerHeader(exchange, name)),
    retryAfter: answerHeader(exchange, 'retry-after'),
    date: Number.isNaN(date) ? null : date,
  };
}

/** Returns the sample of a request without a usable response; it may have been counted. */
export const unread = (exchange: Exchange): Sample => ({
  intendedAt: exchange.sentAt,
  sentAt: exchange.sentAt,
  answeredAt: answeredAt(exchange),
  operation: exchange.operation ?? 'listPets',
  status: 0,
  limit: null,
  remaining: null,
  reset: null,
  retryAfter: null,
  date: null,
});

/**
 * A router may accept only numeric ids. Its 404 for others, or the page of a web application at the same
 * origin, is not the operation's response.
 */
const isRoutersOwn = (exchange: Exchange): boolean => {
  const { answer } = exchange;
  if (!asksForNoAnimal(exchange) || answer.kind !== 'response') return false;
  const isPage = answer.status < 400 && !isJsonMediaType(answerHeader(exchange, 'content-type'));
  return answer.status === 404 || isPage;
};

/** Is true if the service itself sent a response. One sent before any application says nothing about a plan. */
export const isOfService = (exchange: Exchange): boolean => {
  const status = statusOf(exchange);
  return (
    status !== null &&
    exchange.blockedAfter === undefined &&
    !isOutgrown(exchange) &&
    !BEFORE_ANY_APPLICATION.includes(status) &&
    !isRoutersOwn(exchange)
  );
};

const ownSample = (exchange: Exchange): Sample | null => (isOfService(exchange) ? sampleOf(exchange) : null);

/**
 * Is true for a request with a valid key as `Authorization: Bearer`: a gateway may count another spelling of
 * it apart.
 */
export const isInUsualForm = (exchange: Exchange): boolean => {
  const { credential, request } = exchange;
  const status = statusOf(exchange);
  const isServed = status !== 401 && status !== 403;
  return (
    credential.kind === 'valid' &&
    request.headers.some(
      ([name, value]) =>
        // A name in lower case is the same header, unless the server does not find it.
        (name === 'Authorization' || (name === 'authorization' && isServed)) && value.startsWith('Bearer '),
    )
  );
};

/**
 * Returns the sample of a request in its key's series. Without a response of the service, or in another form
 * of the key, it may have counted or not.
 */
export const inSeries = (exchange: Exchange): Sample =>
  (isInUsualForm(exchange) ? ownSample(exchange) : null) ?? unread(exchange);

/**
 * Part 8, "Rate limit headers": judges a row by one response. A refusal may speak of a ban, and a Reset may
 * need a missing Date: `judgeTogether` decides these by all responses.
 */
export function judgeRateHeaders(row: RateRow, exchange: Exchange, facts: Figures): RowJudgement {
  const sample = ownSample(exchange);
  if (sample === null || !showsRate(row, sample)) return 'not judged';
  const faults = rateFaults(sample, facts, null, true).filter((fault) => fault.row === row);
  if (faults.length > 0) return findingsOf(faults, sample, [exchange]);
  return row === 'rate-headers-wellformed' && needsClock(sample) ? 'not judged' : 'kept';
}

const MESSAGES: Readonly<Record<RateRow, (sample: Sample) => string>> = {
  'rate-headers-present': (sample) =>
    `a response with ${sample.status} lacks ${missingHeaders(sample).length === 3 ? 'all rate headers' : 'a rate header'}`,
  'rate-headers-wellformed': ({ status }) => `a response with ${status} has a wrong rate header`,
  'rate-limit-value': () => `a response has an ${RATE_HEADERS.limit} that is not the plan's`,
};

/** A Limit that is not the plan's is a fixed figure, unless it counts down with Remaining. */
const figureOf = (kind: RateFault['kind'], { limit, remaining }: Sample): readonly string[] =>
  kind === 'not-the-plans' && limit !== remaining ? [String(limit)] : [];

export const findingsOf = (
  faults: readonly RateFault[],
  sample: Sample,
  exchanges: readonly Pick<Exchange, 'id'>[],
): readonly Finding[] =>
  faults.map(({ row, expected, actual, header, kind }) => {
    const what = kind === 'missing' ? missingHeaders(sample) : [header, kind, ...figureOf(kind, sample)];
    return about(row, violated(exchanges, MESSAGES[row](sample), { expected, actual, measured: { what } }));
  });

/**
 * Judges what one response does not decide, by the run's responses in order: a Reset without Date, such as a
 * proxy's, with the clock from all others; and the Reset of a key's first refusals, which cannot speak of a
 * ban.
 */
export function judgeTogether(exchanges: readonly Exchange[], facts: Figures): readonly Finding[] {
  const all = exchanges.flatMap((exchange) => {
    const sample = ownSample(exchange);
    return sample ? [{ exchange, sample }] : [];
  });
  const samples = all.map(({ sample }) => sample);
  const clock = clockBy([{ samples, figures: facts }]);
  // Requests without the key have their own limit.
  const refusals = grouped(
    all.filter(({ sample }) => wasRefused(sample)),
    ({ exchange }) => exchange.credential.kind,
  );
  const bannedFrom = new Map(
    [...refusals].map(([kind, own]) => [kind, mayBeBannedFrom(own.map(({ sample }) => sample))]),
  );
  return all.flatMap(({ exchange, sample }) => {
    const isClockless = needsClock(sample);
    const isRefusal = wasRefused(sample);
    // One response shows these faults.
    if (typeof judgeRateHeaders(FORM, exchange, facts) !== 'string') return [];
    const mayBe = isRefusal && sample.sentAt >= (bannedFrom.get(exchange.credential.kind) ?? Infinity);
    const own = rateFaults(sample, facts, clock, mayBe).filter(({ row }) => row === FORM);
    if (own.length > 0) return findingsOf(own, sample, [exchange]);
    const why = 'the target sends no Date, so its Reset cannot be compared with its clock';
    return isClockless && clock === null
      ? [about(FORM, unestablished('clock-unknown', why, [exchange]))]
      : [];
  });
}

const FORM: RateRow = 'rate-headers-wellformed';
