import { judgeRateSample, type RateHeaderFacts, type RateHeaderJudgement } from '../checks/rate-headers.js';
import { headerIn } from '../exchange/headers.js';
import { headerNumber } from '../limits/headers/header-number.js';
import { isPlanAnswer, describedWindow, type Sample } from '../limits/sample.js';
import type { BodyVerdict } from './known-bodies.js';

/** Headers of a response that a load run reads, as text. */
export type AnswerHeaders = ReturnType<typeof readHeaders>;

/** Reads them from a parser's flat list of names and values. */
export const readHeaders = (flat: readonly string[]) => ({
  contentType: headerIn(flat, 'content-type'),
  limit: headerIn(flat, 'x-ratelimit-limit'),
  remaining: headerIn(flat, 'x-ratelimit-remaining'),
  reset: headerIn(flat, 'x-ratelimit-reset'),
  retryAfter: headerIn(flat, 'retry-after'),
  date: headerIn(flat, 'date'),
});

type RowJudgement = RateHeaderJudgement['present'];

export type RateCheck = ReturnType<typeof rateCheck>;

/** Verdict on nearly every response: one object, for a quick comparison. It has met all requirements. */
export const SOUND: Omit<BodyVerdict, 'count'> = {
  kept: ['rate-headers-present', 'rate-headers-wellformed', 'rate-limit-value'],
  findings: [],
};

/**
 * Judges rate headers like a conformance run. Within a second, a correct server's headers differ only in Remaining. If
 * the others equal those of a correct response, a plain integer up to the limit is enough. Longer numbers go to the reader
 * that keeps their digits.
 */
export function rateCheck(facts: RateHeaderFacts) {
  /** Headers of the last correct response by status code: reads and creations take turns. */
  const soundOf = new Map<number, { limit: string; reset: string; date: string; most: number }>();
  let [lastDate, dateMs]: [string | null, number | null] = [null, null];
  return (
    { limit, remaining, reset, date, retryAfter }: AnswerHeaders,
    of: Pick<Sample, 'operation' | 'status' | 'sentAt' | 'answeredAt'>,
  ): typeof SOUND => {
    const { operation, status, sentAt, answeredAt } = of;
    const sound = soundOf.get(status);
    if (
      sound !== undefined &&
      sound.limit === limit &&
      sound.reset === reset &&
      sound.date === date &&
      remaining !== null &&
      /^\d{1,15}$/.test(remaining) &&
      Number(remaining) <= sound.most
    )
      return SOUND;
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
    const { present, wellformed } = judgeRateSample(sample, facts, []);
    const rows = [present, wellformed, limitValue(sample, facts)];
    const kept = SOUND.kept.filter((_, at) => rows[at] === 'kept');
    if (
      kept.length === rows.length &&
      limit !== null &&
      reset !== null &&
      date !== null &&
      typeof sample.limit === 'number'
    )
      soundOf.set(status, { limit, reset, date, most: sample.limit });
    return { kept, findings: rows.flatMap((row) => (typeof row === 'string' ? [] : row)) };
  };
}

/** Judges `rate-limit-value` on one response, as for a burst. Another requirement reports a malformed number. */
function limitValue(sample: Sample, facts: RateHeaderFacts): RowJudgement {
  if (!isPlanAnswer(sample) || typeof sample.limit !== 'number') return 'not judged';
  if (describedWindow(sample, facts) !== 'unknown') return 'kept';
  return [
    {
      kind: 'violated',
      requirement: 'rate-limit-value',
      message: "a response has an X-RateLimit-Limit that is not the plan's",
      expected: `X-RateLimit-Limit: ${facts.perMinute} (a minute) or ${facts.perDay} (a day)`,
      actual: `X-RateLimit-Limit: ${sample.limit}`,
      exchanges: [],
    },
  ];
}
