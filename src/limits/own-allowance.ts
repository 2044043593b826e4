import type { OperationName } from '../contract/types.js';
import { bySending, lone, speaksOfMinute, wasServed } from './answers.js';
import { mayHaveRefilled } from './bounds.js';
import { plainInteger } from './header-number.js';
import type { Sample } from './sample.js';
import type { Figures } from './series.js';

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
  const ordered = bySending(burst);
  const alone = new Set(lone(ordered));
  const readings = ordered.flatMap((sample, place): readonly Reading[] => {
    const isRead = alone.has(sample) && wasServed(sample) && speaksOfMinute(sample, figures);
    const left = isRead ? plainInteger(sample.remaining) : null;
    return left === null ? [] : [{ place, left, sample }];
  });
  const operations = new Set(readings.map(({ sample }) => sample.operation));
  return new Set([...operations].filter((operation) => standsApart(operation, readings, figures)));
}

function standsApart(operation: OperationName, readings: readonly Reading[], figures: Figures): boolean {
  const others = readings.filter(({ sample }) => sample.operation !== operation);
  const apart = readings.filter(({ place, left, sample }) => {
    if (sample.operation !== operation) return false;
    const before = lowest(others.filter((other) => other.place < place));
    const after = lowest(others.filter((other) => other.place > place));
    if (before === null || after === null) return false;
    const rose = left - before.left > CLEARLY + mayHaveRefilled(figures, sample.answeredAt - before.sample.sentAt);
    const fellBack = left - after.left > CLEARLY + (after.place - place);
    return rose && fellBack;
  });
  return apart.length >= LEAST_ANSWERS;
}

const lowest = (readings: readonly Reading[]): Reading | null =>
  readings.reduce<Reading | null>((least, one) => (least === null || one.left <= least.left ? one : least), null);
