import { type ClientExchange } from '../../wire/exchange/client-exchange.js';
import { statusOf } from '../../wire/exchange/headers.js';
import { grouped } from '../../base/kernel/format.js';
import { countWhile } from '../../base/kernel/sorted.js';
import { isOfBrowser } from './excuses.js';
import { overlap } from './overlaps.js';
import { endOf, type Refusal } from './refusals.js';
import { hadCertainly, mayHaveHad, TIMER_SLACK_MS, type Timed } from './timing.js';

interface Repetition {
  readonly of: Refusal;
  readonly isCertain: boolean;
}

/**
 * Returns which refusal each request repeats; nothing for a request that repeats none. Each refusal is
 * repeated once, the one whose rest ends first before others. A request that is no certain repetition may
 * repeat any equal one whose rest is over: each client of a library rests its own request.
 *
 * @param all requests of one key, in order of arrival
 */
export function repetitionsAmong(
  all: readonly Timed[],
  refusals: readonly Refusal[],
): ReadonlyMap<Timed, Repetition> {
  const refusalOf = new Map(refusals.map((each) => [each.exchange, each]));
  const repetitions = new Map<Timed, Repetition>();
  for (const equal of grouped(all, ({ exchange }) => identityOf(exchange)).values()) {
    const isCertain = certainAmong(equal);
    /** Refusals that nothing has repeated yet, in the order in which their rests end. */
    const pending: Refusal[] = [];
    for (const request of equal) {
      const at = pending.findIndex(
        (each) => mayHaveHad(each, request) && (isOver(each, request) || isCertain(each, request)),
      );
      for (const of of at < 0 ? [] : pending.splice(at, 1))
        repetitions.set(request, { of, isCertain: isCertain(of, request) });
      const refusal = refusalOf.get(request.exchange);
      if (refusal)
        pending.splice(
          countWhile(pending, (each) => endOf(each) <= endOf(refusal)),
          0,
          refusal,
        );
    }
  }
  return repetitions;
}

/** Identity of a request: one that repeats it is equal in all of these. */
export const identityOf = ({ origin, request: { method, target, body } }: ClientExchange): string =>
  JSON.stringify([origin, method, target, body.kind === 'whole' ? body.text : body.kind]);

const isOver = (refusal: Refusal, { timing }: Timed): boolean =>
  endOf(refusal) - TIMER_SLACK_MS <= timing.latestRead;

/**
 * Time for which a refusal was under way, ms, so that equal requests called together would have arrived
 * meanwhile. Clients that send four together were seen to send them up to 45 ms apart.
 */
export const HELD_BACK_MS = 100;

/**
 * Returns a function that decides whether a later request certainly repeats a refused one that is equal. It
 * does not where the client sends equal requests side by side, or calls them more than once and may have
 * called them together. Otherwise the client had the refusal, or equal requests called together would have
 * shown side by side.
 */
function certainAmong(equal: readonly Timed[]): (refusal: Refusal, later: Timed) => boolean {
  const isCalledOften = equal.filter(({ exchange }) => statusOf(exchange) !== 429).length > 1;
  // In order of arrival, requests side by side are neighbours.
  const isSideBySide = equal.some((each, at) => at > 0 && overlap(equal[at - 1] ?? each, each));
  return (refusal, later) =>
    !isSideBySide &&
    (!isCalledOften || (refusal.underWay === 1 && !isOfBrowser(later))) &&
    (hadCertainly(refusal, later) || wasHeldBack(refusal));
}

const wasHeldBack = ({ timing: { start, end } }: Refusal): boolean => end - start >= HELD_BACK_MS;
