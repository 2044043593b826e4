import {
  count,
  list,
  loose,
  map,
  optional,
  moment,
  number,
  object,
  oneOf,
  orNull,
  refined,
  text,
  truth,
  type Of,
  type Tagged,
} from '../base/kernel/shape.js';
import type { PlanName } from '../base/interface/types.js';
import { AGENT, COUNTS, EXHAUSTED, FAILURE, FIND, SATURATED, STOPPED, VIOLATION } from './load-shapes.js';
import { isHistogram } from './histogram.js';
import { redacted } from '../wire/exchange/redaction.js';
import { long, operation, plan, redactedText } from '../wire/exchange/shapes.js';
import { SCENARIO } from '../wire/scenario/scenario.js';

/** Formats checked beyond a text's length. */
export const FORMATS = { histogram: isHistogram };

const histogram = refined(long, { format: 'histogram' });

export type LeftOut = Of<typeof leftOut>;
const leftOut = object({
  operation,
  /** Its journey; absent for a single request. */
  journey: optional(redacted(text())),
  reason: long,
});

/** Of a part: histograms of latency, and of that of what was not served; the latter absent without any. */
const TIMES_OF_PART = { latency: optional(histogram), failed: optional(histogram) };

/**
 * Successful responses and latencies in a second, ms: of an operation, of a step of a journey, or of finished
 * journeys.
 */
const secondOfSubject = object({
  /** Of a journey, its first. */
  operation,
  journey: optional(redacted(text())),
  /** Place in the journey, from 1; absent for a whole one. */
  step: optional(count),
  served: count,
  p50: number,
  p95: number,
  p99: number,
  ...TIMES_OF_PART,
});

/** One second of a load run, which agents also send live. Nothing in it is averaged. */
export const SECOND = object({
  ...COUNTS,
  type: oneOf(['second']),
  phase: redacted(text()),
  /** End of the second, Unix ms, and its length. */
  at: moment,
  ms: number,
  intended: count,
  dropped: count,
  /** Latency from the intended send time, ms. */
  p50: number,
  p90: number,
  /** Absent in older logs. */
  p95: optional(number),
  p99: number,
  max: number,
  /** Absent in older logs, and in what agents send live. */
  operations: optional(list(secondOfSubject)),
  /** Of the generator: event-loop lag (p99, ms), busy share (0 to 1), share of a processor. */
  lagMs: number,
  busy: number,
  cpu: number,
  /** Requests still without a response. */
  underWay: count,
  /** Longest delay of a sent request, ms. */
  lateMs: number,
  /** The generator fell behind in this second. */
  behind: truth,
  /**
   * Of a part that shares keys with others: what it sent with each, and the 429s (counted in `refused`) that
   * only all parts together decide on.
   */
  keyUse: optional(
    list(
      object({
        key: plan,
        sent: count,
        undecided: list(object({ operation, phase: redacted(text()), count })),
      }),
    ),
  ),
  ...TIMES_OF_PART,
});

export type OperationRecord = Of<typeof operationRecord>;
const operationRecord = object({
  ...COUNTS,
  operation,
  /** Successful responses within the phase's time, also to requests of an earlier phase; absent in older logs. */
  inTime: optional(count),
  latency: histogram,
  service: histogram,
  least: histogram,
  /** Histograms of what was not served, which the ones above include; absent without any. */
  failed: optional(object({ latency: histogram, service: optional(histogram), least: histogram })),
});

export type JourneyRecord = Of<typeof journeyRecord>;
/** Latencies from intended times. */
const journeyRecord = object({
  journey: redacted(text()),
  started: count,
  /** Ended with their last step. */
  finished: count,
  /** Ended because no listing showed the animal. */
  notShown: count,
  /** Of whole journeys, with the time to think. */
  latency: histogram,
  /** Of what was not served in `failed`, which `latency` includes; absent without any. */
  steps: list(object({ operation, latency: histogram, failed: optional(histogram) })),
});

