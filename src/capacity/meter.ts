import type { Histogram } from 'hdr-histogram-js';
import type { OperationName, PlanName } from '../contract/types.js';
import { encoded, newHistogram, recordMs, percentileMs } from '../log/histogram.js';
import type { Counts, OperationRecord, SecondRecord } from '../log/capacity-record.js';

/** Reason why an arrival is not sent: too late, no free connection, or its key has to wait after a 429. */
export type Dropped = 'late' | 'full' | 'held';

/** Outcome of a response. `other` is a status code that its requirement does not allow, so a violation. */
export type Outcome = 'served' | 'refused' | 'error' | 'other';

/**
 * One counted response. Times in ms: from intended sending, from actual sending, and the least that the server took.
 * The last excludes stalls of this process.
 */
export interface Answered {
  readonly operation: OperationName;
  /** 0 without a complete response. */
  readonly status: number;
  readonly outcome: Outcome;
  readonly violates: boolean;
  readonly latencyMs: number;
  readonly serviceMs: number;
  readonly leastMs: number;
  /** Reason for an incomplete response. */
  readonly cause?: string | undefined;
}

/** One request of a load run. Times are Unix ms. */
export interface Sample extends Omit<Answered, 'leastMs'> {
  readonly phase: string;
  readonly key: PlanName;
  readonly intendedAt: number;
  readonly sentAt: number;
  readonly answeredAt: number;
  /** Trace id of W3C Trace Context. In closed loop, equal requests share one. */
  readonly trace: string;
}

export interface Tally {
  sent: number;
  served: number;
  refused: number;
  errors: number;
  violations: number;
  /** Counts by status code, at 0 without a complete response: an array is faster than a map, and codes are small. */
  readonly statuses: number[];
}

/** Returns counts of 0. */
export const newTally = (): Tally => ({ sent: 0, served: 0, refused: 0, errors: 0, violations: 0, statuses: [] });

/** Returns counts for the record. */
export const countsOf = ({ sent, served, refused, errors, violations, statuses }: Tally): Counts => ({
  sent,
  served,
  refused,
  errors,
  violations,
  byStatus: Object.fromEntries(
    statuses.flatMap((count, status) => (count > 0 ? [[status === 0 ? 'none' : String(status), count] as const] : [])),
  ),
});

/** Counts a response. Its sending is counted separately. */
export function count(tally: Tally, { status, outcome, violates }: Answered): void {
  tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
  if (outcome === 'served') tally.served += 1;
  else if (outcome === 'refused') tally.refused += 1;
  else if (outcome === 'error') tally.errors += 1;
  if (violates) tally.violations += 1;
}

interface Measured extends Tally {
  readonly latency: Histogram;
  readonly service: Histogram;
  readonly least: Histogram;
  /** Times of errors only; null before the first. */
  failed: { readonly latency: Histogram; readonly least: Histogram } | null;
}

/** Counts and times of one phase, by operation. */
export interface Meter {
  sent(operation: OperationName, key: PlanName): void;
  answered(answer: Answered): void;
  dropped(why: Dropped): void;
  totals(): {
    readonly droppedLate: number;
    readonly droppedFull: number;
    readonly droppedHeld?: number;
    readonly operations: readonly OperationRecord[];
    readonly byKey: Readonly<Partial<Record<PlanName, number>>>;
  };
  /** Returns the causes of incomplete responses, with counts. */
  causes(): ReadonlyMap<string, number>;
}

/** Most different causes: a cause may quote the server, which can vary it. */
const MOST_CAUSES = 10;

