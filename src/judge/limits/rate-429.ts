import { count, counted, duration } from '../../base/kernel/format.js';
import { isPlanAnswer, leftOf, refillOver, servedIn, spanMs, wasRefused, wasServed } from './sample.js';
import type { Asked } from './asked.js';
import { backIn, leftsIn, partsOf, stepIn } from './bursts.js';
import { BRIEF, DOUBTFUL, MISHAP, MOSTLY, RARE } from './bounds.js';
import type { KeyRun } from './key-run.js';
import { slow } from './too-slow.js';
import { fault, held, once, open, seen, tooMany, type Shown } from './shown.js';

/**
 * Share of the plan that may come back evenly within a burst: with more, an excess would not show. Without
 * Remaining, which shows what came back, it is less.
 */
const BLUNT_SHARE = 1 / 4;

/** The first response of a burst that refuses: not one that the service itself may give to such a request. */
const endOf = (burst: readonly Asked[]): Asked | undefined =>
  burst.find(
    (end) =>
      end.status !== 0 &&
      !wasServed(end) &&
      (wasRefused(end) ||
        !isPlanAnswer(end) ||
        burst.some((other) => other.operation === end.operation && wasServed(other))),
  );

/** Most that came back in a burst: where a steady run shows that nothing refills, one step. */
function backOf(part: readonly Asked[], run: KeyRun): number {
  if (run.fallsSteadily && spanMs(part) < run.windowMs) return stepIn(part, run);
  return Math.max(backIn(part, run), isFilledUp(part, run) ? MISHAP : 0);
}

/** Is true if the highest Remaining came twice: a tick may fill a bucket up again after its first request. */
function isFilledUp(part: readonly Asked[], run: KeyRun): boolean {
  const lefts = leftsIn(part, run);
  const most = Math.max(...lefts);
  return lefts.filter((left) => left === most).length > 1;
}

/**
 * Finds one more than an even refill explains, of bursts whose first requests left one more than they should:
 * only a tick of a bucket could bring one so soon, and it must come just then each time.
 */
function oneMore(run: KeyRun): Shown | null {
  const { bursts, limit, perMs, name } = run;
  const found = bursts.flatMap((burst) => {
    const first = burst.filter(({ part }) => part === 'lone' || part === 'six');
    const least = Math.min(...leftsIn(first, run));
    const isOver = servedIn(burst) > limit + refillOver(spanMs(burst), run);
    const isShort = least === limit + 1 - first.length && partsOf(burst, run).length === 1;
    return isOver && isShort ? [{ burst, chance: spanMs(first) * perMs }] : [];
  });
  const chance = found.reduce((product, one) => product * one.chance, 1);
  const [one] = found;
  if (one === undefined || chance > DOUBTFUL) return null;
  const [got, most] = [servedIn(one.burst), limit + refillOver(spanMs(one.burst), run)];
  const message = `${name} gets one request more than its allowance.`;
  const detail = {
    ...tooMany(most, got, spanMs(one.burst)),
    actual: `${counted(got, 'request')} allowed, and the first one did not count`,
  };
  if (found.length > 1 && chance < RARE) return fault(message, detail);
  // Such a bucket shows it in each burst: where even the third time does not settle it, one without it does.
  if (bursts.length > 2 && bursts.some((burst) => holdsNoMore(burst, run))) return null;
  return once(
    message,
    detail,
    `${counted(got, 'request')} allowed, one more than the limit and its refill`,
    true,
  );
}

/** Is true if a burst that began with a full bucket got no more than the limit and an even refill. */
function holdsNoMore(burst: readonly Asked[], run: KeyRun): boolean {
  const first = burst.filter(({ part }) => part === 'lone' || part === 'six');
  const isFull = Math.min(...leftsIn(first, run)) === run.limit - first.length;
  return isFull && burst.some(wasRefused) && servedIn(burst) <= run.limit + refillOver(spanMs(burst), run);
}

