import type { OperationName } from '../../base/interface/types.js';
import { countWhile } from '../../base/kernel/sorted.js';
import { mayHaveRefilled, type Figures } from './bounds.js';
import { operationsIn } from './operation-costs.js';
import { loneReadings, longestBetween, mostBetween, readingsIn, type Reading } from './remaining-readings.js';
import { bySending, leftsOf, wasServed, type Left, type Sample } from './sample.js';

/** Smallest clear difference of Remaining: rounding moves it by less. */
const CLEARLY = 5;
/** Fewest responses as proof: a single one may come from a server that had not synchronized yet. */
const LEAST_ANSWERS = 2;

/**
 * Finds operations with their own limit. Their Remaining is far above earlier responses of others, and others
 * continue below it, by more than the requests between. A single counter can rise, by a refill or a new
 * window. But it never falls by more than its requests.
 */
export const ownAllowances = (burst: readonly Sample[], figures: Figures): readonly OperationName[] =>
  comesInTurn(burst, figures)
    ? []
    : operationsApart(loneReadings(burst, figures), figures, (operation, other) => operation !== other);

/** Is true if the responses of a single operation alternate too: then several servers respond. */
export function comesInTurn(burst: readonly Sample[], figures: Figures): boolean {
  const ordered = bySending(burst);
  // Without a rise no responses alternate, and nothing has to be counted.
  if (!rises(leftsOf(ordered.filter(wasServed), figures))) return false;
  const readings = readingsIn(ordered, figures);
  return operationsApart(readings, figures, (operation, other) => operation === other).length > 0;
}

/** Returns the operations with enough readings far above those of compared operations before and after them. */
function operationsApart(
  readings: readonly Reading[],
  figures: Figures,
  isCompared: (operation: OperationName, other: OperationName) => boolean,
): readonly OperationName[] {
  if (!rises(readings)) return [];
  const of = (isWanted: (operation: OperationName) => boolean) =>
    readings.filter(({ sample }) => isWanted(sample.operation));
  return operationsIn(readings.map(({ sample }) => sample)).filter((operation) => {
    const others = of((other) => isCompared(operation, other));
    return (
      apartFrom(
        of((other) => other === operation),
        others,
        figures,
      ).length >= LEAST_ANSWERS
    );
  });
}

/** True if Remaining of any response is clearly higher than an earlier one, in order of sending. */
function rises(lefts: readonly Left[]): boolean {
  let lowest = Infinity;
  return lefts.some(({ left }) => {
    lowest = Math.min(lowest, left);
    return left - lowest > CLEARLY;
  });
}

/**
 * Readings far above those of others before and after them. "Before" are responses that came before the
 * sending, "after" are requests sent after the response.
 */
function apartFrom(
  own: readonly Reading[],
  others: readonly Reading[],
  figures: Figures,
): readonly Reading[] {
  const answered = others.toSorted((one, other) => one.sample.answeredAt - other.sample.answeredAt);
  const lowestUpTo = lowestSoFar(answered, leftIn);
  const lowestFrom = lowestSoFar(others.toReversed(), ({ left, all }) => left + all.most).toReversed();
  return own.filter((reading) => {
    const { left, sample } = reading;
    const least =
      lowestUpTo[countWhile(answered, ({ sample: other }) => other.answeredAt <= sample.sentAt) - 1];
    const later = lowestFrom[countWhile(others, ({ sample: other }) => other.sentAt < sample.answeredAt)];
    if (least === undefined || later === undefined) return false;
    const rose = left - least.left > CLEARLY + mayHaveRefilled(figures, longestBetween(least, reading));
    return rose && left - later.left > CLEARLY + mostBetween(reading, later);
  });
}

const leftIn = ({ left }: Reading): number => left;

/** Lowest reading up to each place; the latest of equal ones. */
function lowestSoFar(readings: readonly Reading[], of: (reading: Reading) => number): readonly Reading[] {
  let lowest: Reading | undefined;
  return readings.map((one) => (lowest = lowest === undefined || of(one) <= of(lowest) ? one : lowest));
}
