import type { ClientExchange, ExchangeTimes, Traffic } from '../../wire/exchange/client-exchange.js';

/**
 * Bounds of one exchange on its record's clock, Unix ms. Each bound errs in the client's favour: a wait
 * computed from them is never shorter than the true one.
 */
interface Timing {
  /** Latest moment at which the request had reached the server. */
  readonly latestRead: number;
  /** Earliest moment at which the response can have been written. */
  readonly earliestWritten: number;
  /** Earliest moment at which the client can have made the call. */
  readonly earliestCall: number;
  readonly latestCall: number;
  /**
   * Earliest moment at which the client can have had the response; its first byte, or its end where that is
   * unknown.
   */
  readonly earliestHad: number;
  /** Its call, or where the server made the record its arrival. */
  readonly start: number;
  /**
   * Latest moment at which the response had reached the client, or where the server made the record its
   * writing.
   */
  readonly end: number;
}

/** A timer may fire this much early, ms: Node and browsers round their clocks to whole milliseconds. */
export const TIMER_SLACK_MS = 2;

/** Least time that an exchange is under way, ms: the record's clock has microseconds. */
const SHORTEST_MS = 0.001;

/**
 * Returns an exchange's bounds; null without times.
 *
 * At our own server or proxy, "read" is stamped after the read and "written" before the write. A stalled
 * process makes the first later and leaves the second, so a wait only grows. A call on another connection may
 * have waited for its connect, at most `graceMs`.
 *
 * Where the client made the record, the server can have written a refusal as early as the request's start,
 * and can have read a later request as late as the first byte of its response.
 */
function timingOf(times: ExchangeTimes, graceMs: number): Timing | null {
  switch (times.kind) {
    case 'server':
      return {
        latestRead: times.readAt,
        earliestWritten: times.writtenAt,
        earliestCall: times.readAt - graceMs,
        latestCall: times.readAt,
        earliestHad: times.writtenAt,
        start: times.readAt,
        // A response may be written before its request has ended.
        end: Math.max(times.writtenAt, times.readAt + SHORTEST_MS),
      };
    case 'client':
      return {
        latestRead: times.firstByteAt,
        earliestWritten: times.startedAt,
        earliestCall: times.startedAt,
        latestCall: times.startedAt,
        earliestHad: times.firstByteAt,
        start: times.startedAt,
        end: times.endedAt,
      };
    case 'unknown':
      return null;
  }
}

export interface Timed {
  readonly exchange: ClientExchange;
  readonly timing: Timing;
}

/** Returns a record's exchanges that have times, in order of their arrival. */
export function timed(traffic: Traffic): readonly Timed[] {
  const graceMs = graceOf(traffic);
  return traffic.exchanges
    .flatMap((exchange) => {
      const timing = timingOf(exchange.times, graceMs);
      return timing === null ? [] : [{ exchange, timing }];
    })
    .toSorted((one, other) => one.timing.latestRead - other.timing.latestRead);
}

/** Shortest grace, ms. Clients on an idle machine connect within a few; Node tries a second address after 250. */
export const SHORTEST_GRACE_MS = 250;

/** Returns a record's grace, ms. The end of the record knows of slower connects than its start. */
export const graceOf = ({ graceMs, end }: Traffic): number =>
  Math.max(SHORTEST_GRACE_MS, graceMs, end?.graceMs ?? 0);

/**
 * Returns whether the client certainly had the refusal when it called `later`. On the refusal's own
 * connection HTTP/1.1 reads the response first, unless requests are sent ahead of responses. On another one,
 * the call must come after the response's arrival.
 */
export function hadCertainly(refusal: Timed, later: Timed): boolean {
  const isSame =
    refusal.exchange.connection !== undefined &&
    refusal.exchange.connection === later.exchange.connection &&
    !refusal.exchange.multiplexed &&
    !later.exchange.multiplexed;
  if (isSame) return later.timing.latestRead >= refusal.timing.earliestWritten;
  return later.timing.earliestCall >= refusal.timing.end;
}

export const mayHaveHad = (refusal: Timed, later: Timed): boolean =>
  refusal.timing.earliestHad <= later.timing.latestCall &&
  refusal.timing.latestRead <= later.timing.latestRead;

/** Returns the longest time that can have passed at the server between a refusal and a later request, ms. */
export const longestWait = (refusal: Timed, later: Timed): number =>
  later.timing.latestRead - refusal.timing.earliestWritten;

/**
 * Returns the shortest time that the client can have waited, ms. At our own server it is the longest as well:
 * what a stall there adds hides a mistake, and is never held against the client.
 */
export const shortestWait = (refusal: Timed, later: Timed): number => later.timing.start - refusal.timing.end;
