import type { Part } from '../capacity/fleet/part.js';
import type { RedisLink } from '../capacity/fleet/redis.js';
import type { LogRecord, Obstacle } from '../log/record.js';
import type { Board } from './fleet-board.js';
import type { CapacityRunPlan } from './plan-capacity-run.js';
import { duration } from '../format/format.js';

/** What a run of several machines is made of. */
export interface FleetOptions {
  readonly link: RedisLink;
  readonly prefix: string;
  /** How long agents may take to come, ms. */
  readonly waitMs: number;
  /** The run as one process would run it, and its slices. */
  readonly whole: CapacityRunPlan;
  readonly slices: readonly CapacityRunPlan[];
  /** The text of the scenario's file. */
  readonly scenarioText: string;
  readonly readOnly: boolean;
  readonly secret: string | null;
  readonly directory: string;
  readonly signal: AbortSignal;
  /** Told what is to be shown while it runs. */
  readonly onRecord: (record: LogRecord) => void;
  readonly say: (text: string) => void;
}

/** Why a run of several ended before its end, as far as anybody ended it, and what is wrong with it. */
export interface Course {
  ended: string | null;
  obstacle: Obstacle | null;
  readonly problems: string[];
  readonly lost: Map<number, string>;
  readonly parts: Map<number, Part>;
  beginsAt: number;
}

/** What an agent may take beyond the schedule's end for its last answers and its log, ms. */
export const GRACE_MS = 15_000;
/** Whether it is to go no further. */
export const isOver = (course: Course): boolean => course.ended !== null || course.obstacle !== null;

/** Takes for lost whoever was not heard of for so long, and whose place in Redis holds what no agent has written. */
export function markLost(board: Board, count: number, course: Course, afterMs: number): void {
  for (let index = 0; index < count; index += 1) {
    if (course.lost.has(index) || course.parts.has(index)) continue;
    if (board.isBroken(index)) course.lost.set(index, 'was lost: its place in Redis holds what no agent has written');
    else if (board.silentMs(index) > afterMs)
      course.lost.set(
        index,
        `was lost: nothing was heard of it for ${duration(afterMs)}, and what it sent is in no figure`,
      );
  }
}