/** Is true if Remaining fell to 0, and the refusal says 0 as well: a bucket may hold less than the plan. */
function isUsedUp(burst: readonly Asked[], run: KeyRun): boolean {
  const end = endOf(burst);
  return end !== undefined && leftOf(end, run.figures) === 0 && leftsIn(burst, run).includes(0);
}

/** Returns "60 of 60 requests allowed within 2 s, then 429", and what explains more than the limit. */
function allowedText(burst: readonly Asked[], run: KeyRun): string {
  const [got, within] = [servedIn(burst), `within ${duration(spanMs(burst))}, then 429`];
  if (got <= run.limit) return `${count(got)} of ${counted(run.limit, 'request')} allowed ${within}`;
  const more = `${count(run.limit)}, and ${count(got - run.limit)}`;
  const by = partsOf(burst, run).length > 1 ? 'a new window' : 'a refill';
  return `${counted(got, 'request')} allowed ${within}: ${more} that ${by} may explain`;
}

/** Judges `rate-429`: past the limit the status is 429, and no more is served than the limit and its refill. */
export function refusesPastLimit(run: KeyRun): Shown {
  const { bursts, limit, name } = run;
  if (bursts.length === 0) return open('transport', `${name}: ${run.spoiled}`);
  const worst = bursts.map((burst) =>
    partsOf(burst, run)
      .map((part) => ({ part, excess: servedIn(part) - limit - backOf(part, run) }))
      .reduce((most, one) => (one.excess > most.excess ? one : most)),
  );
  const over = worst.filter(({ excess }) => excess > 0);
  if (over[0] !== undefined) {
    const { part } = over[0];
    const detail = tooMany(limit + backOf(part, run), servedIn(part), spanMs(part));
    const message = `${name} gets more than its allowance.`;
    // A step may come just then, or a machine stand still.
    const text = `${counted(servedIn(part), 'request')} allowed in one burst of ${bursts.length} (limit ${count(limit)})`;
    return seen(over.length, message, detail, text, over[0].excess === 1);
  }
  const more = oneMore(run);
  if (more !== null) return more;
  const ends = bursts.map(endOf).filter((end) => end !== undefined);
  const other = ends.filter((end) => !wasRefused(end));
  const served = bursts.map((burst) => count(servedIn(burst))).join(' and ');
  if (other[0] !== undefined && !ends.some(wasRefused)) {
    const { status } = other[0];
    // A bound of parallel requests, or a fault, is no answer to a used-up allowance.
    if (bursts.every((burst) => servedIn(burst) < MOSTLY * limit && !isUsedUp(burst, run)))
      return open('too-little-data', `${name}: ${status} after ${served} allowed, long before its limit`);
    const detail = {
      expected: `429 once the allowance of ${counted(limit, 'request')} is used up`,
      actual: `${status} after ${served} allowed`,
      measured: { status },
    };
    const message = `${name} does not get 429 at its limit.`;
    return seen(other.length, message, detail, `${status} once after ${served} requests`);
  }
  if (run.spoiled !== null && bursts.length < 2) return open('transport', `${name}: ${run.spoiled}`);
  const isQuick = (burst: readonly Asked[], ms: number): boolean => {
    const share = leftsIn(burst, run).length > 0 ? BLUNT_SHARE : BRIEF;
    return refillOver(ms, run) <= 1 + share * limit;
  };
  // Where nothing comes back, the time says nothing.
  const one = bursts.find(
    (burst) => endOf(burst) !== undefined && (backIn(burst, run) === 0 || isQuick(burst, spanMs(burst))),
  );
  if (one !== undefined)
    return held(
      `${allowedText(one, run)}${run.spoiled === null ? '' : `, when asked again (${run.spoiled} before)`}.`,
    );
  const text =
    ends.length > 0
      ? `${name} was used up so slowly that a refill could hide an excess`
      : `${name}: ${served} requests allowed, none refused within a window`;
  // The one with the least left to explain.
  const [quickest = []] = bursts.toSorted((first, other) => spanMs(first) - spanMs(other));
  return { ...slow(run, quickest, text, (ms) => isQuick(quickest, ms)), isBlunt: ends.length > 0 };
}
