import { header } from '../../wire/exchange/headers.js';
import type { Resting } from './refusals.js';
import type { Timed } from './timing.js';

/**
 * Returns whether a browser sent a request (Fetch Metadata, Sec-Fetch-Site). A browser sends six requests at
 * a time, equal ones one after another, and queues the rest. So neither equality nor number shows what a page
 * had called before a refusal.
 */
export const isOfBrowser = ({ exchange }: Timed): boolean =>
  header(exchange.request.headers, 'sec-fetch-site') !== null;

/**
 * Returns which requests that came within a rest may have been called before it: queues of browsers and pools
 * send them as soon as a connection is free. As many are excused as were under way, once for all refusals
 * whose rests overlap. A client that sends one request at a time has no such queue. A browser's queue may be
 * of any length; it is empty once the key was quiet for the grace: where connects are slow, the browser sends
 * what it queued as slowly.
 *
 * @param early requests that came too early, in order of arrival
 * @param restingAt returns the rest that lasts at a moment
 * @param all requests of the key in order of arrival
 * @param graceMs grace of the record, ms
 */
export function excusedAmong(
  early: readonly Timed[],
  restingAt: (at: number) => Resting | null,
  all: readonly Timed[],
  graceMs: number,
): ReadonlySet<Timed> {
  /** Excused requests, and the moment at which a browser's queue is empty, by the beginning of the rest. */
  const counts = new Map<number, number>();
  const emptyAt = new Map<number, number>();
  const isExcused = (request: Timed): boolean => {
    const rest = restingAt(request.timing.latestRead);
    if (rest === null) return false;
    const { since, underWay } = rest;
    if (isOfBrowser(request)) {
      const at = emptyAt.get(since) ?? quietAt(since, all, graceMs);
      emptyAt.set(since, at);
      return request.timing.start <= at;
    }
    const count = counts.get(since) ?? 0;
    if (underWay < 2 || count >= underWay) return false;
    counts.set(since, count + 1);
    return true;
  };
  return new Set(early.filter(isExcused));
}

/** Returns the first moment after another at which no request was under way for the grace, Unix ms. */
function quietAt(since: number, all: readonly Timed[], graceMs: number): number {
  let busyUntil = since;
  for (const { timing } of all) {
    if (timing.start > busyUntil + graceMs) break;
    busyUntil = Math.max(busyUntil, timing.end);
  }
  return busyUntil + graceMs;
}
