import { findingsOf } from '../judge/checks/rate-headers.js';
import { about, isViolated } from '../judge/findings/finding.js';
import { hasRetryAfter } from '../judge/service/refusals.js';
import { headerIn } from '../wire/exchange/headers.js';
import { headerNumber, rateTextsOf } from '../base/interface/rate-headers.js';
import { needsClock, rateFaults, RATE_ROWS, showsRate } from '../judge/limits/headers/header-faults.js';
import type { TimedRequest } from '../wire/exchange/types.js';
import type { Figures } from '../judge/limits/bounds.js';
import type { Sample } from '../judge/limits/sample.js';
import type { BodyVerdict } from './known-bodies.js';

/** Headers of a response that a load run reads, as text. */
export type AnswerHeaders = ReturnType<typeof readHeaders>;

/** Reads them from a parser's flat list of names and values. */
export const readHeaders = (flat: readonly string[]) => ({
  contentType: headerIn(flat, 'content-type'),
  contentEncoding: headerIn(flat, 'content-encoding'),
  ...rateTextsOf((name) => headerIn(flat, name)),
  retryAfter: headerIn(flat, 'retry-after'),
  date: headerIn(flat, 'date'),
});

const REFUSED = 429;

export type RateCheck = ReturnType<typeof rateCheck>;

/** Verdict on nearly every response: one object, for a quick comparison. It has met all requirements. */
export const SOUND: Pick<BodyVerdict, 'kept' | 'findings'> = {
  kept: RATE_ROWS,
  findings: [],
};

const SOUND_REFUSAL: typeof SOUND = { kept: [...RATE_ROWS, 'rate-retry-after-present'], findings: [] };

/** Refusals come side by side, so any of them may speak of a ban. */
const MAY_BE_BAN = true;

/** Part 8, "Exceeding the limit": judges the Retry-After of a 429. */
function waitIn(headers: Pick<AnswerHeaders, 'retryAfter' | 'date'>): typeof SOUND {
  const judgement = hasRetryAfter(headers, MAY_BE_BAN, []);
  if (judgement === null) return { kept: [], findings: [] };
  return isViolated(judgement)
    ? { kept: [], findings: [about('rate-retry-after-present', judgement)] }
    : { kept: ['rate-retry-after-present'], findings: [] };
}

/**
 * Judges rate headers like a conformance run. Within a second, a correct server's headers differ only in
 * Remaining. If the others equal those of a correct response, a plain integer up to the limit is enough.
 * Longer numbers go to the reader that keeps their digits.
 */
export function rateCheck(facts: Figures) {
  /** Headers of the last correct response by status code: reads and creations take turns. */
  const soundOf = new Map<
    number,
    Pick<AnswerHeaders, 'limit' | 'reset' | 'date' | 'retryAfter'> & { readonly most: number }
  >();
  let [lastDate, dateMs]: [string | null, number | null] = [null, null];
  return (
    { limit, remaining, reset, date, retryAfter }: AnswerHeaders,
    of: Omit<TimedRequest, 'intendedAt'>,
  ): typeof SOUND => {
    const { operation, status, sentAt, answeredAt } = of;
    const sound = soundOf.get(status);
    if (
      sound !== undefined &&
      sound.limit === limit &&
      sound.reset === reset &&
      sound.date === date &&
      sound.retryAfter === retryAfter &&
      remaining !== null &&
      /^\d{1,15}$/.test(remaining) &&
      Number(remaining) <= sound.most
    )
      return status === REFUSED ? SOUND_REFUSAL : SOUND;
    if (date !== lastDate) {
      const parsed = Date.parse(date ?? '');
      [lastDate, dateMs] = [date, Number.isNaN(parsed) ? null : parsed];
    }
    const sample: Sample = {
      operation,
      status,
      sentAt,
      answeredAt,
      intendedAt: sentAt,
      limit: headerNumber(limit),
      remaining: headerNumber(remaining),
      reset: headerNumber(reset),
      retryAfter,
      date: dateMs,
    };
    const faults = rateFaults(sample, facts, null, MAY_BE_BAN);
    const wait = status === REFUSED ? waitIn({ retryAfter, date }) : null;
    const kept = RATE_ROWS.filter(
      (row) =>
        showsRate(row, sample) &&
        !faults.some((fault) => fault.row === row) &&
        !(row === 'rate-headers-wellformed' && needsClock(sample)),
    );
    if (
      kept.length === RATE_ROWS.length &&
      wait?.kept.length !== 0 &&
      limit !== null &&
      reset !== null &&
      date !== null &&
      typeof sample.limit === 'number'
    )
      soundOf.set(status, { limit, reset, date, retryAfter, most: sample.limit });
    const findings = findingsOf(faults, sample, []);
    return wait
      ? { kept: [...kept, ...wait.kept], findings: [...findings, ...wait.findings] }
      : { kept, findings };
  };
}
