import type { PlanFigures } from '../contract/plans.js';
import { answerHeader, answeredAt, statusOf } from '../exchange/headers.js';
import type { Exchange } from '../exchange/types.js';
import { clockBounds, clockWithin, type ServerClock } from '../limits/clock.js';
import { folded, type Sample } from '../limits/sample.js';
import { headerNumber } from '../limits/headers/header-number.js';
import { headerFaults, missingHeaders } from '../limits/headers/header-faults.js';
import type { Figures } from '../limits/bounds.js';
import { about, allAbout, unestablished, violated, type Finding } from '../findings/finding.js';

/** Rate limit of the suites' key, and the lengths of the windows in seconds. */
export interface TargetFigures {
  readonly plan: PlanFigures;
  readonly windows: { readonly minute: number; readonly day: number };
}

/** Figures for judging the rate headers of one response. */
export type RateHeaderFacts = Figures;

/** Converts the figures for the limit checks. */
export const rateFactsOf = ({ plan, windows }: TargetFigures): RateHeaderFacts => ({
  perMinute: plan.perMinute,
  perDay: plan.perDay,
  minuteSeconds: windows.minute,
  daySeconds: windows.day,
});

/** Judgement of one response for a row that judges every response. */
export type RowJudgement = readonly Finding[] | 'kept' | 'not judged';

/** Converts an exchange for the limit checks; null without a response or an operation. */
export function sampleOf(exchange: Exchange): Sample | null {
  const status = statusOf(exchange);
  if (status === null || exchange.operation === null) return null;
  const date = Date.parse(answerHeader(exchange, 'date') ?? '');
  return {
    ...unread(exchange),
    status,
    limit: headerNumber(answerHeader(exchange, 'x-ratelimit-limit')),
    remaining: headerNumber(answerHeader(exchange, 'x-ratelimit-remaining')),
    reset: headerNumber(answerHeader(exchange, 'x-ratelimit-reset')),
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

/** Status codes for a too large body or head, which an HTTP layer returns before any application. */
export const BEFORE_ANY_APPLICATION: readonly number[] = [413, 414, 431];

/** A router may accept only numeric ids. Its 404 for others is not the operation's response. */
const isRoutersOwn = ({ intent, answer }: Exchange): boolean =>
  intent.kind === 'open' && intent.row === 'get-malformed-id' && answer.kind === 'response' && answer.status === 404;

/** Is true if the service itself sent a response. One sent before any application says nothing about a plan. */
export const isOfService = (exchange: Exchange): boolean => {
  const status = statusOf(exchange);
  return (
    status !== null &&
    exchange.blockedAfter === undefined &&
    !BEFORE_ANY_APPLICATION.includes(status) &&
    !isRoutersOwn(exchange)
  );
};

/**
 * Part 8, "Rate limit headers": judges if a response has all three as plausible plain decimal integers. `judgeUndated` judges
 * what needs a missing Date.
 */
export function judgeRateHeaders(exchange: Exchange, facts: RateHeaderFacts): RateHeaderJudgement {
  const sample = isOfService(exchange) ? sampleOf(exchange) : null;
  if (!sample) return { present: 'not judged', wellformed: 'not judged' };
  const judged = judgeRateSample(sample, facts, [exchange]);
  return isClockless(judged.wellformed) ? { ...judged, wellformed: 'not judged' } : judged;
}

/** True if only the server's time is missing. */
const isClockless = (row: RowJudgement): boolean =>
  typeof row !== 'string' && row.some(({ kind }) => kind === 'inconclusive');

/** Judges responses without Date, such as a proxy's, with the clock from all others. */
export function judgeUndated(exchanges: readonly Exchange[], facts: RateHeaderFacts): readonly Finding[] {
  const all = exchanges.flatMap((exchange) => {
    const sample = isOfService(exchange) ? sampleOf(exchange) : null;
    return sample ? [{ exchange, sample }] : [];
  });
  const clock = clockWithin(
    folded(
      clockBounds,
      all.map(({ sample }) => sample),
    ),
  );
  return all.flatMap(({ exchange, sample }) => {
    if (!isClockless(judgeRateSample(sample, facts, [exchange]).wellformed)) return [];
    const { wellformed: row } = judgeRateSample(sample, facts, [exchange], clock);
    return typeof row === 'string' ? [] : row;
  });
}

/** Findings of one response for the two rows that judge every response. */
export interface RateHeaderJudgement {
  readonly present: RowJudgement;
  readonly wellformed: RowJudgement;
}

/**
 * Judges a response of the service by its sample only. Findings name `exchanges`.
 * @param clock the server's clock, from other responses
 */
export function judgeRateSample(
  sample: Sample,
  facts: RateHeaderFacts,
  exchanges: readonly Pick<Exchange, 'id'>[],
  clock: ServerClock | null = null,
): RateHeaderJudgement {
  const missing = missingHeaders(sample);
  return {
    present:
      missing.length === 0
        ? 'kept'
        : allAbout(
            'rate-headers-present',
            violated(
              exchanges,
              `a response with ${sample.status} lacks ${missing.length === 3 ? 'all rate headers' : 'a rate header'}`,
              {
                expected: 'X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset',
                actual: missing.length === 3 ? 'none of them' : `no ${missing.join(' and no ')}`,
              },
            ),
          ),
    wellformed: wellformed(sample, facts, exchanges, clock),
  };
}

function wellformed(
  sample: Sample,
  facts: RateHeaderFacts,
  exchanges: readonly Pick<Exchange, 'id'>[],
  clock: ServerClock | null,
): RowJudgement {
  if (missingHeaders(sample).length === 3) return 'not judged';
  const row = 'rate-headers-wellformed';
  const message = `a response with ${sample.status} has a wrong rate header`;
  const faults = headerFaults(sample, facts, clock).map(({ expected, actual }) =>
    about(row, violated(exchanges, message, { expected, actual })),
  );
  if (faults.length > 0) return faults;
  const isUndated = sample.date === null && clock === null && sample.reset !== null;
  const why = 'the target sends no Date, so its Reset cannot be compared with its clock';
  return isUndated ? [about(row, unestablished('clock-unknown', why, exchanges))] : 'kept';
}
