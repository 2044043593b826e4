import type { Histogram } from 'hdr-histogram-js';
import type { OperationName, PlanName } from '../contract/types.js';
import { encoded, newHistogram, recordMs, percentileMs } from '../log/histogram.js';
import type { Counts, OperationRecord, SecondRecord } from '../log/capacity-record.js';

/** Why an arrival is not sent: it is too late, no connection is left, or a 429 asked its key to wait. */
export type Dropped = 'late' | 'full' | 'held';

/** What an answer was to a load run. `other`: a status that its row does not let pass, and so a violation. */
export type Outcome = 'served' | 'refused' | 'error' | 'other';

/**
 * One answer as it is counted. Times in ms: from the intended and from the actual moment of sending, and the least that
 * the server can have taken: the latter without what this process was held up itself meanwhile.
 */
export interface Answered {
  readonly operation: OperationName;
  /** 0 for no whole answer. */
  readonly status: number;
  readonly outcome: Outcome;
  readonly violates: boolean;
  readonly latencyMs: number;
  readonly serviceMs: number;
  readonly leastMs: number;
  /** Why no whole answer came. */
  readonly cause?: string | undefined;
}

/** One request of a load run from its beginning to its end. Times are Unix ms. */
export interface Sample extends Omit<Answered, 'leastMs'> {
  readonly phase: string;
  readonly key: PlanName;
  readonly intendedAt: number;
  readonly sentAt: number;
  readonly answeredAt: number;
  /** Its trace id of W3C Trace Context. In closed loop equal requests share one. */
  readonly trace: string;
}

/** Counts that grow. */
export interface Tally {
  sent: number;
  served: number;
  refused: number;
  errors: number;
  violations: number;
  /** By status, and at 0 what had no whole answer: an array is quicker than a map, and statuses are small. */
  readonly statuses: number[];
}

/** Counts that begin at 0. */
export const newTally = (): Tally => ({ sent: 0, served: 0, refused: 0, errors: 0, violations: 0, statuses: [] });

/** Counts as they are recorded. */
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

/** Counts an answer; that it was sent is counted when it is. */
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
  /** The same of errors only; null before the first. */
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
  /** Why requests had no whole answer, and how many. */
  causes(): ReadonlyMap<string, number>;
}

/** A cause may quote the server, which could give each answer one of its own. */
const MOST_CAUSES = 10;

/** A meter that begins empty. */
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

/** What a second came to. */
export interface SecondSoFar
  extends Counts, Pick<SecondRecord, 'intended' | 'dropped' | 'p50' | 'p90' | 'p99' | 'max'> {
  /** How late what was sent left, at worst, ms; and what was not sent for that. */
  readonly lateMs: number;
  readonly droppedLate: number;
  /** The histogram of its latencies as text, where the seconds of several parts are going to be one. */
  readonly latency?: string;
}

/** Counts and times of a run, second by second, whatever phase they belong to. */
export interface Seconds {
  sent(lateMs: number): void;
  answered(answer: Answered): void;
  /** A request that was sent is not going to be answered, and counts as no error. */
  lost(): void;
  /** A request had no connection to leave by. */
  unsent(answer: Answered): void;
  dropped(why: Dropped): void;
  /** What the second came to; the next one begins. */
  take(): SecondSoFar;
  underWay(): number;
}

/**
 * Seconds that begin empty.
 * @param isPart whether they are to be added to other parts' seconds: percentiles cannot be
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
