import {
  keyName,
  type ClientExchange,
  type RecordedBody,
  type Traffic,
} from '../../wire/exchange/client-exchange.js';
import { answerHeader, statusOf, header } from '../../wire/exchange/headers.js';
import { grouped } from '../../base/kernel/format.js';
import { parseHttpDate } from '../../base/interface/retry-after.js';
import { isStripped } from './places.js';
import { endOf, refusalsAmong, type Refusal } from './refusals.js';
import { identityOf } from './repetitions.js';
import type { HeldRequest, KeyRests } from './held-request.js';
import { longestWait, timed, type Timed } from './timing.js';

/** What a recorder's clock and its phases may be wrong by, ms: a wait counts as short only by more than this. */
const UNSURE_MS = 200;

/** Unit in which a record's times show no wait, ms. */
const WHOLE_SECONDS_MS = 1000;

/** A `Date` is cut to the second, so two of them show up to this much more than passed, ms. */
const CUT_MS = 1000;

/** Name of a key that a recorder removed: it may have been several. */
const REMOVED = 'removed key';

/**
 * Returns what the refusals of each key show in a record made elsewhere: only the plain case. A request
 * repeats a refused one if method, address, body and key are the same and it began after the refusal had
 * ended. It came too early if its first byte came within less than Retry-After, by more than 200 ms, from the
 * start of the refused request. Whole seconds, missing times and a clock that ran back show nothing. Nothing
 * shows a wait that was kept: that is what the proxy is for.
 */
export function recordedRests(traffic: Traffic): readonly KeyRests[] {
  const ofService = traffic.exchanges.filter(({ origin }) => origin === undefined);
  const withoutKey = isStripped(traffic) ? REMOVED : null;
  const all = timed({ ...traffic, exchanges: ofService });
  const untimed = new Set(
    ofService
      .filter(({ times }) => times.kind !== 'client' || times.resolutionMs >= WHOLE_SECONDS_MS)
      .map((exchange) => identityOf(exchange)),
  );
  const nameOf = ({ credential }: ClientExchange): string | null => keyName(credential.key) ?? withoutKey;
  return [...grouped(all, ({ exchange }) => nameOf(exchange))].flatMap(([key, requests]) => {
    if (key === null) return [];
    const refusals = refusalsAmong(requests, traffic);
    const known = requests.filter(({ exchange: { request } }) => isKnown(request.body));
    const equal = [...grouped(known, ({ exchange }) => identityOf(exchange))];
    const held = equal.flatMap(([identity, some]) =>
      untimed.has(identity) ? [] : earlyAmong(some, refusals),
    );
    return [{ key, requests, refusals, held, wentOn: false, isDoubtful: true }];
  });
}

/** Two creations of which the recorder left out the bodies may be of two animals. */
const isKnown = ({ kind }: RecordedBody): boolean => kind === 'whole' || kind === 'empty';

/** Returns which of equal requests repeat a refused one too early. Each refusal is repeated once. */
function earlyAmong(equal: readonly Timed[], refusals: readonly Refusal[]): readonly HeldRequest[] {
  const refusalOf = new Map(refusals.map((each) => [each.exchange, each]));
  const pending: Refusal[] = [];
  return equal
    .toSorted((one, other) => one.timing.start - other.timing.start)
    .flatMap((request): readonly HeldRequest[] => {
      const against = takeFirstToEnd(pending, request);
      const refusal = refusalOf.get(request.exchange);
      if (refusal) pending.push(refusal);
      return against !== null && isEarly(request, against)
        ? [{ request, against, state: 'early', repeats: true, waitedMs: longestWait(against, request) }]
        : [];
    });
}

/** Takes the refusal whose rest ends first out of those that had ended when a request began; null for none. */
function takeFirstToEnd(pending: Refusal[], { timing: { start } }: Timed): Refusal | null {
  const [first = null] = pending
    .filter(({ timing }) => timing.end < start)
    .toSorted((one, other) => endOf(one) - endOf(other));
  if (first !== null) pending.splice(pending.indexOf(first), 1);
  return first;
}

const isEarly = (request: Timed, against: Refusal): boolean =>
  longestWait(against, request) + UNSURE_MS < (against.restMs ?? 0) &&
  !mayBeOfOtherKey(request, against) &&
  !ranBack(request, against);

/**
 * Returns whether a request may have had another key than the refused one, where the record holds none: two
 * programs may have had two, and a service that refuses a key does so until its rest is over.
 */
function mayBeOfOtherKey({ exchange }: Timed, against: Refusal): boolean {
  const { kind } = exchange.credential.key;
  if (kind === 'plan' || kind === 'other') return false;
  const [one, other] = [against.exchange, exchange].map(({ request }) =>
    header(request.headers, 'user-agent'),
  );
  return one !== other || statusOf(exchange) !== 429;
}

/**
 * Returns whether the record's clock ran back: by the `Date`s of both responses more time passed than by it,
 * or the later one was answered first.
 */
function ranBack(request: Timed, against: Refusal): boolean {
  const [from, to] = [against, request].map(({ exchange }) =>
    parseHttpDate(answerHeader(exchange, 'date') ?? ''),
  );
  if (typeof from !== 'number' || typeof to !== 'number') return false;
  return to < from || to - from >= longestWait(against, request) + CUT_MS;
}
