import type { OperationName, PlanName, RequirementId } from '../contract/types.js';
import type { OperationShare, Scenario } from '../scenario/scenario.js';
import type { Slice } from '../scenario/slice.js';

/** Counts of the requests of one operation, or of one phase. */
export interface Counts {
  /** Put on the wire. */
  readonly sent: number;
  /** Successful responses: the operation did its work. */
  readonly served: number;
  /** 429 beyond the allowance: neither served nor an error. */
  readonly refused: number;
  /** 429 inside the allowance, 5xx, or no complete response. */
  readonly errors: number;
  /** Responses that violate a row of the ledger. */
  readonly violations: number;
  /** By status code; "none" without a complete response. */
  readonly byStatus: Readonly<Record<string, number>>;
}

/** An operation left out of a scenario, and the reason. */
export interface LeftOut {
  readonly operation: OperationShare['operation'];
  readonly reason: string;
}

/** Scenario of a load run, at the beginning of its log. */
export interface ScenarioRecord {
  readonly type: 'scenario';
  readonly scenario: Scenario;
  readonly slice: Slice;
  readonly keys: readonly PlanName[];
  readonly leftOut: readonly LeftOut[];
  /** Start of the first phase, Unix ms of this machine's clock. */
  readonly startAt: number;
  /** Of a part: the same start by the shared clock, and how late this part began, ms. */
  readonly together?: { readonly beginsAt: number; readonly lateMs: number };
}

export interface AgentRecord {
  readonly name: string;
  /** Number of the part, from 1. */
  readonly part: number;
  /** Lead of the shared clock over this part's clock, and its uncertainty, ms; null where not measured. */
  readonly offsetMs: number | null;
  readonly errorMs: number | null;
  readonly sent: number;
  readonly dropped: number;
  /** Delay of the start, ms. */
  readonly lateMs: number;
  readonly loopLagMs: number;
  readonly cpu: number;
  readonly saturated: boolean;
  /** Reason why the part is incomplete, worded to follow its name; null where it is complete. */
  readonly problem: string | null;
}

export interface AgentsRecord {
  readonly type: 'agents';
  readonly agents: readonly AgentRecord[];
  /** Reasons why the whole cannot be judged, as sentences without a full stop; empty where it can. */
  readonly problems: readonly string[];
}

/** One second of a load run. Nothing in it is averaged. */
export interface SecondRecord extends Counts {
  readonly type: 'second';
  readonly phase: string;
  /** End of the second, Unix ms, and its length. */
  readonly at: number;
  readonly ms: number;
  readonly intended: number;
  readonly dropped: number;
  /** Latency from the intended send time, ms. */
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
  /** Of the generator: event-loop lag (p99, ms), busy share (0 to 1), share of a processor. */
  readonly lagMs: number;
  readonly busy: number;
  readonly cpu: number;
  /** Requests still without a response. */
  readonly underWay: number;
  /** Longest delay of a sent request, ms. */
  readonly lateMs: number;
  /** The generator fell behind in this second. */
  readonly behind: boolean;
  /** Of a part: latency histogram, as text. */
  readonly latency?: string;
}

/** One kind of violation: the first in full, the rest counted. */
export interface ViolationCount {
  readonly requirement: RequirementId;
  readonly operation: OperationName;
  readonly message: string;
  /** The exchange of the first. */
  readonly exchange: string;
  readonly count: number;
}

/**
 * Results of an operation in a phase, with histograms as text: latency from the intended and from the actual send time, and
 * the server's least possible time.
 */
export interface OperationRecord extends Counts {
  readonly operation: OperationName;
  readonly latency: string;
  readonly service: string;
  readonly least: string;
  /** Histograms of errors only, which the ones above include; absent without errors. */
  readonly failed?: { readonly latency: string; readonly least: string };
}

export interface CapacityPhaseRecord {
  readonly type: 'capacity-phase';
  readonly phase: string;
  readonly startedAt: number;
  readonly finishedAt: number;
  /** null in closed loop, which has no intended send times. */
  readonly intended: number | null;
  /** Not sent: the generator was late, or had no free connection. */
  readonly droppedLate: number;
  readonly droppedFull: number;
  /** Not sent: a 429 required the key to wait; absent where none. */
  readonly droppedHeld?: number;
  readonly operations: readonly OperationRecord[];
  readonly byKey: Readonly<Partial<Record<PlanName, number>>>;
  readonly violations: readonly ViolationCount[];
  /**
   * Start of the generator's saturation, ms after the phase began, with requests per second and share of a processor then
   * (absent in older logs). null without saturation.
   */
  readonly saturated: {
    readonly fromMs: number;
    readonly perSecond: number;
    readonly cpu?: number;
    readonly agent?: string;
  } | null;
  /** Highest lag of any second (ms), and mean share of a processor. */
  readonly lagMs: number;
  readonly cpu: number;
  /** Completed: neither interrupted nor aborted. */
  readonly whole: boolean;
  /** Remarks for the reader, as sentences. */
  readonly remarks: readonly string[];
}

/** Records that a load run adds to a log. */
export type CapacityRecord = ScenarioRecord | AgentsRecord | SecondRecord | CapacityPhaseRecord;

export interface CapacityLog {
  readonly scenario: ScenarioRecord;
  /** null where one process sent everything. */
  readonly agents: AgentsRecord | null;
  readonly seconds: readonly SecondRecord[];
  readonly phases: readonly CapacityPhaseRecord[];
}
