import { nameOfRequest, type ClientExchange, type Traffic } from '../../wire/exchange/client-exchange.js';
import { answerHeader, statusOf } from '../../wire/exchange/headers.js';
import { kept, violated, type Judgement } from '../findings/finding.js';
import { count, counted, duration, grouped } from '../../base/kernel/format.js';
import { countWhile } from '../../base/kernel/sorted.js';
import { isSuccess } from '../../base/interface/success.js';
import { endOf, leastWait, type Refusal } from './refusals.js';
import type { HeldRequest, KeyRests } from './held-request.js';
import { restsByKey } from './rests.js';
import { mayHaveHad, type Timed } from './timing.js';

/**
 * `client-waits`, part 8, "Exceeding the limit", 2: after a 429 the key rests until Retry-After is over.
 *
 * Why it cannot be wrong in the client's disfavour: the wait is the longest that can have passed, on either
 * clock; the refusal is one that the client certainly had, or repeats; of several, the one that rests shorter
 * counts; requests that may have been called before are excused. Nothing is ever too late.
 */
export const waits = (traffic: Traffic): readonly Judgement[] =>
  restsByKey(traffic).flatMap((rests) => {
    const early = rests.held.filter(({ state }) => state === 'early');
    const inTime = rests.held.filter(({ state }) => state === 'kept');
    if (early.length > 0) return [tooEarly(early, refusalsOf([...early, ...inTime]), traffic)];
    return keptBy(restsKept(rests, traffic));
  });

const keptBy = (shown: readonly ClientExchange[]): readonly Judgement[] =>
  shown.length > 0 ? [kept(shown)] : [];

/**
 * Returns what shows that rests were kept: repetitions in time, and refusals for whose whole rest the client
 * sent nothing. Another request in time shows nothing: one before it may have come too early. Nothing is
 * shown where any request may have come too early, as in a recording of whole seconds, or where one worker of
 * several may have gone on.
 */
function restsKept(rests: KeyRests, traffic: Traffic): readonly ClientExchange[] {
  const { held, refusals, wentOn } = rests;
  if (wentOn || held.some(({ state, against }) => state === 'unsure' && leastWait(against) !== null))
    return [];
  return [
    ...held.filter(({ state, repeats }) => state === 'kept' && repeats).flatMap(exchangesOf),
    ...refusals.filter((refusal) => wasSilent(refusal, rests, traffic)).map(({ exchange }) => exchange),
  ];
}

/**
 * Returns whether the client sent nothing with a key for a refusal's whole rest, as the record shows. One
 * that may have gone on after another refusal shows nothing by its end.
 */
function wasSilent(refusal: Refusal, { requests, isDoubtful }: KeyRests, { end }: Traffic): boolean {
  const least = leastWait(refusal);
  if (least === null || end === null || isDoubtful) return false;
  const until = refusal.timing.end + least;
  const isUse = (each: Timed): boolean =>
    each.timing.start < until && each.exchange !== refusal.exchange && mayHaveHad(refusal, each);
  return (end.finished || end.endedAt >= until) && !requests.some(isUse);
}

function tooEarly(early: readonly HeldRequest[], decided: number, { basePath }: Traffic): Judgement {
  const worst = early.reduce((least, each) => (shortfall(each) > shortfall(least) ? each : least));
  const { request, against, waitedMs, repeats } = worst;
  const after = answerHeader(against.exchange, 'retry-after');
  const verb = repeats ? 'sent again' : `used the key again (${nameOfRequest(request.exchange, basePath)})`;
  const times = decided > 1 ? `, ${count(refusalsOf(early))} of ${counted(decided, 'time')}` : '';
  return violated(
    [against.exchange, request.exchange, ...early.flatMap(exchangesOf)],
    `the client ${verb} ${duration(waitedMs)} after a 429 with Retry-After: ${after}; ` +
      `${duration(shortfall(worst))} too early${times}`,
    {
      expected: `no request with this key for ${duration(against.restMs ?? 0)}`,
      actual: `${nameOfRequest(request.exchange, basePath)} after ${duration(waitedMs)}`,
      measured: { dueMs: against.restMs ?? 0, tookMs: waitedMs },
    },
  );
}

