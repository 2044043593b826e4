import { RATE_HEADERS } from '../../base/interface/rate-headers.js';
import { count } from '../../base/kernel/format.js';
import type { Figures } from './bounds.js';
import { waitOf } from '../../base/interface/retry-after.js';
import {
  bySending,
  isPlanAnswer,
  leftBy,
  lone,
  wasRefused,
  wasRefusedByMinute,
  type Sample,
} from './sample.js';
import { longestWaitMs } from './when-allowed.js';

/** A 429 of the minute to a client without concurrent requests. */
interface LoneRefusal {
  readonly refusal: Sample;
  /** Requests that the response before left, without those sent since; 0 if unknown. */
  readonly promised: number;
  /** Is true if no other allowed request was under way with the one before: nothing else explains the 429. */
  readonly isPlain: boolean;
}

/** True for a 429 of the minute. The wait identifies a day's 429 that carries the minute's headers. */
const isOfMinute = (sample: Sample, figures: Figures): boolean =>
  wasRefusedByMinute(sample, figures) && (waitOf(sample) ?? 0) <= longestWaitMs(figures);

export function loneRefusals(samples: readonly Sample[], figures: Figures): readonly LoneRefusal[] {
  const ordered = bySending(samples);
  return lone(ordered)
    .filter((sample) => isOfMinute(sample, figures))
    .map((refusal) => {
      const earlier = ordered.slice(0, ordered.indexOf(refusal));
      const allowed = earlier.filter((sample) => isPlanAnswer(sample) && !wasRefused(sample));
      const before = allowed.at(-1);
      if (before === undefined) return { refusal, promised: 0, isPlain: false };
      // Of concurrent requests, the last one sent need not be the last one to arrive.
      const beside = allowed.filter(({ answeredAt }) => answeredAt > before.sentAt);
      const left = Math.min(...beside.map((sample) => leftBy(sample, figures) ?? 0));
      // Requests in between may have counted.
      const promised = left - (earlier.length - 1 - earlier.indexOf(before));
      return { refusal, promised, isPlain: beside.length === 1 };
    });
}

/** Message and detail of a violation: a 429 although a response promised that so many are left. */
export const brokenPromise = (name: string, promised: number, isOfDay = false) =>
  [
    `${name} gets 429 while ${isOfDay ? "the day's " : ''}${RATE_HEADERS.remaining} is above 0.`,
    {
      expected: `a request allowed while ${RATE_HEADERS.remaining} is ${count(promised)}`,
      actual: '429 to the next request, with no other request open',
      measured: { most: 0, got: promised, ...(isOfDay && { what: ['day'] }) },
    },
  ] as const;
