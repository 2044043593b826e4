import { type Traffic } from '../../wire/exchange/client-exchange.js';
import { statusOf } from '../../wire/exchange/headers.js';
import { kept, violated, type Judgement } from '../findings/finding.js';
import { count, duration, listed } from '../../base/kernel/format.js';
import type { HeldRequest, KeyRests } from './held-request.js';
import { restsByKey } from './rests.js';
import { graceOf, shortestWait, SHORTEST_GRACE_MS } from './timing.js';

/**
 * Waits of one request that show whether they grow: fewer leave room for jitter, and common libraries end
 * there.
 */
const LEAST_WAITS = 4;
/** Additions count as the same within 50 ms or a fifth: a busy machine makes equal ones differ by as much. */
const SAME_MS = 50;
const SAME_SHARE = 0.2;
/** Timers of one client make equal waits differ by up to so much, ms: what rises by more may be short backoff. */
const TIMERS_MS = 20;

/**
 * `client-backoff`, part 8, "Exceeding the limit", 3: over four waits of one request the wait grows.
 *
 * Why it cannot be wrong in the client's disfavour: it warns only where what was added to Retry-After stays
 * the same each time. A wait shorter than Retry-After breaks `client-waits` only, and shows nothing here.
 * Short additions that rise from wait to wait neither break nor keep it. A stalled machine adds unequal
 * times, which hides constant waits and never makes growing ones equal. Jitter differs from wait to wait. A
 * client that gives up before its fourth wait has kept it, unless it may have gone on with others.
 */
export const backsOff = (traffic: Traffic): readonly Judgement[] =>
  restsByKey(traffic).flatMap((rests) =>
    chainsOf(rests).flatMap((chain) => judgeChain(chain, traffic, rests.isDoubtful)),
  );

function judgeChain({ refused, waits }: Chain, traffic: Traffic, isDoubtful: boolean): readonly Judgement[] {
  const { end, source } = traffic;
  const last = waits.at(-1);
  const shown = refused.map(({ exchange }) => exchange);
  const gaveUp = last === undefined || statusOf(last.request.exchange) === 429;
  if (waits.length < LEAST_WAITS)
    return gaveUp && !isDoubtful && source === 'reference' && end?.finished === true ? [kept(shown)] : [];
  const whole = waits.filter(({ state }) => state !== 'early');
  const added = whole.map((wait) => addition(wait));
  if (whole.length < LEAST_WAITS || added.some((each) => each === null)) return [];
  // A timer that fired early added nothing.
  const known = added.flatMap((each) => (each === null ? [] : Math.max(0, each)));
  const ascending = known.toSorted((one, other) => one - other);
  const [least = 0, most = 0] = [ascending[0], ascending.at(-1)];
  const difference = most - least;
  const share = SAME_SHARE * most;
  if (difference > Math.max(SAME_MS, share))
    // What a stall or a slow connect may have added is no growth.
    return difference > graceOf(traffic) - SHORTEST_GRACE_MS ? [kept(shown)] : [];
  if (difference > Math.max(TIMERS_MS, share) && rises(known)) return [];
  return [
    violated(
      shown,
      `the client's wait does not grow: it added ${someOf(known.map(duration))} to Retry-After over ` +
        `${count(known.length)} waits of one request`,
      {
        expected: 'a wait that grows with each refusal',
        actual: `the same addition ${count(known.length)} times`,
      },
    ),
  ];
}

/** Is true if each wait is longer than the one before, as of backoff that begins with some ms. */
const rises = (waits: readonly number[]): boolean =>
  waits.every((wait, at) => at === 0 || wait > (waits[at - 1] ?? wait));

const MOST_NAMED = 6;

export const someOf = (waits: readonly string[]): string =>
  waits.length <= MOST_NAMED ? listed(waits) : `${waits.slice(0, MOST_NAMED).join(', ')} and so on`;

/** Returns what a client added to Retry-After, ms; null if the record cannot show it. */
export function addition({ against, request }: HeldRequest): number | null {
  if (against.restMs === null) return null;
  return shortestWait(against, request) - against.restMs;
}

/** A request that was refused and repeated: its refusals, and the waits between them. */
export interface Chain {
  readonly refused: readonly HeldRequest['against'][];
  readonly waits: readonly HeldRequest[];
}

export function chainsOf({ refusals, held }: KeyRests): readonly Chain[] {
  const repetitionOf = new Map(
    held.filter(({ repeats }) => repeats).map((each) => [each.against.exchange, each]),
  );
  const repeated = new Set([...repetitionOf.values()].map(({ request }) => request.exchange));
  const byExchange = new Map(refusals.map((each) => [each.exchange, each]));
  return refusals
    .filter(({ exchange }) => !repeated.has(exchange))
    .map((first) => {
      const refused = [first];
      const waits: HeldRequest[] = [];
      let next = repetitionOf.get(first.exchange);
      while (next !== undefined) {
        waits.push(next);
        const refusal = byExchange.get(next.request.exchange);
        if (refusal === undefined) break;
        refused.push(refusal);
        next = repetitionOf.get(refusal.exchange);
      }
      return { refused, waits };
    });
}
