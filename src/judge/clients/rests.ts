import {
  headerReceived,
  keyName,
  statusReceived,
  type ClientExchange,
  type Traffic,
} from '../../wire/exchange/client-exchange.js';
import { header } from '../../wire/exchange/headers.js';
import { grouped } from '../../base/kernel/format.js';
import { parseHttpDate, readRetryAfter } from '../limits/headers/retry-after.js';
import { graceOf, hadCertainly, longestWait, shortestWait, timed, TIMER_SLACK_MS, type Timed } from './timing.js';

/** A 429, and how long it lets its key rest. */
export interface Refusal extends Timed {
  /** Rest after the earliest writing, ms; null without a usable Retry-After. */
  readonly restMs: number | null;
  /** Number of requests of the same key that were under way when it was written, itself included. */
  readonly underWay: number;
}

/**
 * What a later request of the key shows about one refusal. `early`: certainly too early. `kept`: after the rest. `excused`: too
 * early, but it may have been called before the refusal. `unsure`: the record cannot say.
 */
export interface Held {
  readonly request: Timed;
  readonly against: Refusal;
  readonly state: 'early' | 'kept' | 'excused' | 'unsure';
  /** True if it repeats the refused request. */
  readonly repeats: boolean;
  /** Longest time that can have passed, ms. */
  readonly waitedMs: number;
}

/** All that the refusals of one key show. */
export interface KeyRests {
  readonly key: string;
  /** All requests with the key, in order of arrival. */
  readonly requests: readonly Timed[];
  readonly refusals: readonly Refusal[];
  readonly held: readonly Held[];
}

/** A `Date` is cut to the second, and sound servers sent one that was 2 s old: taken off a wait that is counted from it, ms. */
const STALE_DATE_MS = 3000;

/** Largest difference of the client's clock and ours on one machine, ms: our clock never steps, and the calendar's may. */
const CLOCKS_APART_MS = 100;

/**
 * Returns the rest that a 429 demands, ms from its earliest writing; null if it names none. Part 8, "Exceeding the limit", 2. The
 * reference server's date is compared with its own clock. Any other date is compared with the `Date` sent with it.
 */
export function restOf({ exchange, timing }: Timed, { source }: Pick<Traffic, 'source'>): number | null {
  const after = readRetryAfter(headerReceived(exchange, 'retry-after'));
  if (after.kind === 'seconds') return after.seconds * 1000;
  if (after.kind !== 'date') return null;
  if (source === 'reference') return Math.max(0, after.unixMs - timing.earliestWritten - CLOCKS_APART_MS);
  const sent = parseHttpDate(headerReceived(exchange, 'date') ?? '');
  const rest = sent === null ? 0 : after.unixMs - sent - STALE_DATE_MS;
  return rest > 0 ? rest : null;
}

/** Identity of a request: one that repeats it is equal in all of these. */
const identityOf = ({ origin, request: { method, target, body } }: ClientExchange): string =>
  JSON.stringify([origin, method, target, body.kind === 'whole' ? body.text : body.kind]);

/** Returns what the refusals of each key show. All that uses one key is one client. */
export function restsByKey(traffic: Traffic): readonly KeyRests[] {
  const byKey = new Map<string, Timed[]>();
  for (const each of timed(traffic)) {
    const key = each.exchange.origin === undefined ? keyName(each.exchange.credential.key) : null;
    if (key !== null) byKey.set(key, [...(byKey.get(key) ?? []), each]);
  }
  return [...byKey].map(([key, requests]) => ({ key, requests, ...restsOf(requests, traffic) }));
}

/**
 * Holds each request of one key against a refusal. Pure.
 *
 * A request that repeats a refused one is held against that refusal, since every library rests the request. It is no certain
 * repetition where equal requests are under way side by side: then it is read as any other. Any other request is held against
 * the newest refusal that the client certainly had, or a newer one that it may have had, whichever rests shorter.
 */
