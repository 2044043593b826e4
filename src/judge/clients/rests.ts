import {
  headerReceived,
  keyName,
  statusReceived,
  type ClientExchange,
  type Traffic,
} from '../../wire/exchange/client-exchange.js';
import { grouped } from '../../base/kernel/format.js';
import { onceEach } from '../../base/kernel/once-each.js';
import { countWhile } from '../../base/kernel/sorted.js';
import { parseHttpDate, readRetryAfter } from '../limits/headers/retry-after.js';
import { endOf, excusing, isOfBrowser, type Refusal } from './excused.js';
import { isStripped } from './places.js';
import { countingUnderWay, endOfExchange, overlap, startOf } from './overlaps.js';
import { graceOf, hadCertainly, longestWait, shortestWait, timed, TIMER_SLACK_MS, type Timed } from './timing.js';

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

/** Name of a key that a recorder removed. It is read as a masked one: it may have been several. */
const REMOVED = 'removed key';

/**
 * Returns what the refusals of each key show. All that uses one key is one client. Computed once for each record, because several
 * rows and reports read it.
 */
export const restsByKey = onceEach((traffic: Traffic): readonly KeyRests[] => {
  const ofService = timed(traffic).filter(({ exchange }) => exchange.origin === undefined);
  const withoutKey = isStripped(traffic) ? REMOVED : null;
  return [...grouped(ofService, ({ exchange }) => keyName(exchange.credential.key) ?? withoutKey)].flatMap(
    ([key, requests]) => (key === null ? [] : [{ key, requests, ...restsOf(requests, traffic) }]),
  );
});

/**
 * Holds each request of one key against a refusal. Pure.
 *
 * A request that repeats a refused one is held against that refusal, since every library rests the request. It is no certain
 * repetition where equal requests are under way side by side: then it is read as any other. Any other request is held against
 * the newest refusal that the client certainly had, or a newer one that it may have had, whichever rests shorter.
 */
function restsOf(all: readonly Timed[], traffic: Traffic): Pick<KeyRests, 'refusals' | 'held'> {
  const underWay = countingUnderWay(all);
  const refusals = all
    .filter(({ exchange }) => statusReceived(exchange) === 429)
    .map((each) => ({ ...each, restMs: restOf(each, traffic), underWay: underWay(each) }));
  const isMasked = all.some(({ exchange: { credential } }) => ['masked', 'none'].includes(credential.key.kind));
  const repeatedBy = repetitions(refusals, all);
  const byWriting = refusals.toSorted((one, other) => one.timing.earliestWritten - other.timing.earliestWritten);
  const excused = excusing(byWriting, all, graceOf(traffic));
  const held = all.flatMap((request): Held[] => {
    const repeated = repeatedBy(request);
    if (repeated) return [certainKey(judged(request, repeated, true))];
    const shortest = isMasked ? null : shortestRest(byWriting, request);
    // Two keys under one mask would look like one. Only a repetition is certainly of the same key.
    if (shortest === null) return [];
    const found = judged(request, shortest, false);
    return [found.state === 'early' && excused(request) ? { ...found, state: 'excused' } : found];
  });
  return { refusals, held };
}

/**
 * Where a recorder removed the keys, an equal request that was served too early may have had another key: a service that refuses
 * a key does so until its rest is over.
 */
function certainKey(held: Held): Held {
  const { exchange } = held.request;
  const mayBeOther = exchange.credential.key.kind === 'none' && statusReceived(exchange) !== 429;
  return held.state === 'early' && mayBeOther ? { ...held, state: 'unsure' } : held;
}

/**
 * Returns the refusal against which a request is held that repeats none: of the newest that the client certainly had, and newer
 * ones that it may have had, the one whose rest ends first. null if there is none that it certainly had.
 */
function shortestRest(byWriting: readonly Refusal[], request: Timed): Refusal | null {
  const mayHave: Refusal[] = [];
  let newest: Refusal | null = null;
  // Backwards from the last that was written before: the newest certain one is near.
  const written = countWhile(byWriting, ({ timing }) => timing.earliestWritten <= request.timing.latestRead);
  for (let at = written - 1; at >= 0; at -= 1) {
    const each = byWriting[at] as Refusal;
    if (newest !== null && each.timing.earliestWritten < newest.timing.earliestWritten) break;
    if (each.exchange === request.exchange || !mayHaveHad(each, request)) continue;
    mayHave.push(each);
    if (newest === null && hadCertainly(each, request)) newest = each;
  }
  return newest && mayHave.reduceRight((least, each) => (endOf(each) < endOf(least) ? each : least), newest);
}

