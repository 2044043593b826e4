import { onceEach } from '../../base/kernel/once-each.js';
import { countWhile } from '../../base/kernel/sorted.js';
import { longestByServer, minuteMs, MISHAP, soonestExitMs, type Figures } from './bounds.js';
import { isSuccess } from '../../base/interface/success.js';
import { plainInteger, type HeaderNumber } from '../../base/interface/rate-headers.js';
import type { TimedRequest } from '../../wire/exchange/types.js';

/** Only successes count as allowed: some limiters count nothing else. */
export const wasServed = ({ status }: Sample): boolean => isSuccess(status);

/** Is true if the limit refused the request (part 8). */
export const wasRefused = ({ status }: Sample): boolean => status === 429;

/** Is true if the service handled a valid key, successfully or not: 401, 403 and faults belong to no plan. */
export const isPlanAnswer = (sample: Sample): boolean =>
  wasServed(sample) || wasRefused(sample) || sample.status === 400 || sample.status === 404;

/** `either`: both figures of the plan are equal. */
export function describedWindow({ limit }: Sample, { perMinute, perDay }: Figures) {
  const figure = plainInteger(limit);
  if (figure === perMinute) return figure === perDay ? 'either' : 'minute';
  return figure === perDay ? 'day' : 'unknown';
}

export const describesDay = (sample: Sample, figures: Figures): boolean =>
  describedWindow(sample, figures) === 'day';

/** As far as the headers say. */
export const wasRefusedByMinute = (sample: Sample, figures: Figures): boolean =>
  wasRefused(sample) && !describesDay(sample, figures);

/**
 * Is true if the minute's limit refused the request, whichever window its headers describe: a day of which
 * some is left refuses nothing.
 */
export const wasRefusedWithinDay = (sample: Sample, figures: Figures): boolean =>
  wasRefused(sample) &&
  // Some servers round Remaining up.
  (!describesDay(sample, figures) || (plainInteger(sample.remaining) ?? 0) > MISHAP);

/** Returns the minute's Remaining of a response; null if it names none. */
export const leftBy = (sample: Sample | null | undefined, figures: Figures): number | null =>
  sample && plainInteger(sample.limit) === figures.perMinute ? plainInteger(sample.remaining) : null;

/** Returns Remaining of a response, unless its Limit says that it speaks of the day; null without one. */
export const leftOf = (sample: Sample, figures: Figures): number | null =>
  describesDay(sample, figures) ? null : plainInteger(sample.remaining);

/** Returns Remaining of each success that names it, in the order of the samples. */
export const leftsOf = (samples: readonly Sample[], figures: Figures): readonly number[] =>
  samples.flatMap((sample) => (wasServed(sample) ? (leftOf(sample, figures) ?? []) : []));

/** A response with the minute's Remaining. */
export interface Left {
  readonly sample: Sample;
  readonly left: number;
}

export const servedIn = (samples: readonly Sample[]): number => samples.filter(wasServed).length;

export const refusedIn = (samples: readonly Sample[]): number => samples.filter(wasRefused).length;

/** Returns the time of the latest response, Unix ms; -Infinity without samples. */
export const lastAnswerOf = (samples: readonly Sample[]): number =>
  samples.reduce((latest, { answeredAt }) => Math.max(latest, answeredAt), -Infinity);

/** Time from the first sending to the last answer, ms. */
export function spanMs(samples: readonly Sample[]): number {
  let [from, to] = [Infinity, -Infinity];
  for (const { sentAt, answeredAt } of samples)
    [from, to] = [Math.min(from, sentAt), Math.max(to, answeredAt)];
  return samples.length === 0 ? 0 : to - from;
}

/** Most whole requests that the plan's even refill brings in a time of ours. */
export const refillOver = (ms: number, { perMs }: { readonly perMs: number }): number =>
  Math.floor(longestByServer(ms) * perMs);

const inOrder = (times: readonly number[]): readonly number[] => times.toSorted((one, other) => one - other);

/** Times of sending and of answering, Unix ms, each in order. */
export const timesOf = onceEach((samples: readonly Sample[]) => ({
  sent: inOrder(samples.map(({ sentAt }) => sentAt)),
  answered: inOrder(samples.map(({ answeredAt }) => answeredAt)),
}));

/**
 * Counts the samples that may have left a sliding window between two moments, Unix ms, the earlier one first.
 * It takes logarithmic time, because a series asks for each of its readings.
 */
export function slidBetween(samples: readonly Sample[], figures: Figures, from: number, to: number): number {
  const { sent, answered } = timesOf(samples);
  const hasLeft = countWhile(answered, (at) => at + minuteMs(figures) < from);
  return countWhile(sent, (at) => at + soonestExitMs(figures) <= to) - hasLeft;
}

/**
 * Sorts samples by sending. Senders deliver them so, concurrent ones nearly so: sorted ones are returned as
 * they are.
 */
export const bySending = <One extends Sample>(samples: readonly One[]): readonly One[] =>
  samples.every(({ sentAt }, at) => at === 0 || sentAt >= (samples[at - 1]?.sentAt ?? 0))
    ? samples
    : samples.toSorted((one, other) => one.sentAt - other.sentAt);

/** Returns the samples without a concurrent request: concurrent responses show Remaining in any order. */
export function lone(ordered: readonly Sample[]): readonly Sample[] {
  let answered = -Infinity;
  return ordered.filter((sample, index) => {
    const isLone = sample.sentAt >= answered && (ordered[index + 1]?.sentAt ?? Infinity) >= sample.answeredAt;
    answered = Math.max(answered, sample.answeredAt);
    return isLone;
  });
}

/** Splits items into runs: one ends where `goesOn` is false of two neighbours. */
export function runsOf<Item>(items: readonly Item[], goesOn: (one: Item, next: Item) => boolean) {
  const runs: Item[][] = [];
  for (const [index, item] of items.entries()) {
    const before = items[index - 1];
    if (before !== undefined && goesOn(before, item)) runs.at(-1)?.push(item);
    else runs.push([item]);
  }
  return runs;
}

/** What the limits use of one request and its response: small enough to keep for every request. */
export interface Sample extends TimedRequest {
  readonly limit: HeaderNumber;
  readonly remaining: HeaderNumber;
  readonly reset: HeaderNumber;
  /** Raw text; null if absent. */
  readonly retryAfter: string | null;
  /** `Date` header in Unix ms; null if absent or unreadable. */
  readonly date: number | null;
}
