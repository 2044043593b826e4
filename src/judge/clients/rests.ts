import type { HeldRequest, KeyRests } from './held-request.js';
import { keyName, type Traffic } from '../../wire/exchange/client-exchange.js';
import { grouped } from '../../base/kernel/format.js';
import { onceEach } from '../../base/kernel/once-each.js';
import { countWhile } from '../../base/kernel/sorted.js';
import { excusedAmong } from './excuses.js';
import { recordedRests } from './recorded-rests.js';
import { endOf, leastWait, refusalsAmong, restingAt, type Refusal } from './refusals.js';
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
 * Returns what the refusals of each key show. All that uses one key is one client. Computed once for each
 * record, because several rows and reports read it. A record made elsewhere shows only the plain case.
 */
export const restsByKey = onceEach((traffic: Traffic): readonly KeyRests[] => {
  if (traffic.source === 'har') return recordedRests(traffic);
  const ofService = timed(traffic).filter(({ exchange }) => exchange.origin === undefined);
  return [...grouped(ofService, ({ exchange }) => keyName(exchange.credential.key))].flatMap(
    ([key, requests]) => (key === null ? [] : [{ key, requests, ...restsOf(requests, traffic) }]),
  );
});

/**
 * Holds each request of one key against a refusal, in four steps. It finds the refusals and which request
 * repeats which. It chooses the refusal that a request has to keep, and compares the wait with its rest. It
 * excuses what may have been called before. Pure.
 */
function restsOf(
  requests: readonly Timed[],
  traffic: Traffic,
): Pick<KeyRests, 'refusals' | 'held' | 'wentOn' | 'isDoubtful'> {
  const refusals = refusalsAmong(requests, traffic);
  const repetitions = repetitionsAmong(requests, refusals);
  const byWriting = refusals.toSorted(
    (one, other) => one.timing.earliestWritten - other.timing.earliestWritten,
  );
  const compared = requests.flatMap((request): HeldRequest[] => {
    const repetition = repetitions.get(request);
    const repeats = repetition?.isCertain === true;
    const against = repeats ? repetition.of : newestRest(byWriting, request);
    return against === null ? [] : [compare(request, against, repeats)];
  });

  const resting = restingAt(byWriting);
  const others = compared.filter(({ state, repeats }) => state === 'early' && !repeats);
  const excused = excusedAmong(
    others.map(({ request }) => request),
    resting,
    requests,
    graceOf(traffic),
  );
  const isExcused = ({ state, repeats, request }: HeldRequest): boolean =>
    state === 'early' && !repeats && (excused.has(request) || repetitions.has(request));
  const held = compared.map((each): HeldRequest => (isExcused(each) ? { ...each, state: 'excused' } : each));

  const decided = new Set(held.map(({ request }) => request));
  // What arrived at our own server within a rest, and is held against no refusal.
  const cameInRest = requests.some(
    (each) =>
      each.timing.latestRead < (resting(each.timing.latestRead)?.until ?? 0) - TIMER_SLACK_MS &&
      !decided.has(each),
  );
  const isDoubtful = cameInRest || held.some(({ state }) => state === 'excused');
  const wentOn = held.some(({ state, request }) => state === 'excused' && !repetitions.has(request));
  return { refusals, held, wentOn, isDoubtful };
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

function compare(request: Timed, against: Refusal, repeats: boolean): HeldRequest {
  const waitedMs = longestWait(against, request);
  const least = leastWait(against);
  const held = { request, against, repeats, waitedMs };
  if (least === null) return { ...held, state: 'unsure' };
  if (waitedMs < least) return { ...held, state: 'early' };
  return { ...held, state: shortestWait(against, request) >= least ? 'kept' : 'unsure' };
}