function restsOf(all: readonly Timed[], traffic: Traffic): Pick<KeyRests, 'refusals' | 'held'> {
  const refusals = all
    .filter(({ exchange }) => statusReceived(exchange) === 429)
    .map((each) => ({ ...each, restMs: restOf(each, traffic), underWay: underWayAt(each, all) }));
  const isMasked = all.some(({ exchange }) => exchange.credential.key.kind === 'masked');
  const pending = new Map<string, Refusal[]>();
  for (const each of refusals) {
    const identity = identityOf(each.exchange);
    pending.set(
      identity,
      [...(pending.get(identity) ?? []), each].toSorted((one, other) => endOf(one) - endOf(other)),
    );
  }
  const doubled = sentSideBySide(all);
  const calledOften = servedTwice(all);
  const excused = excusing(refusals, all, graceOf(traffic));
  const held: Held[] = [];
  for (const request of all) {
    const identity = identityOf(request.exchange);
    const before = refusals.filter((each) => each.exchange !== request.exchange && mayHaveHad(each, request));
    if (before.length === 0) continue;
    const certain = before.filter((each) => hadCertainly(each, request));
    const isCertain = (each: Refusal): boolean =>
      !calledOften.has(identity) || (each.underWay === 1 && !isOfBrowser(request));
    const repeated = doubled.has(identity)
      ? undefined
      : (pending.get(identity) ?? []).find(
          (each) => before.includes(each) && isCertain(each) && repeats(each, request),
        );
    if (repeated) {
      pending.set(
        identity,
        (pending.get(identity) ?? []).filter((each) => each !== repeated),
      );
      held.push(judged(request, repeated, true));
      continue;
    }
    const newest = certain.toSorted((one, other) => one.timing.earliestWritten - other.timing.earliestWritten).at(-1);
    // Two keys under one mask would look like one. Only a repetition is certainly of the same key.
    if (newest === undefined || isMasked) continue;
    const shortest = before
      .filter(({ timing }) => timing.earliestWritten >= newest.timing.earliestWritten)
      .reduce((least, each) => (endOf(each) < endOf(least) ? each : least), newest);
    const found = judged(request, shortest, false);
    held.push(found.state === 'early' && excused(request) ? { ...found, state: 'excused' } : found);
  }
  return { refusals, held };
}

/** Returns whether a response was written before a later request was read, so the client may have had it. */
const mayHaveHad = (refusal: Timed, later: Timed): boolean =>
  refusal.timing.earliestWritten <= later.timing.latestRead && refusal.timing.latestRead <= later.timing.latestRead;

/**
 * Time for which a refusal was under way, ms, so that equal requests called together would have arrived meanwhile. Clients that
 * send four together were seen to send them up to 45 ms apart.
 */
export const HELD_BACK_MS = 100;

/**
 * Returns whether an equal request certainly repeats a refused one: the client had the refusal, or equal requests called
 * together would have shown side by side.
 */
const repeats = (refusal: Timed, later: Timed): boolean =>
  hadCertainly(refusal, later) ||
  (refusal.exchange.times.kind === 'server' && endOfExchange(refusal) - startOf(refusal) >= HELD_BACK_MS);

/** End of a refusal's rest. One without a usable Retry-After ends when it begins. */
const endOf = ({ timing, restMs }: Refusal): number => timing.earliestWritten + (restMs ?? 0);

function judged(request: Timed, against: Refusal, isRepeat: boolean): Held {
  const waitedMs = longestWait(against, request);
  const { restMs } = against;
  const due = restMs === null ? null : restMs - TIMER_SLACK_MS;
  const state =
    due === null ? 'unsure' : waitedMs < due ? 'early' : shortestWait(against, request) >= due ? 'kept' : 'unsure';
  return { request, against, state, repeats: isRepeat, waitedMs };
}

/** Returns whether two exchanges were under way at the same time. */
const overlap = (one: Timed, other: Timed): boolean =>
  startOf(one) < endOfExchange(other) && startOf(other) < endOfExchange(one);

const startOf = ({ exchange, timing }: Timed): number =>
  exchange.times.kind === 'client' ? timing.earliestCall : timing.latestRead;
const endOfExchange = ({ exchange, timing }: Timed): number =>
  exchange.times.kind === 'client' ? timing.latestReceived : timing.earliestWritten;

