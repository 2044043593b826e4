import assert from 'node:assert/strict';
import { encoded, newHistogram, recordMs } from '../log/histogram.js';
import type { CapacityPhaseRecord, OperationRecord } from '../log/capacity-record.js';
import { parseCondition, type Threshold } from '../wire/scenario/threshold.js';
import { judgeThreshold } from './thresholds.js';

export const times = (values: readonly number[]): string => {
  const histogram = newHistogram();
  for (const value of values) recordMs(histogram, value);
  return encoded(histogram);
};

export const failures = (values: readonly number[]) => ({ latency: times(values), least: times(values) });

/** Returns an operation with these latencies; `leastMs` excludes the generator's own stalls. */
export const operation = (
  name: OperationRecord['operation'],
  latency: readonly number[],
  more: Partial<OperationRecord> & { readonly leastMs?: readonly number[] } = {},
): OperationRecord => {
  const { leastMs = latency, ...counts } = more;
  return {
    operation: name,
    sent: latency.length,
    served: latency.length,
    refused: 0,
    errors: 0,
    violations: 0,
    byStatus: { 200: latency.length },
    latency: times(latency),
    service: times(latency),
    least: times(leastMs),
    ...counts,
  };
};

export const phase = (
  name: string,
  operations: readonly OperationRecord[],
  more: Partial<CapacityPhaseRecord> = {},
): CapacityPhaseRecord => ({
  type: 'capacity-phase',
  phase: name,
  startedAt: 0,
  finishedAt: 10_000,
  intended:
    operations.reduce((sum, { sent }) => sum + sent, 0) + (more.droppedLate ?? 0) + (more.droppedFull ?? 0),
  droppedLate: 0,
  droppedFull: 0,
  operations,
  byKey: {},
  violations: [],
  saturated: null,
  lagMs: 0,
  cpu: 0,
  whole: true,
  remarks: [],
  ...more,
});

export const threshold = (text: string, of: Partial<Threshold> = {}): Threshold => {
  const parsed = parseCondition(text);
  assert.ok(parsed.ok, text);
  return { ...parsed.value, text, phase: null, operation: null, ...of };
};

export const outcome = (
  text: string,
  phases: readonly CapacityPhaseRecord[],
  of: Partial<Threshold> = {},
  aborted = false,
) => judgeThreshold(threshold(text, of), { phases, planned: ['a'], aborted }).outcome;

export const hundred = Array.from({ length: 100 }, (_, at) => at + 1);

/** The end of responses before the end of a phase. */
export const stopped = { afterMs: 9000, ofMs: 12_000, failed: 83, cause: 'connect ECONNREFUSED' };