/**
 * Returns a function that takes the refusal that a request certainly repeats; undefined for a request that repeats none. Each
 * refusal is repeated once, in the order in which their rests end. It is to be asked in the order of arrival.
 */
function repetitions(refusals: readonly Refusal[], all: readonly Timed[]): (request: Timed) => Refusal | undefined {
  const identities = new Map(all.map(({ exchange }) => [exchange, identityOf(exchange)]));
  const nameOf = ({ exchange }: Timed): string => identities.get(exchange) ?? '';
  const equal = grouped(all, nameOf);
  const doubled = new Set([...equal].flatMap(([name, of]) => (areSideBySide(of) ? [name] : [])));
  const calledOften = new Set([...equal].flatMap(([name, of]) => (isServedTwice(of) ? [name] : [])));
  const isCertain = (each: Refusal): boolean => !calledOften.has(nameOf(each)) || each.underWay === 1;
  const pending = new Map(
    [...grouped(refusals.filter(isCertain), nameOf)].map(([name, of]) => [
      name,
      of.toSorted((one, other) => endOf(one) - endOf(other)),
    ]),
  );
  const longestMs = refusals.reduce((most, { restMs }) => Math.max(most, restMs ?? 0), 0);
  return (request) => {
    const name = nameOf(request);
    const waiting = pending.get(name);
    if (waiting === undefined || doubled.has(name) || (calledOften.has(name) && isOfBrowser(request))) return undefined;
    for (const [at, each] of waiting.entries()) {
      // All further ones were written after the request had arrived.
      if (endOf(each) - longestMs > request.timing.latestRead) return undefined;
      if (each.exchange === request.exchange || !mayHaveHad(each, request) || !repeats(each, request)) continue;
      waiting.splice(at, 1);
      return each;
    }
    return undefined;
  };
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

/** Returns the rest that a request can break, ms; null where there is none: nothing breaks or keeps Retry-After: 0. */
const breakable = ({ restMs }: Refusal): number | null => (restMs !== null && restMs > TIMER_SLACK_MS ? restMs : null);

function judged(request: Timed, against: Refusal, isRepeat: boolean): Held {
  const waitedMs = longestWait(against, request);
  const restMs = breakable(against);
  const due = restMs === null ? null : restMs - TIMER_SLACK_MS;
  const state =
    due === null ? 'unsure' : waitedMs < due ? 'early' : shortestWait(against, request) >= due ? 'kept' : 'unsure';
  return { request, against, state, repeats: isRepeat, waitedMs };
}

/** Returns whether a client has sent one of equal requests, in the order of arrival, before an earlier one was answered. */
const areSideBySide = (equal: readonly Timed[]): boolean =>
  // In order of arrival, requests side by side are neighbours.
  equal.some((each, at) => at > 0 && overlap(equal[at - 1] ?? each, each));

/** Returns whether equal requests were served twice or more: the client has called them more than once. */
const isServedTwice = (equal: readonly Timed[]): boolean =>
  equal.filter(({ exchange }) => statusReceived(exchange) !== 429).length > 1;

/** Returns whether a request succeeded. */
export const isSuccess = (exchange: ClientExchange): boolean => {
  const status = statusReceived(exchange);
  return status !== null && status >= 200 && status < 300;
};

/** Returns whether the client left a key alone for a refusal's whole rest, as the record shows. */
export function wasSilent(refusal: Refusal, { requests }: KeyRests, { end }: Traffic): boolean {
  const restMs = breakable(refusal);
  if (restMs === null || end === null) return false;
  const until = refusal.timing.latestReceived + restMs;
  const first = countWhile(requests, ({ timing }) => timing.latestRead < refusal.timing.earliestWritten);
  const starts = earliestStarts(requests);
  // From a request on after which all start later, none can have used the key.
  for (let at = first; at < requests.length && (starts[at] ?? until) < until; at += 1) {
    const each = requests[at] as Timed;
    if (each.exchange !== refusal.exchange && mayHaveHad(refusal, each) && startOf(each) < until) return false;
  }
  return end.finished || end.endedAt >= until;
}

/** Returns for each of some requests the earliest start of it and all later ones. */
const earliestStarts = onceEach((requests: readonly Timed[]): readonly number[] => {
  const starts = requests.map(startOf);
  for (let at = starts.length - 2; at >= 0; at -= 1)
    starts[at] = Math.min(starts[at] as number, starts[at + 1] as number);
  return starts;
});