/** Returns an empty meter. */
export function newMeter(): Meter {
  const operations = new Map<OperationName, Measured>();
  const byKey: Partial<Record<PlanName, number>> = {};
  const causes = new Map<string, number>();
  let [droppedLate, droppedFull, droppedHeld] = [0, 0, 0];
  const of = (operation: OperationName): Measured => {
    const known = operations.get(operation);
    if (known) return known;
    const fresh = {
      ...newTally(),
      latency: newHistogram(),
      service: newHistogram(),
      least: newHistogram(),
      failed: null,
    };
    operations.set(operation, fresh);
    return fresh;
  };
  return {
    sent(operation, key) {
      of(operation).sent += 1;
      byKey[key] = (byKey[key] ?? 0) + 1;
    },
    answered(answer) {
      const own = of(answer.operation);
      count(own, answer);
      recordMs(own.latency, answer.latencyMs);
      recordMs(own.service, answer.serviceMs);
      recordMs(own.least, answer.leastMs);
      if (answer.outcome === 'error') {
        own.failed ??= { latency: newHistogram(), least: newHistogram() };
        recordMs(own.failed.latency, answer.latencyMs);
        recordMs(own.failed.least, answer.leastMs);
      }
      if (answer.cause !== undefined) {
        const cause = causes.has(answer.cause) || causes.size < MOST_CAUSES ? answer.cause : 'another cause';
        causes.set(cause, (causes.get(cause) ?? 0) + 1);
      }
    },
    dropped(why) {
      if (why === 'late') droppedLate += 1;
      else if (why === 'full') droppedFull += 1;
      else droppedHeld += 1;
    },
    totals: () => ({
      droppedLate,
      droppedFull,
      ...(droppedHeld > 0 && { droppedHeld }),
      byKey,
      operations: [...operations].map(([operation, { latency, service, least, failed, ...tally }]) => ({
        operation,
        ...countsOf(tally),
        latency: encoded(latency),
        service: encoded(service),
        least: encoded(least),
        ...(failed && { failed: { latency: encoded(failed.latency), least: encoded(failed.least) } }),
      })),
    }),
    causes: () => causes,
  };
}

/** Result of one second. */
export interface SecondSoFar
  extends Counts, Pick<SecondRecord, 'intended' | 'dropped' | 'p50' | 'p90' | 'p99' | 'max'> {
  /** Most delay of a sent request, ms, and the number dropped as too late. */
  readonly lateMs: number;
  readonly droppedLate: number;
  /** Histogram of its latencies as text, to merge the seconds of parts. */
  readonly latency?: string;
}

/** Counts and times of a run by second, across phases. */
export interface Seconds {
  sent(lateMs: number): void;
  answered(answer: Answered): void;
  /** Notes a sent request that will get no response and counts as no error. */
  lost(): void;
  /** Notes a request without a connection. */
  unsent(answer: Answered): void;
  dropped(why: Dropped): void;
  /** Returns the second's result and starts the next second. */
  take(): SecondSoFar;
  underWay(): number;
}

/**
 * Returns an empty counter of seconds.
 * @param isPart true if seconds of parts will be merged: percentiles cannot be
 */
export function newSeconds(isPart = false): Seconds {
  const latency = newHistogram();
  let now = newTally();
  let [intended, late, full, lateMs, underWay] = [0, 0, 0, 0, 0];
  return {
    sent(by) {
      intended += 1;
      underWay += 1;
      now.sent += 1;
      if (by > lateMs) lateMs = by;
    },
    answered(answer) {
      underWay -= 1;
      count(now, answer);
      recordMs(latency, answer.latencyMs);
    },
    lost() {
      underWay -= 1;
    },
    unsent: (answer) => count(now, answer),
    dropped(why) {
      intended += 1;
      if (why === 'late') late += 1;
      else full += 1;
    },
    take() {
      const second = {
        ...countsOf(now),
        intended,
        dropped: late + full,
        droppedLate: late,
        lateMs,
        p50: percentileMs(latency, 'p50'),
        p90: percentileMs(latency, 'p90'),
        p99: percentileMs(latency, 'p99'),
        max: percentileMs(latency, 'max'),
        ...(isPart && { latency: encoded(latency) }),
      };
      now = newTally();
      latency.reset();
      [intended, late, full, lateMs] = [0, 0, 0, 0];
      return second;
    },
    underWay: () => underWay,
  };
}
