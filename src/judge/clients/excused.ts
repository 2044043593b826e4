import { header } from '../../wire/exchange/headers.js';
import { countWhile } from '../../base/kernel/sorted.js';
import { endOfExchange, startOf } from './overlaps.js';
import type { Timed } from './timing.js';

/** A 429, and how long it lets its key rest. */
export interface Refusal extends Timed {
  /** Rest after the earliest writing, ms; null without a usable Retry-After. */
  readonly restMs: number | null;
  /** Number of requests of the same key that were under way when it was written, itself included. */
  readonly underWay: number;
}

/** Returns the end of a refusal's rest. One without a usable Retry-After ends when it begins. */
export const endOf = ({ timing, restMs }: Refusal): number => timing.earliestWritten + (restMs ?? 0);

/**
 * Returns whether a browser sent a request (Fetch Metadata, Sec-Fetch-Site). It sends six at a time, one after another if they
 * are equal, and queues what a page has called, so that neither equality nor number shows what was called before a refusal.
 */
export const isOfBrowser = ({ exchange }: Timed): boolean =>
  exchange.times.kind === 'server' && header(exchange.request.headers, 'sec-fetch-site') !== null;

/** What refusals whose rests last have in common. */
interface Resting {
  /** Most requests under way with one of them. */
  readonly underWay: number;
  /** Earliest writing, and earliest end of a rest, Unix ms. */
  readonly since: number;
  readonly until: number;
}

const NONE: Resting = { underWay: 0, since: Number.POSITIVE_INFINITY, until: Number.POSITIVE_INFINITY };

const withOne = ({ underWay, since, until }: Resting, one: Refusal): Resting => ({
  underWay: Math.max(underWay, one.underWay),
  since: Math.min(since, one.timing.earliestWritten),
  until: Math.min(until, endOf(one)),
});

/**
 * Returns a function that excuses requests that may have been called before a refusal: queues of browsers and pools send them as
 * soon as a connection is free. It excuses as many as were under way, once for all refusals whose rests overlap. A client that
 * sends one request at a time has no such queue. A browser's queue may be of any length; it is empty once the key was quiet for
 * the grace: where connects are slow, the browser sends what it queued as slowly. It is to be asked in the order of arrival.
 * @param refusals in the order of their writing
 * @param all requests of the key in the order of their arrival
 * @param graceMs grace of the record, ms
 */
export function excusing(
  refusals: readonly Refusal[],
  all: readonly Timed[],
  graceMs: number,
): (request: Timed) => boolean {
  const wasQuiet = quietSince(all, graceMs);
  let used = 0;
  let until = Number.NEGATIVE_INFINITY;
  let next = 0;
  let active: Refusal[] = [];
  let resting = NONE;
  return (request) => {
    const at = request.timing.latestRead;
    if (at >= until) used = 0;
    for (let one = refusals[next]; one !== undefined && one.timing.earliestWritten <= at; one = refusals[next]) {
      next += 1;
      until = Math.max(until, endOf(one));
      active.push(one);
      resting = withOne(resting, one);
    }
    if (resting.until <= at) {
      active = active.filter((each) => endOf(each) > at);
      resting = active.reduce(withOne, NONE);
    }
    if (isOfBrowser(request)) return active.length > 0 && !wasQuiet(resting.since, request);
    if (resting.underWay < 2 || used >= resting.underWay) return false;
    used += 1;
    return true;
  };
}

/**
 * Returns a function that says whether no request was under way for the grace between a moment and a later request, to be asked
 * in the order of arrival.
 */
function quietSince(all: readonly Timed[], graceMs: number): (since: number, request: Timed) => boolean {
  const longest = all.reduce((most, each) => Math.max(most, endOfExchange(each) - startOf(each)), 0);
  let from: number | null = null;
  let next = 0;
  let busyUntil = 0;
  let isQuiet = false;
  return (since, request) => {
    if (since !== from) {
      from = since;
      next = countWhile(all, (each) => startOf(each) < since - longest);
      busyUntil = since;
      isQuiet = false;
    }
    for (let each = all[next]; !isQuiet && each !== undefined && each !== request; each = all[next]) {
      next += 1;
      isQuiet = startOf(each) > busyUntil + graceMs;
      busyUntil = Math.max(busyUntil, endOfExchange(each));
    }
    return isQuiet || startOf(request) > busyUntil + graceMs;
  };
}