export const CAPACITY_RECORDS = {
  find: FIND,
  /** Scenario of a load run, at the beginning of its log. */
  scenario: object({
    scenario: SCENARIO,
    slice: object({ index: count, count }),
    keys: list(plan),
    leftOut: list(leftOut),
    /** Processors and memory of the machine that sent; of a whole, each kind once. Absent in older logs. */
    machine: optional(text()),
    /** Of a part: the keys that it shares with other parts, their limits, and earlier requests. */
    sharedKeys: optional(
      list(object({ key: plan, perMinute: count, perDay: count, windowMs: number, earlier: count })),
    ),
    /** Start of the first phase, Unix ms of this machine's clock. */
    startAt: moment,
    /** Of a part: the same start by the shared clock, and how late this part began, ms. */
    together: optional(object({ beginsAt: moment, lateMs: number })),
  }),
  agents: object({
    agents: list(AGENT),
    /** Reasons why the whole cannot be judged, as sentences without a full stop; empty where it can. */
    problems: list(redactedText),
  }),
  second: SECOND,
  'capacity-phase': object({
    phase: redacted(text()),
    startedAt: moment,
    finishedAt: moment,
    /** null in closed loop, which has no intended send times. */
    intended: orNull(count),
    /** Not sent: the generator was late, or had no free connection. */
    droppedLate: count,
    droppedFull: count,
    /** Not sent: a 429 required the key to wait; absent where none. */
    droppedHeld: optional(count),
    /** Part of the intended: later requests of journeys; absent where none. */
    followed: optional(count),
    /** Absent without journeys. */
    journeys: optional(list(journeyRecord)),
    /** Part of the sent: repeats of requests that were lost with their connection; absent where none. */
    again: optional(count),
    /** Listings with fewer than half of the animals that they should show by preflight's; absent where none. */
    shortPages: optional(count),
    /**
     * Part of `droppedLate`: this machine could not connect, by the system's error code; absent where it
     * always could.
     */
    exhausted: optional(list(EXHAUSTED)),
    /** Requests without a complete response, by cause; absent without any, and in older logs. */
    causes: optional(list(FAILURE)),
    /**
     * Of a closed loop: times in which it waited and no response came, longer than 200 ms and than ten median
     * latencies, without those in which this machine stood still; ms from the start. Absent in any other.
     */
    gaps: optional(list(object({ atMs: number, ms: number }))),
    /** No response came any more before the end of the phase; absent where some did. */
    stopped: optional(STOPPED),
    /** How long this machine stood still, ms; absent where it did not. Of a whole, the longest of a part. */
    stoodMs: optional(number),
    /** Of a whole, the part whose machine it was. */
    stoodBy: optional(redacted(text())),
    operations: list(operationRecord),
    byKey: loose<Readonly<Partial<Record<PlanName, number>>>>(map(count)),
    violations: list(VIOLATION),
    saturated: orNull(SATURATED),
    /** Highest lag of any second (ms), and mean share of a processor. */
    lagMs: number,
    cpu: number,
    /** Completed: neither interrupted nor aborted. */
    whole: truth,
    /** Remarks for the reader, as sentences. */
    remarks: list(redactedText),
  }),
};

type CapacityRecords = Tagged<typeof CAPACITY_RECORDS>;
export type ScenarioRecord = CapacityRecords['scenario'];
export type AgentsRecord = CapacityRecords['agents'];
export type SecondRecord = CapacityRecords['second'];
export type CapacityPhaseRecord = CapacityRecords['capacity-phase'];

export type FindRecord = CapacityRecords['find'];

export interface CapacityLog {
  readonly scenario: ScenarioRecord;
  /** null where one process sent everything. */
  readonly agents: AgentsRecord | null;
  readonly seconds: readonly SecondRecord[];
  readonly phases: readonly CapacityPhaseRecord[];
  readonly find?: FindRecord;
}