/** Returns the number of requests under way when a refusal was written, itself included. */
const underWayAt = (refusal: Timed, all: readonly Timed[]): number =>
  all.filter((other) => other === refusal || overlap(refusal, other)).length;

/** Returns the identities of requests that the client has sent again before the first was answered. */
function sentSideBySide(all: readonly Timed[]): ReadonlySet<string> {
  const byIdentity = new Map<string, Timed[]>();
  for (const each of all) {
    const identity = identityOf(each.exchange);
    byIdentity.set(identity, [...(byIdentity.get(identity) ?? []), each]);
  }
  // In order of arrival, requests side by side are neighbours.
  return new Set(
    [...byIdentity].flatMap(([identity, equal]) =>
      equal.some((each, at) => at > 0 && overlap(equal[at - 1] ?? each, each)) ? [identity] : [],
    ),
  );
}

/** Returns the identities of requests that were served twice or more: the client has called them more than once. */
function servedTwice(all: readonly Timed[]): ReadonlySet<string> {
  const served = all.filter(({ exchange }) => statusReceived(exchange) !== 429);
  return new Set(
    [...grouped(served, ({ exchange }) => identityOf(exchange))].flatMap(([name, of]) => (of.length > 1 ? name : [])),
  );
}

/**
 * Returns whether a browser sent a request (Fetch Metadata, Sec-Fetch-Site). It sends six at a time, one after another if they are
 * equal, and queues what a page has called, so that neither equality nor number shows what was called before a refusal.
 */
const isOfBrowser = ({ exchange }: Timed): boolean =>
  exchange.times.kind === 'server' && header(exchange.request.headers, 'sec-fetch-site') !== null;

/**
 * Returns a function that excuses requests that may have been called before a refusal: queues of browsers and pools send them as
 * soon as a connection is free. It excuses as many as were under way, once for all refusals whose rests overlap. A client that
 * sends one request at a time has no such queue. A browser's queue may be of any length; it is empty once the key was quiet for
 * the grace: where connects are slow, the browser sends what it queued as slowly.
 */
function excusing(refusals: readonly Refusal[], all: readonly Timed[], graceMs: number): (request: Timed) => boolean {
  let used = 0;
  let until = Number.NEGATIVE_INFINITY;
  return (request) => {
    const at = request.timing.latestRead;
    const before = refusals.filter(({ timing }) => timing.earliestWritten <= at);
    if (at >= until) used = 0;
    until = Math.max(...before.map(endOf));
    const active = before.filter((each) => endOf(each) > at);
    if (isOfBrowser(request)) return active.length > 0 && !wasQuiet(active, request, all, graceMs);
    const most = Math.max(0, ...active.map(({ underWay }) => underWay));
    if (most < 2 || used >= most) return false;
    used += 1;
    return true;
  };
}

/** Returns whether no request was under way for the grace between the first of some refusals and a later request. */
function wasQuiet(refusals: readonly Refusal[], request: Timed, all: readonly Timed[], graceMs: number): boolean {
  let busyUntil = Math.min(...refusals.map(({ timing }) => timing.earliestWritten));
  for (const each of all) {
    if (each === request) break;
    if (startOf(each) > busyUntil + graceMs) return true;
    busyUntil = Math.max(busyUntil, endOfExchange(each));
  }
  return startOf(request) > busyUntil + graceMs;
}

/** Returns whether a request succeeded. */
export const isSuccess = (exchange: ClientExchange): boolean => {
  const status = statusReceived(exchange);
  return status !== null && status >= 200 && status < 300;
};

/** Returns whether the client left a key alone for a refusal's whole rest, as the record shows. */
export function wasSilent(refusal: Refusal, { requests }: KeyRests, { end }: Traffic): boolean {
  if (refusal.restMs === null || end === null) return false;
  const until = refusal.timing.latestReceived + refusal.restMs;
  const isUsed = requests.some(
    (each) => each.exchange !== refusal.exchange && mayHaveHad(refusal, each) && startOf(each) < until,
  );
  return !isUsed && (end.finished || end.endedAt >= until);
}
