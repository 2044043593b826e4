import type { OperationName } from '../../base/interface/types.js';
import { countWhile } from '../../base/kernel/sorted.js';
import { mayHaveRefilled, type Figures } from './bounds.js';
import { placedIn, type Reading } from './header-readings.js';
import { bySending, lone, type Sample } from './sample.js';

/** Smallest clear difference of Remaining: rounding and overtaking requests move it by less. */
const CLEARLY = 5;
/** Fewest responses as proof: a single one may come from a server that had not synchronized yet. */
const LEAST_ANSWERS = 2;

/**
 * Finds operations with their own limit. Their Remaining is far above earlier responses of others, and others continue
 * below it, by more than the requests between. A single counter can rise, by a refill or a new window. But it never
 * falls by more than its requests.
 */
export function ownAllowances(burst: readonly Sample[], figures: Figures): ReadonlySet<OperationName> {
  if (comesInTurn(burst, figures)) return new Set();
  const ordered = bySending(burst);
  const readings = placedIn(ordered, lone(ordered), figures);
  if (!rises(readings)) return new Set();
  return new Set(
    operationsOf(readings).filter((operation) => {
      const others = readings.filter(({ sample }) => sample.operation !== operation);
      return apartFrom(of(readings, operation), others, figures).length >= LEAST_ANSWERS;
    }),
  );
}

/**
 * Is true if the responses of a single operation alternate too: then several servers respond. Concurrent requests show
 * it as well, if the difference is larger than overtaking explains.
 */
export function comesInTurn(burst: readonly Sample[], figures: Figures): boolean {
  const ordered = bySending(burst);
  const readings = placedIn(ordered, ordered, figures);
  if (!rises(readings)) return false;
  const isApart = (overtaking: number): boolean =>
    operationsOf(readings).some((operation) => {
      const own = of(readings, operation);
      return apartFrom(own, own, figures, overtaking).length >= LEAST_ANSWERS;
    });
  return isApart(0) && isApart(mostUnderWay(ordered));
}

/** True if Remaining of any response is clearly higher than an earlier one, in order of sending. */
function rises(readings: readonly Reading[]): boolean {
  const lowest = lowestSoFar(readings);
  return readings.some(({ left }, at) => left - (lowest[at]?.left ?? left) > CLEARLY);
}

/** Most requests without a response when another was sent. */
function mostUnderWay(ordered: readonly Sample[]): number {
  let [most, open]: [number, readonly number[]] = [0, []];
  for (const { sentAt, answeredAt } of ordered) {
    open = open.filter((end) => end > sentAt);
    most = Math.max(most, open.length);
    open = [...open, answeredAt];
  }
  return most;
}

const operationsOf = (readings: readonly Reading[]) => [...new Set(readings.map(({ sample }) => sample.operation))];

const of = (readings: readonly Reading[], wanted: OperationName): readonly Reading[] =>
  readings.filter(({ sample }) => sample.operation === wanted);

/**
 * Readings far above those of others before and after them. "Before" are responses that came before the sending,
 * "after" are requests sent after the response. At the start of a window, concurrent requests count in any order.
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
    const least = lowestUpTo[countWhile(answered, ({ sample: other }) => other.answeredAt <= sample.sentAt) - 1];
    const later = lowestFrom[countWhile(others, ({ sample: other }) => other.sentAt < sample.answeredAt)];
    if (least === undefined || later === undefined) return false;
    const rose = left - least.left > clearly + mayHaveRefilled(figures, sample.answeredAt - least.sample.sentAt);
    return rose && left - later.left > clearly + (later.place - place);
  });
}

/** Lowest reading up to each place; the latest of equal ones. */
function lowestSoFar(readings: readonly Reading[]): readonly Reading[] {
  let lowest: Reading | undefined;
  return readings.map((one) => (lowest = lowest === undefined || one.left <= lowest.left ? one : lowest));
}
