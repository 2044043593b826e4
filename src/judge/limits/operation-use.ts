import { violated, type Judgement } from '../findings/finding.js';
import type { OperationName } from '../../base/interface/types.js';
import { minuteMs, mostRefilled, OWN_PROBES, refillIntervalMs, type Figures } from './bounds.js';
import { largestClump } from './clumps.js';
import { hasUncountable } from './headers/header-faults.js';
import { comesInTurn, ownAllowances } from './own-allowance.js';
import { samplesOf } from './key-samples.js';
import { subject, type KeySeries } from './series.js';
import { beginsFresh } from './windows-seen.js';
import {
  bySending,
  lone,
  wasRefused,
  wasServed,
  type Sample,
  leftBy,
  servedIn,
  quickestOf,
} from './sample.js';
import { comesBackInParts, fallsIn, operationsIn, sumsByOperation, type Fall } from './operation-costs.js';
import type { KeyName } from '../../base/interface/names.js';

/** Result of one burst by operation. */
export type OperationUse = ReturnType<typeof operationUse>;

/** Fewest requests as proof: two alike may be chance if a limiter leaks, three in a row are not. */
const LEAST_REQUESTS = 3;

const isFalling = ({ fall }: { readonly fall: number }): boolean => fall > 0;

/** Finds the operations that count against the limit, and those that do not (`exempt`). */
export function operationUse(key: KeySeries) {
  const { burst, figures, steady } = key;
  const exempt = new Set(burst === null ? [] : exemptIn(burst.samples, key));
  // What any request of the key shows counts: a sliding counter gives back in the burst what the suites used. A small
  // bucket gives back more later than a burst used.
  const falling = [burst?.samples ?? [], samplesOf(key)]
    .flatMap((samples) => sumsByOperation(fallsIn(samples, figures), false, figures))
    .filter(isFalling);
  const counted = [
    ...falling.map(({ operation }) => operation),
    ...tookTheLast(steady?.samples ?? [], figures),
    ...(exempt.size === 0 ? countedByNumber(key) : []),
  ];
  return { counted: new Set(counted.filter((operation) => !exempt.has(operation))), exempt };
}

/**
 * Finds the operations of a burst that do not count: those at which Remaining stays while it falls by one at
 * each of the others, and those with a Remaining of their own.
 */
function exemptIn(
  burst: readonly Sample[],
  { figures, earlier, exclusive }: KeySeries,
): readonly OperationName[] {
  const [first] = burst;
  if (first === undefined) return [];
  const isReadable = (operation: OperationName): boolean =>
    !hasUncountable(
      burst.filter((sample) => sample.operation === operation),
      figures,
      null,
    );
  const own = exclusive ? ownAllowances(burst, figures).filter(isReadable) : [];
  const known = earlier.filter(({ answeredAt }) => answeredAt >= first.sentAt - 2 * minuteMs(figures)).length;
  // Earlier requests may leave the window at any time and hide the cost of an operation, and so do several servers.
  if (!beginsFresh(first, figures, known) || comesInTurn(burst, figures)) return [...own];
  const falls = fallsIn(burst, figures);
  const inParts = comesBackInParts(burst, figures);
  const sumsOf = (some: readonly Fall[]) => sumsByOperation(some, inParts, figures);
  const sums = sumsOf(falls);
  const never = sums
    .filter(
      ({ requests, fall, refill }) =>
        requests >= LEAST_REQUESTS && fall <= 0 && requests > refill + known + 1,
    )
    .map(({ operation }) => operation)
    .filter(isReadable);
  // If Remaining falls by less at the others too, as of a leaking limiter, the operation makes no difference. Requests
  // that follow their own operation decide, if there are enough: with a counter per path, the one before used another.
  const others = falls.filter(({ sample }) => !never.includes(sample.operation));
  const inRow = others.filter(({ isInRow }) => isInRow);
  const missing = sumsOf(inRow.length >= LEAST_REQUESTS ? inRow : others).reduce(
    (sum, { requests, refill, fall }) => sum + requests - refill - fall,
    0,
  );
  return [...own, ...(sums.some(isFalling) && missing <= 1 ? never : [])];
}

