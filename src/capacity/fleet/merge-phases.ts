import type { OperationName } from '../../contract/types.js';
import { sum, sumByName, sumOfCounts } from '../added.js';
import { decoded, encoded, failedIn, sumOf } from '../histogram.js';
import type { CapacityPhaseRecord, OperationRecord, ViolationCount } from '../../log/capacity-record.js';
import type { PlacedPhase } from '../../scenario/schedule.js';

/** What one part says of a phase. */
export interface PartPhase {
  readonly name: string;
  /** When the part began by its own clock, Unix ms. */
  readonly startAt: number;
  readonly record: CapacityPhaseRecord;
}

/**
 * A phase of the whole from what its parts say of it: counts and histograms are added, never averaged. Pure.
 * @param beginsAt the beginning of the whole, Unix ms
 * @param isWhole whether every part is there
 * @param violations what was violated, with parts' kinds put together
 */
export function mergePhase(
  { phase, startMs, count }: PlacedPhase,
  pieces: readonly PartPhase[],
  { beginsAt, isWhole, violations }: WholePhase,
): CapacityPhaseRecord {
  const records = pieces.map(({ record }) => record);
  const saturated = pieces.flatMap(({ name, record }) =>
    record.saturated ? [{ ...record.saturated, agent: name }] : [],
  );
  const [first] = saturated.toSorted((one, other) => one.fromMs - other.fromMs);
  return {
    type: 'capacity-phase',
    phase: phase.name,
    startedAt: Math.round(beginsAt + startMs),
    finishedAt: Math.round(
      beginsAt + Math.max(startMs, ...pieces.map(({ startAt, record }) => record.finishedAt - startAt)),
    ),
    intended: count,
    droppedLate: sum(records, ({ droppedLate }) => droppedLate),
    droppedFull: sum(records, ({ droppedFull }) => droppedFull),
    ...(records.some(({ droppedHeld }) => droppedHeld) && {
      droppedHeld: sum(records, ({ droppedHeld = 0 }) => droppedHeld),
    }),
    operations: mergeOperations(records),
    byKey: sumByName(records.map(({ byKey }) => byKey)),
    violations,
    saturated: first ?? null,
    lagMs: Math.max(0, ...records.map(({ lagMs }) => lagMs)),
    cpu: Math.max(0, ...records.map(({ cpu }) => cpu)),
    whole: isWhole && records.every(({ whole }) => whole),
    remarks: pieces.flatMap(({ name, record }) => record.remarks.map((remark) => `${name}: ${remark}`)),
  };
}

interface WholePhase {
  readonly beginsAt: number;
  readonly isWhole: boolean;
  readonly violations: readonly ViolationCount[];
}

function mergeOperations(records: readonly CapacityPhaseRecord[]): readonly OperationRecord[] {
  const byName = new Map<OperationName, OperationRecord[]>();
  for (const operation of records.flatMap(({ operations }) => operations))
    byName.set(operation.operation, [...(byName.get(operation.operation) ?? []), operation]);
  return [...byName].map(([operation, all]) => ({
    operation,
    ...sumOfCounts(all),
    latency: encoded(sumOf(all.map(({ latency }) => decoded(latency)))),
    service: encoded(sumOf(all.map(({ service }) => decoded(service)))),
    least: encoded(sumOf(all.map(({ least }) => decoded(least)))),
    ...(all.some(({ failed }) => failed !== undefined) && {
      failed: { latency: encoded(failedIn(all, 'latency')), least: encoded(failedIn(all, 'least')) },
    }),
  }));
}
