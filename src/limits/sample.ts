import type { KeySeries, Figures } from './series.js';
import { plainInteger } from './headers/header-number.js';
import type { OperationName } from '../contract/types.js';

/** Returns all kept samples of one key, in order of sending: all but those that used up a day. */
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

/** Is true for any response but 429: most limiters count a 400 or a 404 like a 200. */
export const mayCount = ({ status }: Sample): boolean => status > 0 && status !== 429;

/** Is true for a success. Only successes count as allowed: some limiters count nothing else. */
export const wasServed = ({ status }: Sample): boolean => status >= 200 && status < 300;

/** Is true if the limit refused the request (part 8). */
export const wasRefused = ({ status }: Sample): boolean => status === 429;

/** Is true if the service handled a valid key, successfully or not: 401, 403 and faults belong to no plan. */
export const isPlanAnswer = (sample: Sample): boolean =>
  wasServed(sample) || wasRefused(sample) || sample.status === 400 || sample.status === 404;

/** Window that a response's Limit describes. `either`: both figures of the plan are equal. */
type DescribedWindow = 'minute' | 'day' | 'either' | 'unknown';

/** Finds the window of the plan that a response's rate headers describe, by X-RateLimit-Limit. */
export function describedWindow({ limit }: Sample, { perMinute, perDay }: Figures): DescribedWindow {
  const figure = plainInteger(limit);
  if (figure === perMinute) return figure === perDay ? 'either' : 'minute';
  return figure === perDay ? 'day' : 'unknown';
}

/** Is true if the headers may describe the minute's window. */
export const describesMinute = (sample: Sample, figures: Figures): boolean => {
  const spoken = describedWindow(sample, figures);
  return spoken === 'minute' || spoken === 'either';
};

/** Is true if the headers describe only the day's window. */
export const describesDay = (sample: Sample, figures: Figures): boolean => describedWindow(sample, figures) === 'day';

/** Sorts samples by sending. Senders deliver them so, concurrent ones nearly so. */
export const bySending = (samples: readonly Sample[]): readonly Sample[] =>
  samples.toSorted((one, other) => one.sentAt - other.sentAt);

/** Returns the samples without a concurrent request: concurrent responses show Remaining in any order. */
export function lone(ordered: readonly Sample[]): readonly Sample[] {
  let answered = -Infinity;
  return ordered.filter((sample, index) => {
    const isLone = sample.sentAt >= answered && (ordered[index + 1]?.sentAt ?? Infinity) >= sample.answeredAt;
    answered = Math.max(answered, sample.answeredAt);
    return isLone;
  });
}

const distinct = (samples: readonly Sample[]): readonly Sample[] => bySending([...new Set(samples)]);

/**
 * A header that should be a plain decimal integer: the number (at most 15 digits), other text as it is, or null if
 * absent.
 */
export type HeaderNumber = number | string | null;

/** Facts of one request and response under load, small enough to keep for every request. */
export interface Sample {
  /** Scheduled time, or sentAt without a schedule. Unix ms with a fraction, monotonic. */
  readonly intendedAt: number;
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly operation: OperationName;
  /** Status code; 0 without a complete response. */
  readonly status: number;
  readonly limit: HeaderNumber;
  readonly remaining: HeaderNumber;
  readonly reset: HeaderNumber;
  /** Raw text; null if absent. */
  readonly retryAfter: string | null;
  /** `Date` header in Unix ms; null if absent or unreadable. */
  readonly date: number | null;
}
