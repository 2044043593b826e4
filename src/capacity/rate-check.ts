import { judgeRateSample, type RateHeaderFacts, type RateHeaderJudgement } from '../checks/rate-headers.js';
import type { OperationName, RequirementId } from '../contract/types.js';
import { headerNumber } from '../limits/headers/header-number.js';
import { isPlanAnswer, describedWindow, type Sample } from '../limits/sample.js';

/** Headers of a response that a load run reads, as text. */
export interface AnswerHeaders {
  readonly contentType: string | null;
  readonly limit: string | null;
  readonly remaining: string | null;
  readonly reset: string | null;
  readonly retryAfter: string | null;
  readonly date: string | null;
}

type Name = keyof AnswerHeaders;

const NAMES: ReadonlyMap<string, Name> = new Map<string, Name>([
  ['content-type', 'contentType'],
  ['x-ratelimit-limit', 'limit'],
  ['x-ratelimit-remaining', 'remaining'],
  ['x-ratelimit-reset', 'reset'],
  ['retry-after', 'retryAfter'],
  ['date', 'date'],
]);

/**
 * Returns a reader of headers from a parser's flat list of names and values. A server repeats the same names in the
 * same order, so the reader keeps their places and compares names. Values of one name are joined (RFC 9110 section
 * 5.3).
 */
export function headerReader(): (flat: readonly string[]) => AnswerHeaders {
  /** Names of the previous list, and the places of the values that are read. */
  let written: readonly string[] = [];
  let places = placesIn(written);
  return (flat) => {
    if (!isAlike(flat, written)) {
      written = flat.filter((_, at) => at % 2 === 0);
      places = placesIn(written);
    }
    return {
      contentType: valueAt(flat, places.contentType),
      limit: valueAt(flat, places.limit),
      remaining: valueAt(flat, places.remaining),
      reset: valueAt(flat, places.reset),
      retryAfter: valueAt(flat, places.retryAfter),
      date: valueAt(flat, places.date),
    };
  };
}

function isAlike(flat: readonly string[], written: readonly string[]): boolean {
  if (flat.length !== written.length * 2) return false;
  for (let at = 0; at < written.length; at += 1) if (flat[at * 2] !== written[at]) return false;
  return true;
}

/** Place of a value; several for a repeated name. */
type Place = number | readonly number[] | null;

function placesIn(written: readonly string[]): Readonly<Record<Name, Place>> {
  const found: Record<Name, Place> = {
    contentType: null,
    limit: null,
    remaining: null,
    reset: null,
    retryAfter: null,
    date: null,
  };
  written.forEach((name, at) => {
    const meaning = NAMES.get(name.toLowerCase());
    if (meaning) found[meaning] = found[meaning] === null ? at * 2 + 1 : [found[meaning], at * 2 + 1].flat();
  });
  return found;
}

function valueAt(flat: readonly string[], place: Place): string | null {
  if (place === null) return null;
  return typeof place === 'number' ? (flat[place] ?? '') : place.map((each) => flat[each] ?? '').join(', ');
}

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

export type RateCheck = (
  headers: AnswerHeaders,
  of: {
    readonly operation: OperationName;
    readonly status: number;
    readonly sentAt: number;
    readonly answeredAt: number;
  },
) => HeaderJudgement;

/** Judgement of nearly every response: one object, for a quick comparison. */
export const SOUND: HeaderJudgement = { present: 'kept', wellformed: 'kept', value: 'kept' };

/**
 * Judges rate headers like a conformance run. Within a second, a correct server's headers differ only in Remaining. If
 * the others equal those of a correct response, a plain integer up to the limit is enough.
 */
export function rateCheck(facts: RateHeaderFacts): RateCheck {
  let sound: {
    readonly status: number;
    readonly limit: string;
    readonly reset: string;
    readonly date: string;
    readonly most: number;
  } | null = null;
  let [lastDate, dateMs]: [string | null, number | null] = [null, null];
  return (headers, { operation, status, sentAt, answeredAt }) => {
    const { limit, remaining, reset, date, retryAfter } = headers;
    if (
      sound !== null &&
      sound.status === status &&
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

/** Longer numbers go to the reader that keeps their digits. */
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
