import type { OperationName, PlanName, RequirementId } from '../contract/types.js';
import type { OperationShare, Scenario } from '../scenario/scenario.js';
import type { Slice } from '../scenario/slice.js';

/** What became of the requests of one operation, or of a phase. */
export interface Counts {
  /** Put on the wire. */
  readonly sent: number;
  /** Answered as the operation answers when it did its work. */
  readonly served: number;
  /** Refused with 429 beyond the allowance: neither served nor an error. */
  readonly refused: number;
  /** 429 inside the allowance, 5xx, and no whole answer. */
  readonly errors: number;
  /** Answers that break a row of the ledger. */
  readonly violations: number;
  /** By status; "none" for what had no whole answer. */
  readonly byStatus: Readonly<Record<string, number>>;
}

/** What is left out of a scenario, and why. */
export interface LeftOut {
  readonly operation: OperationShare['operation'];
  readonly reason: string;
}

/** The scenario of a load run, as its log begins. */
export interface ScenarioRecord {
  readonly type: 'scenario';
  readonly scenario: Scenario;
  readonly slice: Slice;
  readonly keys: readonly PlanName[];
  readonly leftOut: readonly LeftOut[];
  /** When the first phase begins, Unix ms of this machine's clock. */
  readonly startAt: number;
  /** Of a part: the same moment by the clock that all parts share, and by how many ms this one missed it. */
  readonly together?: { readonly beginsAt: number; readonly lateMs: number };
}

/** What became of one of the parts that a run was put together from. */
export interface AgentRecord {
  readonly name: string;
  /** Which part it had, from 1 on. */
  readonly part: number;
  /** By how much the clock that all share is ahead of its own, and how well that is known, ms; null where nobody asked. */
  readonly offsetMs: number | null;
  readonly errorMs: number | null;
  readonly sent: number;
  readonly dropped: number;
  /** By how much it began late, ms. */
  readonly lateMs: number;
  readonly loopLagMs: number;
  readonly cpu: number;
  readonly saturated: boolean;
  /** Why its part is not all that it was to be, in words that go on from its name; null where it is. */
  readonly problem: string | null;
}

/** The parts that a run was put together from. */
export interface AgentsRecord {
  readonly type: 'agents';
  readonly agents: readonly AgentRecord[];
  /** Why the whole cannot be judged, as sentences without a full stop; empty where it can. */
  readonly problems: readonly string[];
}

/** One second of a load run: nothing of it is averaged away. */
export interface SecondRecord extends Counts {
  readonly type: 'second';
  readonly phase: string;
  /** Its end, Unix ms, and how long it was. */
  readonly at: number;
  readonly ms: number;
  readonly intended: number;
  readonly dropped: number;
  /** Latency from the intended time of sending, ms. */
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
  /** Of the generator: how late its event loop was at most (p99, ms), how much of the time it was busy (0 to 1), its share of a processor. */
  readonly lagMs: number;
  readonly busy: number;
  readonly cpu: number;
  /** Requests without an answer yet. */
  readonly underWay: number;
  /** How late what was sent left, at worst, ms. */
  readonly lateMs: number;
  /** The generator fell behind in this second. */
  readonly behind: boolean;
  /** Of a part: the histogram of its latencies, as text. */
  readonly latency?: string;
}

/** A kind of violation: the first in full, the rest counted. */
export interface ViolationCount {
  readonly requirement: RequirementId;
  readonly operation: OperationName;
  readonly message: string;
  /** The exchange of the first. */
  readonly exchange: string;
  readonly count: number;
}

/**
 * What an operation of a phase came to, with its histograms as text: from the intended and from the actual moment of
 * sending, and the least that the server can have taken.
 */
export interface OperationRecord extends Counts {
  readonly operation: OperationName;
  readonly latency: string;
  readonly service: string;
  readonly least: string;
  /** The same of errors only, which are among those above; absent where there was none. */
  readonly failed?: { readonly latency: string; readonly least: string };
}

/** What a phase came to. */
export interface CapacityPhaseRecord {
  readonly type: 'capacity-phase';
  readonly phase: string;
  readonly startedAt: number;
  readonly finishedAt: number;
  /** null in closed loop, where nothing is intended beforehand. */
  readonly intended: number | null;
  /** Not sent because the generator was late, and because it had no connection left. */
  readonly droppedLate: number;
  readonly droppedFull: number;
  /** Not sent because a 429 had asked the key to wait; absent where there was none. */
  readonly droppedHeld?: number;
  readonly operations: readonly OperationRecord[];
  readonly byKey: Readonly<Partial<Record<PlanName, number>>>;
  readonly violations: readonly ViolationCount[];
  /**
   * Since when the generator was saturated, ms after the phase's beginning, what it sent a second then, and its share of a
   * processor, which logs of earlier kits do not hold; null where it was not.
   */
  readonly saturated: {
    readonly fromMs: number;
    readonly perSecond: number;
    readonly cpu?: number;
    readonly agent?: string;
  } | null;
  /** Of the seconds: the highest lag (ms), and the mean share of a processor. */
  readonly lagMs: number;
  readonly cpu: number;
  /** It went to its end: neither interrupted nor aborted. */
  readonly whole: boolean;
  /** What is to be known of it, as sentences. */
  readonly remarks: readonly string[];
}

/** What a load run adds to a log. */
export type CapacityRecord = ScenarioRecord | AgentsRecord | SecondRecord | CapacityPhaseRecord;

/** All that a log holds of a load run. */
export interface CapacityLog {
  readonly scenario: ScenarioRecord;
  /** null where one process sent all of it. */
  readonly agents: AgentsRecord | null;
  readonly seconds: readonly SecondRecord[];
  readonly phases: readonly CapacityPhaseRecord[];
}
