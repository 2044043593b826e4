import type { OperationName } from '../base/interface/types.js';
import type { Meter } from './meter.js';

/**
 * Most time after a phase in which responses to its last requests still count, as a share of its length and
 * in ms.
 */
const EDGE_SHARE = 0.01;
const EDGE_MS = 100;

/**
 * Returns until when responses to a phase's own requests count for its throughput. Without this edge, a
 * server that keeps up would seem slower than its load by what is in flight at the end. It adds at most 1 %
 * to the figure.
 */
export const countsUntil = (endAt: number, lengthMs: number): number =>
  endAt + Math.min(EDGE_MS, lengthMs * EDGE_SHARE);

export type Throughput = ReturnType<typeof watchThroughput>;

/**
 * Counts each successful response in the phase in whose time it came. A server that falls behind answers
 * later than its requests arrive, so arrivals say nothing about what it carries.
 */
export function watchThroughput() {
  let current: Meter | null = null;
  return {
    begins(meter: Meter): void {
      current = meter;
    },
    /** Counts a response at a time (Unix ms) to a request of a phase. */
    served(own: Meter, operation: OperationName, at: number): void {
      if (at <= own.countsUntil) own.inTime(operation);
      else if (current !== null && at <= current.countsUntil) current.inTime(operation);
    },
  };
}
