import type { OperationName } from '../../base/interface/types.js';
import { MOST_REFUSED } from '../../judge/limits/asked.js';
import { leftBy, wasServed, type Sample } from '../../judge/limits/sample.js';
import type { Figures } from '../../judge/limits/bounds.js';

/**
 * Two of them are kept for the requests after the wait, at Reset and at Retry-After: an unsound server
 * refuses both.
 */
const FOR_RETURNS = 2;
/**
 * Most requests that may be open at the same time near the edge: all of them may be refused, whatever
 * Remaining says.
 */
export const MOST_UNCERTAIN = MOST_REFUSED - FOR_RETURNS;
/**
 * Far from the edge more may be open: more than so many times as many are left, by count and by Remaining. Of
 * a server that refuses none of its first requests, half would have to be uncounted before one is refused.
 */
const FAR = 2;

/** Requests of a key that are open, and what its responses so far say about the next ones. */
type Standing = ReturnType<typeof newStanding>;

/**
 * Follows the requests of one key, so that it never meets more than `MOST_REFUSED` refusals in a row.
 * Remaining does not count: a server may say that requests are left, and refuse them.
 */
export function newStanding(figures: Figures) {
  let open = 0;
  let refused = 0;
  /** With requests that got no response: it may have been a refusal that came too late. */
  let unserved = 0;
  /** Least Remaining of the responses since no request was open; null if unknown. */
  let left: number | null = null;
  /** Responses since no request was open: concurrent ones come in any order. */
  let since = { any: false, refusal: false };
  return {
    leaves(): void {
      if (open === 0) since = { any: false, refusal: false };
      open += 1;
    },
    /** Notes the response to one of them, in order of arrival; status 0 without one. */
    meets(sample: Sample): void {
      open -= 1;
      const isRefusal = sample.status !== 0 && !wasServed(sample);
      // Of a success and a refusal that were open together, the success may have been the earlier one.
      if (isRefusal) refused += 1;
      if (!wasServed(sample)) unserved += 1;
      else if (!since.refusal) [refused, unserved] = [0, 0];
      const shown = wasServed(sample) ? leftBy(sample, figures) : 0;
      left = shown === null || left === null || !since.any ? shown : Math.min(left, shown);
      since = { any: true, refusal: since.refusal || isRefusal };
    },
    /** Takes back departures of requests that were never sent. */
    stays(requests: number): void {
      open -= requests;
    },
    /** Returns the number of refusals since the last success. */
    refused: (): number => refused,
    /** Returns the most that may have been refused since then: requests without a response may have been. */
    unserved: (): number => unserved,
    /**
     * Returns how many more requests may leave now, with those that are open.
     *
     * @param byCount requests left by the number sent, if the caller knows it; the open ones count as sent
     */
    room: (byCount = 0): number => {
      // Without Remaining nothing shows what others, or another limit than the plan's, have left.
      const far = refused > 0 || left === null ? 0 : Math.ceil(Math.min(byCount, left - open) / FAR) - 1;
      return Math.max(far, MOST_UNCERTAIN - unserved, 0) - open;
    },
  };
}

/** Parallel requests and their end, as in `ParallelOptions`. */
export interface ParallelRequests {
  readonly connections: number;
  readonly next: () => OperationName | null;
  readonly stopsAt: (sample: Sample) => boolean;
  /** Requests left by the number sent, as in `room`; without it few are open at the same time. */
  readonly byCount?: () => number;
}

/** Bounds parallel requests by the standing of their key. A connection without room for its next request ends. */
export function bounded({ connections, next, stopsAt, byCount }: ParallelRequests, standing: Standing) {
  const room = (): number => standing.room(byCount?.());
  let unmet = 0;
  return {
    // The sender needs a first request for each connection.
    connections: Math.max(1, Math.min(connections, room())),
    next: (): OperationName | null => {
      const operation = room() > 0 ? next() : null;
      if (operation !== null) {
        standing.leaves();
        unmet += 1;
      }
      return operation;
    },
    stopsAt: (sample: Sample): boolean => {
      standing.meets(sample);
      unmet -= 1;
      return stopsAt(sample);
    },
    /** All have ended: one that waited for its connection as another response stopped them was never sent. */
    ended: (): void => standing.stays(unmet),
  };
}
