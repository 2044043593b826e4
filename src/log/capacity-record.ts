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
import { isHistogram } from './histogram.js';
import { redacted } from '../wire/exchange/redaction.js';
import { long, operation, plan, requirement, told } from '../wire/exchange/shapes.js';
import { SCENARIO } from '../wire/scenario/scenario.js';

/** Formats checked beyond a text's length. */
export const FORMATS = { histogram: isHistogram };

/** An HdrHistogram as text. */
const histogram = refined(long, { format: 'histogram' });

/** Counts of the requests of one operation, or of one phase. */
export type Counts = Of<typeof counts>;
const COUNTS = {
  /** Put on the wire. */
  sent: count,
  /** Successful responses: the operation did its work. */
  served: count,
  /** 429 beyond the allowance: neither served nor an error. */
  refused: count,
  /** 429 inside the allowance, 5xx, or no complete response. */
  errors: count,
  /** Responses that violate a row of the ledger. */
  violations: count,
  /** By status code; "none" without a complete response. */
  byStatus: map(count),
};
const counts = object(COUNTS);

export type LeftOut = Of<typeof leftOut>;
const leftOut = object({
  operation,
  /** Its journey; absent for a single request. */
  journey: optional(redacted(text())),
  reason: long,
});

export type AgentRecord = Of<typeof agent>;
const agent = object({
  name: redacted(text()),
  /** Number of the part, from 1. */
  part: count,
  /** Lead of the shared clock over this part's clock, and its uncertainty, ms; null where not measured. */
  offsetMs: orNull(number),
  errorMs: orNull(number),
  sent: count,
  dropped: count,
  /** Delay of the start, ms. */
  lateMs: number,
  loopLagMs: number,
  cpu: number,
  saturated: truth,
  /** Reason why the part is incomplete, worded to follow its name; null where it is complete. */
  problem: orNull(told),
});

/** Latencies in a second, ms. */
const ofTimes = {
  p50: number,
  p95: number,
  p99: number,
  /** Of a part: latency histogram. */
  latency: optional(histogram),
};

/** Successful responses and latencies of one operation in a second, ms. */
const secondOfOperation = object({
  operation,
  served: count,
  ...ofTimes,
});

export type SecondOfJourney = Of<typeof secondOfJourney>;
/** Finished journeys of one kind and responses to their steps in a second, with their latencies, ms. */
const secondOfJourney = object({
  journey: redacted(text()),
  finished: count,
  ...ofTimes,
  steps: list(object({ operation, served: count, ...ofTimes })),
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
  /** By operation; absent in older logs, and in what agents send live. */
  operations: optional(list(secondOfOperation)),
  /** Absent without journeys, and in older logs. */
  journeys: optional(list(secondOfJourney)),
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
  /** Of a part: latency histogram. */
  latency: optional(histogram),
});

export type ViolationCount = Of<typeof violation>;
const violation = object({
  requirement,
  operation,
  message: told,
  /** The exchange of the first. */
  exchange: text(),
  count,
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
  /** Histograms of errors only, which the ones above include; absent without errors. */
  failed: optional(object({ latency: histogram, least: histogram })),
});

export type JourneyRecord = Of<typeof journeyRecord>;
/** Journeys of one kind in a phase. Latencies from intended times. */
const journeyRecord = object({
  journey: redacted(text()),
  started: count,
  /** Ended with their last step. */
  finished: count,
  /** Ended because no listing showed the animal. */
  notShown: count,
  /** Of whole journeys, with the time to think. */
  latency: histogram,
  steps: list(object({ operation, latency: histogram })),
});

export type FindStep = Of<typeof findStep>;
/** One step of a search for the highest rate. */
const findStep = object({
  /** Name of its phase. */
  phase: redacted(text()),
  /** `warm`: not judged. `again`: a lower rate once more, to see whether the server got worse meanwhile. */
  role: text<'warm' | 'climb' | 'bisect' | 'confirm' | 'again'>(),
  /** Arrivals per second. */
  perSecond: number,
  seconds: number,
  sent: count,
  /** Successful responses per second. */
  throughput: number,
  /** In ms, from the intended time of sending. */
  p50: number,
  p99: number,
  /** Share of requests with an error, 0 to 1. */
  errors: number,
  /** `generator`: the generator was the bottleneck, so that the step says nothing about the server. */
  outcome: text<'holds' | 'misses' | 'generator'>(),
  /** What missed, as clauses; empty where the step holds. */
  reasons: list(told),
});

export type FindAnswer = Of<typeof findAnswer>;
/** Answer of a search. `perSecond` is the rate that it names, in arrivals per second. */
const findAnswer = object({
  /**
   * `found`: the highest rate that holds. `bound`: the highest rate that was allowed holds. `none`: even the lowest rate
   * misses. `worse`: the server got worse during the search. `unsteady`: no rate held for long. `generator`: it was the
   * bottleneck. `ended`: the search was interrupted.
   */
  kind: text<'found' | 'bound' | 'none' | 'worse' | 'unsteady' | 'generator' | 'ended'>(),
  perSecond: number,
});

export const CAPACITY_RECORDS = {
  /** Result of a search for the highest rate that holds some conditions. */
  find: object({
    conditions: list(text()),
    /** Highest rate that was tried, and why no higher one: an option, or the plans of the keys. */
    most: number,
    mostIs: text<'option' | 'plan'>(),
    /** Requests that a step needs for its conditions. */
    samples: count,
    steps: list(findStep),
    answer: findAnswer,
  }),
  /** Scenario of a load run, at the beginning of its log. */
  scenario: object({
    scenario: SCENARIO,
    slice: object({ index: count, count }),
    keys: list(plan),
    leftOut: list(leftOut),
    /** Processors and memory of the machine that sent; of a whole, each kind once. Absent in older logs. */
    machine: optional(text()),
    /** Start of the first phase, Unix ms of this machine's clock. */
    startAt: moment,
    /** Of a part: the same start by the shared clock, and how late this part began, ms. */
    together: optional(object({ beginsAt: moment, lateMs: number })),
  }),
  agents: object({
    agents: list(agent),
    /** Reasons why the whole cannot be judged, as sentences without a full stop; empty where it can. */
    problems: list(told),
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
    /** Part of `droppedLate`: this machine could not connect, by the system's error code; absent where it always could. */
    exhausted: optional(list(object({ cause: text(), count }))),
    operations: list(operationRecord),
    byKey: loose<Readonly<Partial<Record<PlanName, number>>>>(map(count)),
    violations: list(violation),
    /**
     * Start of the generator's saturation, ms after the phase began, with requests per second and share of a processor
     * then (absent in older logs). null without saturation.
     */
    saturated: orNull(object({ fromMs: number, perSecond: number, cpu: optional(number), agent: optional(text()) })),
    /** Highest lag of any second (ms), and mean share of a processor. */
    lagMs: number,
    cpu: number,
    /** Completed: neither interrupted nor aborted. */
    whole: truth,
    /** Remarks for the reader, as sentences. */
    remarks: list(told),
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
  /** Search for the highest rate; absent in any other load run. */
  readonly find?: FindRecord;
}
