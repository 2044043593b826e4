import type { OperationName } from '../base/interface/types.js';

/**
 * What latencies and throughput are of: an operation, a whole journey (by its first operation), or a step of
 * one.
 */
export interface Subject<Operation extends OperationName | null = OperationName> {
  readonly operation: Operation;
  readonly journey?: string;
  /** Place of a step in its journey, from 1. */
  readonly step?: number;
}

export const subjectOf = <Operation extends OperationName | null>({
  operation,
  journey,
  step,
}: Subject<Operation>) => ({
  operation,
  ...(journey !== undefined && { journey }),
  ...(step !== undefined && { step }),
});

/** Names a subject: `getPet`, `journey adopt`, `step 2 of adopt`; empty for a phase as a whole. */
export function subjectName({ operation, journey, step }: Subject<OperationName | null>): string {
  if (journey === undefined) return operation ?? '';
  return step === undefined ? `journey ${journey}` : `step ${step} of ${journey}`;
}
