import { encoded, newHistogram, percentileMs, recordMs } from './histogram.js';
import { count, countsOf, newTally, type Answered, type Dropped } from './meter.js';
import type { Counts, SecondRecord } from '../log/capacity-record.js';

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
