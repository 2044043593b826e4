import { violated, type Judgement } from '../findings/finding.js';
import type { OperationName } from '../../base/interface/types.js';
import { minuteMs, mostInOneWindow, mostRefilled, OWN_PROBES, refillIntervalMs, type Figures } from './bounds.js';
import { largestClump } from './clumps.js';
import { comesInTurn, ownAllowances } from './own-allowance.js';
import { samplesOf } from './key-samples.js';
import { subject, type BurstSeries, type KeySeries } from './series.js';
import { beginsFresh, windowsSeen } from './windows-seen.js';
import { bySending, lone, wasRefused, wasServed, type Sample, leftBy, servedIn, quickestOf } from './sample.js';
import {
  comesBackInParts,
  fallsIn,
  goesUpAndDown,
  operationsIn,
  sumsByOperation,
  type Fall,
} from './operation-costs.js';
import type { KeyName } from '../../base/interface/names.js';

/** Result of one burst by operation. */
export type OperationUse = ReturnType<typeof operationUse>;

/** Fewest requests as proof: two alike may be chance if a limiter leaks, three in a row are not. */
const LEAST_REQUESTS = 3;

const isFalling = ({ fall }: { readonly fall: number }): boolean => fall > 0;

/**
 * Finds the operations that count against the limit, by one burst: `counted`, at which Remaining fell, or all if exactly
 * the limit was allowed; `exempt`, which do not count, or are allowed when nothing is left.
 */
export function operationUse(key: KeySeries) {
  const { burst, figures, earlier, steady } = key;
  if (burst === null) return { counted: new Set<OperationName>(), exempt: new Set<OperationName>() };
  const [first] = burst.samples;
  const since = (first?.sentAt ?? 0) - 2 * minuteMs(figures);
  const known = earlier.filter(({ answeredAt }) => answeredAt >= since).length;
  const falls = fallsIn(burst.samples, figures);
  // What any request of the key shows counts: a sliding counter gives back in the burst what the suites used.
  const anywhere = sumsByOperation(fallsIn(samplesOf(key), figures), false, figures);
  const inParts = comesBackInParts(burst.samples, figures);
  const sumsOf = (some: readonly Fall[]) => sumsByOperation(some, inParts, figures);
  const sums = sumsOf(falls);
  const counted = new Set(sums.filter(isFalling).map(({ operation }) => operation));
  const never = sums
    .filter(({ requests, fall, refill }) => requests >= LEAST_REQUESTS && fall <= 0 && requests > refill + known + 1)
    .map(({ operation }) => operation);
  // If Remaining falls by less at the others too (several servers, or a leaking limiter), the operation makes no
  // difference. Requests that follow their own operation decide, if there are enough: with a counter per path, the
  // request before used another one.
  const rest = falls.filter(({ sample }) => !never.includes(sample.operation));
  const inRow = rest.filter(({ isInRow }) => isInRow);
  const telling = sumsOf(inRow.length >= LEAST_REQUESTS ? inRow : rest);
  const missing = telling.reduce((sum, { requests, refill, fall }) => sum + requests - refill - fall, 0);
  // Earlier requests may leave the window at any time and hide the cost of an operation.
  const isOfSeveral = comesInTurn(burst.samples, figures) || goesUpAndDown(burst.samples, figures);
  const fresh = first !== undefined && beginsFresh(first, figures, known) && !isOfSeveral;
  const exempt = new Set(fresh && counted.size > 0 && missing <= 1 ? never : []);
  if (fresh) for (const operation of servedPastRefusal(burst, figures, exempt)) exempt.add(operation);
  if (key.exclusive) for (const operation of ownAllowances(burst.samples, figures)) exempt.add(operation);
  for (const operation of tookTheLast(steady?.samples ?? [], figures))
    if (!exempt.has(operation)) counted.add(operation);
  if (exempt.size === 0) for (const operation of countedByNumber(key)) counted.add(operation);
  for (const { operation } of anywhere.filter(isFalling)) if (!exempt.has(operation)) counted.add(operation);
  return { counted, exempt };
}

/**
 * Operations that used up a refill: allowed when time for one request had passed, with Remaining 0. A pacer that lets
 * one request through at a time shows no more.
 */
function tookTheLast(steady: readonly Sample[], figures: Figures): readonly OperationName[] {
  const quickest = quickestOf(steady);
  // A response that is slower than the quickest may belong to a request that arrived late.
  const arrivedBy = ({ sentAt, answeredAt }: Sample): number => Math.max(sentAt, answeredAt - quickest);
  const takers = steady.filter((sample, index) => {
    const before = steady[index - 1];
    const hasRefilled = before !== undefined && sample.sentAt - arrivedBy(before) >= refillIntervalMs(figures);
    return hasRefilled && wasServed(sample) && leftBy(sample, figures) === 0;
  });
  return oftenIn(takers);
}

/**
 * Returns how many requests of other operations between two refusals of one show that they are counted apart: more than
 * an even refill brings in that time, and a step of two that was due.
 */
export const fewestApart = (figures: Figures, elapsedMs: number): number => mostRefilled(figures, elapsedMs) + 3;

/**
 * Finds an operation that is refused while others are allowed: between two of its refusals, more of the others were allowed
 * than any refill brings. One counter refuses all operations alike. Null without.
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
    if (between.length >= fewestApart(figures, elapsedMs) + clump.size) return { refusal, between, elapsedMs };
  }
  return null;
}

/** Operations of enough samples for proof. */
const oftenIn = (samples: readonly Sample[]): readonly OperationName[] =>
  operationsIn(samples).filter(
    (operation) => samples.filter((sample) => sample.operation === operation).length >= LEAST_REQUESTS,
  );

/** Slack: a limit that is 10 % too high is no unlimited operation. */
const MORE_THAN_A_TENTH = 0.12;

/** Operations allowed beyond any bound, although another was refused immediately. */
function servedPastRefusal(
  { samples, refusalOperation }: BurstSeries,
  figures: Figures,
  exempt: ReadonlySet<OperationName>,
): readonly OperationName[] {
  const [first] = samples;
  const refusal = samples.find(wasRefused);
  if (first === undefined || refusal === undefined || refusal.operation === refusalOperation) return [];
  const { pieces, visible } = windowsSeen(samples, figures);
  if (pieces.length > 1 || !visible) return [];
  const before = samples.filter(
    (sample) => wasServed(sample) && !exempt.has(sample.operation) && sample.answeredAt <= refusal.sentAt,
  );
  const most = mostInOneWindow(figures, refusal.answeredAt - first.sentAt);
  return before.length > most + Math.max(2, MORE_THAN_A_TENTH * figures.perMinute) &&
    before.slice(most).every(({ operation }) => operation === refusalOperation)
    ? [refusalOperation]
    : [];
}

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
 * Operations that count by the number allowed before the first 429: without them, fewer than the limit were counted. Some
 * requests more than the limit are a refill, and leave as many uncounted ones possible. Before parallel requests, the retry
 * and a probe may have counted as well.
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
