import type { OperationName } from '../contract/types.js';
import { mayHaveRefilled } from './bounds.js';
import { plainInteger } from './headers/header-number.js';
import type { Figures } from './series.js';
import { bySending, lone, speaksOfMinute, wasServed, type Sample } from './sample.js';

/** Rounding, and requests that overtake each other, move Remaining by less. */
const CLEARLY = 5;
/** One answer may come from a server that had not heard of the others yet. */
const LEAST_ANSWERS = 2;

interface Reading {
  readonly place: number;
  readonly left: number;
  readonly sample: Sample;
}

/**
 * Operations that have an allowance of their own: what their answers say is left lies far above what others had said
 * before, and others go on below it afterwards, by more than what was sent between. One counter for all can rise, when
 * requests come back or a window begins anew, but never fall by more than it is asked.
 */
export function ownAllowances(burst: readonly Sample[], figures: Figures): ReadonlySet<OperationName> {
  if (comesInTurn(burst, figures)) return new Set();
  const readings = readingsOf(burst, figures, lone(bySending(burst)));
  if (!rises(readings)) return new Set();
  return new Set(
    operationsOf(readings).filter((operation) => {
      const others = readings.filter(({ sample }) => sample.operation !== operation);
      return apartFrom(of(readings, operation), others, figures).length >= LEAST_ANSWERS;
    }),
  );
}

/**
 * Whether answers alternate whatever is asked for: then they are of servers side by side, and no operation's. Requests under
 * way together show it as well, by more than they may have overtaken each other.
 */
export function comesInTurn(burst: readonly Sample[], figures: Figures): boolean {
  const ordered = bySending(burst);
  const readings = readingsOf(burst, figures, ordered);
  if (!rises(readings)) return false;
  const overtaking = mostUnderWay(ordered);
  return operationsOf(readings).some((operation) => {
    const own = of(readings, operation);
    return apartFrom(own, own, figures, overtaking).length >= LEAST_ANSWERS;
  });
}

/** Whether any answer says clearly more than one before it in the order of sending; without that none stands apart. */
function rises(readings: readonly Reading[]): boolean {
  let lowest = Infinity;
  return readings.some(({ left }) => {
    const rose = left - lowest > CLEARLY;
    lowest = Math.min(lowest, left);
    return rose;
  });
}

/** The most requests that had not been answered yet when another was sent. */
function mostUnderWay(ordered: readonly Sample[]): number {
  let [most, open]: [number, readonly number[]] = [0, []];
  for (const { sentAt, answeredAt } of ordered) {
    open = open.filter((end) => end > sentAt);
    most = Math.max(most, open.length);
    open = [...open, answeredAt];
  }
  return most;
}

/** What the answers of some of a burst say, each with its place in the order of sending. */
function readingsOf(burst: readonly Sample[], figures: Figures, some: readonly Sample[]): readonly Reading[] {
  const wanted = new Set(some);
  return bySending(burst).flatMap((sample, place): readonly Reading[] => {
    const isRead = wanted.has(sample) && wasServed(sample) && speaksOfMinute(sample, figures);
    const left = isRead ? plainInteger(sample.remaining) : null;
    return left === null ? [] : [{ place, left, sample }];
  });
}

const operationsOf = (readings: readonly Reading[]): readonly OperationName[] => [
  ...new Set(readings.map(({ sample }) => sample.operation)),
];

const of = (readings: readonly Reading[], wanted: OperationName): readonly Reading[] =>
  readings.filter(({ sample }) => sample.operation === wanted);

/**
 * Those of some answers that say far more than others had said before, and than others go on to say afterwards. Before is
 * what had been answered when they were sent, and afterwards what was sent when they had been answered: as a window begins,
 * requests that are under way together are counted in any order.
 */
function apartFrom(
  own: readonly Reading[],
  others: readonly Reading[],
  figures: Figures,
  overtaking = 0,
): readonly Reading[] {
  const clearly = CLEARLY + overtaking;
  const answered = others.toSorted((one, other) => one.sample.answeredAt - other.sample.answeredAt);
  const lowestUpTo = lowestSoFar(answered);
  const lowestFrom = lowestSoFar(others.toReversed()).toReversed();
  return own.filter(({ place, left, sample }) => {
    const least = lowestUpTo[countOf(answered, ({ sample: other }) => other.answeredAt <= sample.sentAt) - 1];
    const later = lowestFrom[countOf(others, ({ sample: other }) => other.sentAt < sample.answeredAt)];
    if (least === undefined || later === undefined) return false;
    const rose = left - least.left > clearly + mayHaveRefilled(figures, sample.answeredAt - least.sample.sentAt);
    return rose && left - later.left > clearly + (later.place - place);
  });
}

/** How many of some readings, which are in order, come before the first of which something is no longer true. */
function countOf(readings: readonly Reading[], isTrue: (reading: Reading) => boolean): number {
  let [low, high] = [0, readings.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const reading = readings[middle];
    if (reading !== undefined && isTrue(reading)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** At each place the lowest reading up to it; of several that are as low, the latest. */
function lowestSoFar(readings: readonly Reading[]): readonly Reading[] {
  let lowest: Reading | undefined;
  return readings.map((one) => (lowest = lowest === undefined || one.left <= lowest.left ? one : lowest));
}