/**
 * Operations that used up a refill: allowed when time for one request had passed, with Remaining 0. A pacer
 * that lets one request through at a time shows no more.
 */
function tookTheLast(steady: readonly Sample[], figures: Figures): readonly OperationName[] {
  const quickest = quickestOf(steady);
  // A response that is slower than the quickest may belong to a request that arrived late.
  const arrivedBy = ({ sentAt, answeredAt }: Sample): number => Math.max(sentAt, answeredAt - quickest);
  const takers = steady.filter((sample, index) => {
    const before = steady[index - 1];
    const hasRefilled =
      before !== undefined && sample.sentAt - arrivedBy(before) >= refillIntervalMs(figures);
    return hasRefilled && wasServed(sample) && leftBy(sample, figures) === 0;
  });
  return oftenIn(takers);
}

/**
 * Returns how many requests of other operations between two refusals of one show that they are counted apart:
 * more than an even refill brings in that time, and a step of two that was due.
 */
export const fewestApart = (figures: Figures, elapsedMs: number): number =>
  mostRefilled(figures, elapsedMs) + 3;

/**
 * Finds an operation that is refused while others are allowed: between two of its refusals, more of the
 * others were allowed than any refill brings. One counter refuses all operations alike. Null without.
 */
export function apartIn(samples: readonly Sample[], figures: Figures) {
  const ordered = lone(bySending(samples));
  const clump = largestClump(samples, figures);
  for (const [from, refusal] of ordered.entries()) {
    if (!wasRefused(refusal)) continue;
    const to = ordered.findIndex((sample, at) => at > from && sample.operation === refusal.operation);
    const again = ordered[to];
    if (again === undefined || !wasRefused(again)) continue;
    const between = ordered.slice(from + 1, to).filter(wasServed);
    const elapsedMs = again.answeredAt - refusal.sentAt;
    if (between.length >= fewestApart(figures, elapsedMs) + clump.size)
      return { refusal, between, elapsedMs };
  }
  return null;
}

/** Operations of enough samples for proof. */
const oftenIn = (samples: readonly Sample[]): readonly OperationName[] =>
  operationsIn(samples).filter(
    (operation) => samples.filter((sample) => sample.operation === operation).length >= LEAST_REQUESTS,
  );

/** Returns the violation of `rate-all-operations` by an operation that does not count for a key. */
export const notLimited = (key: KeyName, operation: OperationName): Judgement =>
  violated([], `${subject(key)} does not limit ${operation}.`, {
    expected: 'every operation counts against the limit and is refused once it is used up',
    actual: `Remaining did not fall or was a separate one at ${operation}, or it was still allowed when nothing was left`,
    measured: { what: [operation] },
    plan: key,
  });

/** True if exactly the limit was allowed. */
export const isUsedUp = ({ burst, figures }: KeySeries): boolean =>
  burst?.samples.some(wasRefused) === true && servedIn(burst.samples) === figures.perMinute;

/**
 * Operations that count by the number allowed before the first 429: without them, fewer than the limit were
 * counted. It is the only evidence where Remaining is missing or wrong. Some requests more than the limit are
 * a refill, and leave as many uncounted ones possible. Before parallel requests, the retry and a probe may
 * have counted as well.
 */
function countedByNumber({ burst, concurrent, figures }: KeySeries): readonly OperationName[] {
  const countedIn = (samples: readonly Sample[], before: number): readonly OperationName[] => {
    const served = samples.filter(wasServed);
    const more = served.length + before - figures.perMinute;
    if (!samples.some(wasRefused) || more < 0) return [];
    return oftenIn(served).filter(
      (operation) => served.filter((sample) => sample.operation === operation).length > more,
    );
  };
  return [...countedIn(burst?.samples ?? [], 0), ...countedIn(concurrent?.samples ?? [], OWN_PROBES)];
}
