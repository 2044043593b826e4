import type { PlanName } from '../../base/interface/types.js';
import { grouped, sum } from '../../base/kernel/format.js';
import type { CapacityPhaseRecord, ScenarioRecord, SecondRecord } from '../../log/capacity-record.js';
import type { Counts } from '../../log/load-shapes.js';

/** A second of a part; its end is counted from the part's start by its own clock, ms. */
export interface PartSecond {
  readonly part: number;
  readonly second: SecondRecord;
  readonly endMs: number;
}

type SharedKey = NonNullable<ScenarioRecord['sharedKeys']>[number];

const SECOND_MS = 1000;

/** Returns the second of the whole in which most of a part's second lies, from 0. */
export const placeOf = ({ second, endMs }: Pick<PartSecond, 'second' | 'endMs'>): number =>
  Math.floor((endMs - second.ms / 2) / SECOND_MS);

/** Refusals of an operation that were within the allowance of a key. */
interface Within {
  readonly operation: string;
  readonly count: number;
}

/**
 * Decides for keys that parts share which of their 429s were within the allowance, by what all parts sent. A
 * refused request may count for a limiter, and clocks differ: a window has one second more, and a second
 * counts whole. Pure.
 *
 * @param scenarios scenario records of the parts, with the limits of the keys that they share
 * @returns errors by phase, and by second of a part
 */
export function decideRefusals(seconds: readonly PartSecond[], scenarios: readonly ScenarioRecord[]) {
  const shared = grouped(
    scenarios.flatMap(({ sharedKeys = [] }) => sharedKeys),
    ({ key }) => key,
  );
  const byPhase = new Map<string, Within[]>();
  const bySecond = new Map<SecondRecord, Within[]>();
  for (const [key, limits] of shared)
    for (const { second, phase, ...within } of withinOf(key, limits, seconds)) {
      byPhase.set(phase, [...(byPhase.get(phase) ?? []), within]);
      bySecond.set(second, [...(bySecond.get(second) ?? []), within]);
    }
  return {
    /** Returns a second in which such refusals are errors. */
    second: (record: SecondRecord): SecondRecord =>
      moved(
        record,
        sum(bySecond.get(record) ?? [], ({ count }) => count),
      ),
    /** Returns a merged phase in which such refusals are errors. */
    phase: (record: CapacityPhaseRecord): CapacityPhaseRecord => ({
      ...record,
      operations: record.operations.map((each) =>
        moved(
          each,
          sum(byPhase.get(record.phase) ?? [], ({ operation, count }) =>
            operation === each.operation ? count : 0,
          ),
        ),
      ),
    }),
  };
}

const moved = <Of extends Pick<Counts, 'refused' | 'errors'>>(of: Of, count: number): Of =>
  count === 0 ? of : { ...of, refused: of.refused - count, errors: of.errors + count };

/** Returns the refusals of one key within its allowance, in order of time. */
function* withinOf(
  key: PlanName,
  limits: readonly [SharedKey, ...SharedKey[]],
  seconds: readonly PartSecond[],
): Generator<Within & { readonly second: SecondRecord; readonly phase: string }> {
  const [{ perMinute, perDay, windowMs }] = limits;
  const earlier = sum(limits, (one) => one.earlier);
  const windowSeconds = Math.ceil(windowMs / SECOND_MS) + 1;
  const uses = seconds.flatMap(({ second, ...rest }) =>
    (second.keyUse ?? []).flatMap((use) =>
      use.key === key ? [{ ...use, second, place: placeOf({ second, ...rest }) }] : [],
    ),
  );
  const byPlace = grouped(uses, ({ place }) => String(place));
  const inOrder = [...byPlace.values()].toSorted(([one], [other]) => one.place - other.place);
  const sentIn = new Map(inOrder.map((all) => [all[0].place, sum(all, ({ sent }) => sent)]));
  let total = earlier;
  let heldUntil = -Infinity;
  for (const all of inOrder) {
    const [{ place }] = all;
    total += sentIn.get(place) ?? 0;
    let inWindow = place < windowSeconds ? earlier : 0;
    for (let at = place - windowSeconds + 1; at <= place; at += 1) inWindow += sentIn.get(at) ?? 0;
    const isBeyond = inWindow > perMinute || total > perDay || place <= heldUntil;
    const refusals = all.flatMap(({ undecided, second }) => undecided.map((one) => ({ ...one, second })));
    // A limiter may hold a key for another window after a refusal.
    if (isBeyond && refusals.length > 0) heldUntil = Math.max(heldUntil, place + windowSeconds);
    if (!isBeyond) yield* refusals;
  }
}
