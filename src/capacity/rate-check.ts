import { judgeRateSample, type RateHeaderFacts, type RateHeaderJudgement } from '../checks/rate-headers.js';
import type { RequirementId } from '../contract/types.js';
import { headerIn } from '../exchange/headers.js';
import { headerNumber } from '../limits/headers/header-number.js';
import { isPlanAnswer, describedWindow, type Sample } from '../limits/sample.js';

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

/** Judgement of one response by its headers. */
export interface HeaderJudgement extends RateHeaderJudgement {
  readonly value: RowJudgement;
}

/** Requirements of a judgement. */
export const HEADER_ROWS: readonly (readonly [keyof HeaderJudgement, RequirementId])[] = [
  ['present', 'rate-headers-present'],
  ['wellformed', 'rate-headers-wellformed'],
  ['value', 'rate-limit-value'],
];

export type RateCheck = ReturnType<typeof rateCheck>;

/** Judgement of nearly every response: one object, for a quick comparison. */
export const SOUND: HeaderJudgement = { present: 'kept', wellformed: 'kept', value: 'kept' };

/**
 * Judges rate headers like a conformance run. Within a second, a correct server's headers differ only in Remaining. If
 * the others equal those of a correct response, a plain integer up to the limit is enough. Longer numbers go to the reader
 * that keeps their digits.
 */
export function rateCheck(facts: RateHeaderFacts) {
  let sound: { status: number; limit: string; reset: string; date: string; most: number } | null = null;
  let [lastDate, dateMs]: [string | null, number | null] = [null, null];
  return (
    { limit, remaining, reset, date, retryAfter }: AnswerHeaders,
    of: Pick<Sample, 'operation' | 'status' | 'sentAt' | 'answeredAt'>,
  ): HeaderJudgement => {
    const { status } = of;
    if (
      sound !== null &&
      sound.status === status &&
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
      ...of,
      intendedAt: of.sentAt,
      limit: headerNumber(limit),
      remaining: headerNumber(remaining),
      reset: headerNumber(reset),
      retryAfter,
      date: dateMs,
    };
    const judged: HeaderJudgement = { ...judgeRateSample(sample, facts, []), value: limitValue(sample, facts) };
    const isSound = HEADER_ROWS.every(([row]) => judged[row] === 'kept');
    sound =
      isSound && limit !== null && reset !== null && date !== null && typeof sample.limit === 'number'
        ? { status, limit, reset, date, most: sample.limit }
        : null;
    return judged;
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
