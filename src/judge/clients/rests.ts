import {
  headerReceived,
  keyName,
  statusReceived,
  type ClientExchange,
  type Traffic,
} from '../../wire/exchange/client-exchange.js';
import { header } from '../../wire/exchange/headers.js';
import { grouped } from '../../base/kernel/format.js';
import { onceEach } from '../../base/kernel/once-each.js';
import { countWhile } from '../../base/kernel/sorted.js';
import { parseHttpDate } from '../limits/headers/retry-after.js';
import { excusedAmong } from './excuses.js';
import { isStripped } from './places.js';
import { endOf, leastWait, refusalsAmong, restingAt, STALE_DATE_MS, type Refusal } from './refusals.js';
import { repetitionsAmong } from './repetitions.js';
import {
  graceOf,
  hadCertainly,
  longestWait,
  mayHaveHad,
  shortestWait,
  timed,
  TIMER_SLACK_MS,
  type Timed,
} from './timing.js';

/**
 * A request of a key, and the refusal whose rest it has to keep. `early`: certainly too early. `kept`: after
 * the rest. `excused`: too early, but it may have been called before the refusal, or repeat one whose rest is
 * over. `unsure`: the record cannot say.
 */
export interface Held {
  readonly request: Timed;
  readonly against: Refusal;
  readonly state: 'early' | 'kept' | 'excused' | 'unsure';
  /** True if it certainly repeats the refused request. */
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
  /**
   * True if a request came, or may have come, within a rest, and the record cannot show whether it was called
   * before the refusal.
   */
  readonly isDoubtful: boolean;
}

/** Name of a key that a recorder removed. It is read as a masked one: it may have been several. */
const REMOVED = 'removed key';

/**
 * Returns what the refusals of each key show. All that uses one key is one client. Computed once for each
 * record, because several rows and reports read it.
 */
export const restsByKey = onceEach((traffic: Traffic): readonly KeyRests[] => {
  const ofService = timed(traffic).filter(({ exchange }) => exchange.origin === undefined);
  const withoutKey = isStripped(traffic) ? REMOVED : null;
  const nameOf = ({ credential }: ClientExchange): string | null => keyName(credential.key) ?? withoutKey;
  const untimed = grouped(
    traffic.exchanges.filter(({ times, origin }) => times.kind === 'unknown' && origin === undefined),
    nameOf,
  );
  return [...grouped(ofService, ({ exchange }) => nameOf(exchange))].flatMap(([key, requests]) =>
    key === null ? [] : [{ key, requests, ...restsOf(requests, traffic, untimed.get(key) ?? []) }],
  );
});

/**
 * Holds each request of one key against a refusal, in four steps: find the refusals and which request repeats
 * which, choose the refusal that a request has to keep, compare the wait with its rest, and clear what the
 * record does not show for certain. Pure.
 *
 * @param untimed requests of the key without times: one may have come in a rest, and a refusal among them may
 *   have ended another's
 */
function restsOf(
  requests: readonly Timed[],
  traffic: Traffic,
  untimed: readonly ClientExchange[],
): Pick<KeyRests, 'refusals' | 'held' | 'isDoubtful'> {
  const refusals = refusalsAmong(requests, traffic);
  const repetitions = repetitionsAmong(requests, refusals);
  const byWriting = refusals.toSorted(
    (one, other) => one.timing.earliestWritten - other.timing.earliestWritten,
  );
  // Two keys under one mask would look like one. Only a repetition is certainly of the same key.
  const isMasked = requests.some(({ exchange: { credential } }) =>
    ['masked', 'none'].includes(credential.key.kind),
  );
  const mayBeReplaced = untimed.some((each) => statusReceived(each) === 429);
  const compared = requests.flatMap((request): Held[] => {
    const repetition = repetitions.get(request);
    const repeats = repetition?.isCertain === true;
    const against = repeats ? repetition.of : isMasked ? null : newestRest(byWriting, request);
    if (against === null) return isMasked ? [] : perhapsWithin(refusals, request);
    const found = compare(request, against, repeats);
    const mayBeRight = found.state === 'early' && (mayBeReplaced || mayBeOfOtherKey(found));
    return [mayBeRight || wasClockSet(found) ? { ...found, state: 'unsure' } : found];
  });

  const resting = restingAt(byWriting);
  const others = compared.filter(({ state, repeats }) => state === 'early' && !repeats);
  const excused = excusedAmong(
    others.map(({ request }) => request),
    resting,
    requests,
    graceOf(traffic),
  );
  const isExcused = ({ state, repeats, request }: Held): boolean =>
    state === 'early' && !repeats && (excused.has(request) || repetitions.has(request));
  const held = compared.map((each): Held => (isExcused(each) ? { ...each, state: 'excused' } : each));

  const decided = new Set(held.map(({ request }) => request));
  // What arrived at our own server within a rest, and is held against no refusal.
  const cameInRest = requests.some(
    (each) =>
      each.exchange.times.kind === 'server' &&
      each.timing.latestRead < (resting(each.timing.latestRead)?.until ?? 0) - TIMER_SLACK_MS &&
      !decided.has(each),
  );
  const isDoubtful = untimed.length > 0 || cameInRest || held.some(({ state }) => state === 'excused');
  return { refusals, held, isDoubtful };
}

