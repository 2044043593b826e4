import { plainInteger } from './headers/header-number.js';
import type { Sample } from './sample.js';
import type { Figures } from './series.js';

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
export type WindowSpokenOf = 'minute' | 'day' | 'either' | 'unknown';

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
export const distinct = (samples: readonly Sample[]): readonly Sample[] => bySending([...new Set(samples)]);
