import type { KeySeries, Figures } from './series.js';
import { plainInteger } from './headers/header-number.js';
import type { OperationName } from '../contract/types.js';

/** Every sample that is kept of one key, in the order of sending: all but what used up a day. */
export const samplesOf = (key: KeySeries): readonly Sample[] =>
  distinct([
    ...key.earlier,
    ...(key.burst?.samples ?? []),
    ...key.recoveries
      .flatMap(({ refusal, retry, resetRetry }) => [refusal, retry, resetRetry])
      .filter((sample) => sample !== null),
    ...(key.concurrent?.samples ?? []),
    ...(key.window?.bursts.flat() ?? []),
    ...(key.spread?.samples ?? []),
    ...(key.spread?.last ? [key.spread.last] : []),
    ...(key.fresh?.samples ?? []),
    ...(key.steady?.samples ?? []),
    ...(key.ban === null ? [] : [...key.ban.pushed, ...key.ban.watched]),
  ]);

/** Answered, and not by the limit: most limiters count a 400 or a 404 as they count a 200. */
export const mayHaveCounted = ({ status }: Sample): boolean => status > 0 && status !== 429;

/** The request was let through and did its work. Only these count as served: some limiters count successes alone. */
export const wasServed = ({ status }: Sample): boolean => status >= 200 && status < 300;

/** The limit refused it (part 8). */
export const wasRefused = ({ status }: Sample): boolean => status === 429;

/** An answer of the service to a valid key, whether it liked the request or not: 401, 403 and faults belong to no plan. */
export const isPlanAnswer = (sample: Sample): boolean =>
  wasServed(sample) || wasRefused(sample) || sample.status === 400 || sample.status === 404;

/** Which window an answer's Limit speaks of. `either`: the plan's two figures are the same. */
type WindowSpokenOf = 'minute' | 'day' | 'either' | 'unknown';

/** Which of the plan's windows the rate headers of an answer describe, told by the figure in X-RateLimit-Limit. */
export function windowSpokenOf({ limit }: Sample, { perMinute, perDay }: Figures): WindowSpokenOf {
  const figure = plainInteger(limit);
  if (figure === perMinute) return figure === perDay ? 'either' : 'minute';
  return figure === perDay ? 'day' : 'unknown';
}

/** The headers may be read as those of the minute's window. */
export const speaksOfMinute = (sample: Sample, figures: Figures): boolean => {
  const spoken = windowSpokenOf(sample, figures);
  return spoken === 'minute' || spoken === 'either';
};

/** The headers are those of the day's window, and of it alone. */
export const speaksOfDay = (sample: Sample, figures: Figures): boolean => windowSpokenOf(sample, figures) === 'day';

/** Samples in the order of sending; senders deliver them so, and concurrent ones nearly so. */
export const bySending = (samples: readonly Sample[]): readonly Sample[] =>
  samples.toSorted((one, other) => one.sentAt - other.sentAt);

/** Those of some samples in the order of sending that had no other under way: concurrent answers say what is left in any order. */
export function lone(ordered: readonly Sample[]): readonly Sample[] {
  let answered = -Infinity;
  return ordered.filter((sample, index) => {
    const isLone = sample.sentAt >= answered && (ordered[index + 1]?.sentAt ?? Infinity) >= sample.answeredAt;
    answered = Math.max(answered, sample.answeredAt);
    return isLone;
  });
}

/** Every sample that was recorded with one key, in the order of sending, none twice. */
const distinct = (samples: readonly Sample[]): readonly Sample[] => bySending([...new Set(samples)]);

/**
 * A header that should hold a plain decimal integer: the number when it is written so (at most 15 digits), the raw
 * text when it is not, null when it is absent.
 */
export type HeaderNumber = number | string | null;

/** One answer of a load profile, small enough to keep for every request. */
export interface Sample {
  /** When the schedule wanted it sent; equals sentAt where there is no schedule. Unix ms with a fraction, monotonic. */
  readonly intendedAt: number;
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly operation: OperationName;
  /** 0 when no whole answer came. */
  readonly status: number;
  readonly limit: HeaderNumber;
  readonly remaining: HeaderNumber;
  readonly reset: HeaderNumber;
  /** The raw Retry-After text, null when absent. */
  readonly retryAfter: string | null;
  /** The `Date` header in Unix ms, null when absent or unreadable. */
  readonly date: number | null;
}
