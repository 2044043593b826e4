import { judgeRateSample } from '../checks/rate-headers.js';
import type { RateHeaderFacts, RateHeaderJudgement } from '../checks/rate-headers.js';
import type { OperationName } from '../contract/types.js';
import { headerNumber } from '../limits/header-number.js';
import type { Sample } from '../limits/sample.js';
import type { AnswerHeaders } from './answer-headers.js';

/** Judges the rate headers of each answer with one key. */
export type RateCheck = (
  headers: AnswerHeaders,
  of: {
    readonly operation: OperationName;
    readonly status: number;
    readonly sentAt: number;
    readonly answeredAt: number;
  },
) => RateHeaderJudgement;

const SOUND: RateHeaderJudgement = { present: 'kept', wellformed: 'kept' };

/**
 * The same judgement as a conformance run's. Within a second a sound server's headers differ in Remaining alone: where the
 * others are as they were on an answer that was sound, it is enough that Remaining is a plain integer up to the limit.
 */
export function rateCheck(facts: RateHeaderFacts): RateCheck {
  let sound: { readonly limit: string; readonly reset: string; readonly date: string; readonly most: number } | null =
    null;
  let [lastDate, dateMs]: [string | null, number | null] = [null, null];
  return (headers, { operation, status, sentAt, answeredAt }) => {
    const { limit, remaining, reset, date, retryAfter } = headers;
    if (
      sound !== null &&
      sound.limit === limit &&
      sound.reset === reset &&
      sound.date === date &&
      remaining !== null &&
      plainUpTo(remaining, sound.most)
    )
      return SOUND;
    if (date !== lastDate) {
      const parsed = Date.parse(date ?? '');
      [lastDate, dateMs] = [date, Number.isNaN(parsed) ? null : parsed];
    }
    const sample: Sample = {
      intendedAt: sentAt,
      sentAt,
      answeredAt,
      operation,
      status,
      limit: headerNumber(limit),
      remaining: headerNumber(remaining),
      reset: headerNumber(reset),
      retryAfter,
      date: dateMs,
    };
    const judged = judgeRateSample(sample, facts, []);
    const isSound = judged.present === 'kept' && judged.wellformed === 'kept';
    sound =
      isSound && limit !== null && reset !== null && date !== null && typeof sample.limit === 'number'
        ? { limit, reset, date, most: sample.limit }
        : null;
    return judged;
  };
}

/** Longer numbers are left to the reader that keeps their digits. */
const MOST_DIGITS = 15;

function plainUpTo(text: string, most: number): boolean {
  if (text.length === 0 || text.length > MOST_DIGITS) return false;
  let value = 0;
  for (let at = 0; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return false;
    value = value * 10 + digit;
  }
  return value <= most;
}