/**
 * Returns the refusal that a request has to keep if it repeats none: the newest that the client certainly
 * had, or a newer one that it may have had, whichever rest ends first. null if there is none that it
 * certainly had.
 */
function newestRest(byWriting: readonly Refusal[], request: Timed): Refusal | null {
  const written = countWhile(byWriting, ({ timing }) => timing.earliestWritten <= request.timing.latestRead);
  let firstToEnd: Refusal | null = null;
  let certainSince = Number.NEGATIVE_INFINITY;
  // Backwards from the last that was written before: the newest certain one is near.
  for (let at = written - 1; at >= 0; at -= 1) {
    const each = byWriting[at] as Refusal;
    if (each.timing.earliestWritten < certainSince) break;
    if (each.exchange === request.exchange || !mayHaveHad(each, request)) continue;
    if (firstToEnd === null || endOf(each) <= endOf(firstToEnd)) firstToEnd = each;
    if (hadCertainly(each, request)) certainSince = each.timing.earliestWritten;
  }
  return Number.isFinite(certainSince) ? firstToEnd : null;
}

/**
 * Returns the first refusal within whose rest a request may have come by the client's own clock, which may be
 * too coarse to tell whether the client had that refusal.
 */
function perhapsWithin(refusals: readonly Refusal[], request: Timed): Held[] {
  if (request.exchange.times.kind !== 'client') return [];
  const within = refusals.find(
    (each) =>
      each.exchange !== request.exchange &&
      request.timing.start < endOf(each) - TIMER_SLACK_MS &&
      mayHaveHad(each, request),
  );
  return within ? [{ ...compare(request, within, false), state: 'unsure' }] : [];
}

/** Compares what a client waited with the rest of a refusal. */
function compare(request: Timed, against: Refusal, repeats: boolean): Held {
  const waitedMs = longestWait(against, request);
  const least = leastWait(against);
  const held = { request, against, repeats, waitedMs };
  if (least === null) return { ...held, state: 'unsure' };
  if (waitedMs < least) return { ...held, state: 'early' };
  return { ...held, state: shortestWait(against, request) >= least ? 'kept' : 'unsure' };
}

/**
 * Returns whether a request may have had another key than the refused one, where a recorder replaced or
 * removed the keys: two programs may have had two. If no key is left, one that was served may have, too: a
 * service that refuses a key does so until its rest is over.
 */
function mayBeOfOtherKey({ request: { exchange }, against }: Held): boolean {
  const { kind } = exchange.credential.key;
  if (kind === 'plan' || kind === 'other') return false;
  const [one, other] = [against.exchange, exchange].map(({ request }) =>
    header(request.headers, 'user-agent'),
  );
  return one !== other || (kind === 'none' && statusReceived(exchange) !== 429);
}

/** A `Date` is cut to the second, so two of them show up to this much more than passed, ms. */
const CUT_MS = 1000;

/**
 * Returns whether the clock of a record made at the client was set between a refusal and a request: by the
 * `Date`s of the responses more time passed than by the record, or less.
 */
function wasClockSet({ request, against, waitedMs }: Held): boolean {
  if (request.exchange.times.kind !== 'client') return false;
  const [from, to] = [against, request].map(({ exchange }) =>
    parseHttpDate(headerReceived(exchange, 'date') ?? ''),
  );
  if (typeof from !== 'number' || typeof to !== 'number') return false;
  return to - from >= waitedMs + CUT_MS || to - from < shortestWait(against, request) - STALE_DATE_MS;
}