/** Returns the number of refusals that requests were held against. */
const refusalsOf = (held: readonly HeldRequest[]): number =>
  new Set(held.map(({ against }) => against.exchange)).size;

/** Returns how much too early a request was, ms. */
export const shortfall = ({ against, waitedMs }: HeldRequest): number => (against.restMs ?? 0) - waitedMs;

const exchangesOf = ({ against, request }: HeldRequest) => [against.exchange, request.exchange];

/**
 * `client-does-not-hammer`, part 5, 4, and part 8, "Exceeding the limit", 3: no more than one request within
 * a refusal's Retry-After, up to the first success.
 *
 * Why it cannot be wrong in the client's disfavour: it counts only requests that `client-waits` finds
 * certainly too early, and only those that continue one another. One request too early concerns only
 * `client-waits`.
 */
export const doesNotHammer = (traffic: Traffic): readonly Judgement[] =>
  restsByKey(traffic).flatMap((rests) => {
    const streak = longestStreak(rests);
    if (streak.length > 1) {
      const [first] = streak;
      const after = first ? answerHeader(first.against.exchange, 'retry-after') : null;
      return [
        violated(
          streak.flatMap(exchangesOf),
          `the client sent ${count(streak.length)} requests within the Retry-After: ${after} of one 429`,
          { expected: 'at most one request', actual: counted(streak.length, 'request') },
        ),
      ];
    }
    // Requests that may have been called before a refusal may as well have hammered.
    if (rests.isDoubtful) return [];
    const early = rests.held.filter(({ state }) => state === 'early').flatMap(exchangesOf);
    return keptBy([...early, ...restsKept(rests, traffic)]);
  });

/** Returns the most early requests within one refusal's rest, each a continuation of it, before a success. */
function longestStreak({ refusals, held }: KeyRests): readonly HeldRequest[] {
  const early = held.filter(({ state }) => state === 'early');
  const against = grouped(early, (each) => each.against.exchange);
  const causedBy = new Map(early.map((each) => [each.request.exchange, each.against]));
  const successes = held
    .filter(({ request }) => isSuccess(statusOf(request.exchange) ?? 0))
    .map(({ request }) => request.timing.latestRead);
  const untilOf = (refusal: Refusal): number => {
    const success = successes[countWhile(successes, (at) => at <= refusal.timing.earliestWritten)];
    return Math.min(endOf(refusal), success ?? endOf(refusal));
  };
  const streakOf = (refusal: Refusal): readonly HeldRequest[] => {
    const until = untilOf(refusal);
    const streak: HeldRequest[] = [];
    const open: HeldRequest[] = [...(against.get(refusal.exchange) ?? [])];
    for (let each = open.pop(); each !== undefined; each = open.pop()) {
      // What continues a request arrives after it, so all that lies behind one is too late as well.
      if (each.request.timing.latestRead > until) continue;
      streak.push(each);
      for (const next of against.get(each.request.exchange) ?? []) open.push(next);
    }
    return streak;
  };
  // The streak of a refusal that was met too early, and that rests no longer than the one before, is a part of that one's.
  const isPart = (refusal: Refusal): boolean => {
    const before = causedBy.get(refusal.exchange);
    return before !== undefined && untilOf(before) >= untilOf(refusal);
  };
  return refusals
    .filter((refusal) => against.has(refusal.exchange) && !isPart(refusal))
    .reduce<readonly HeldRequest[]>((longest, refusal) => {
      const streak = streakOf(refusal);
      return streak.length > longest.length ? streak : longest;
    }, [])
    .toSorted((one, other) => one.request.timing.latestRead - other.request.timing.latestRead);
}
