import { setTimeout as sleep } from 'node:timers/promises';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { BEAT_MS, LOST_MS, namesIn, type AgentSeconds } from '../capacity/fleet/state.js';
import { now } from '../exchange/connection.js';
import { duration } from '../format/format.js';
import { type Part, sliceIn } from '../capacity/fleet/part.js';
import type { RedisLink } from '../capacity/fleet/redis.js';
import type { LogRecord, Obstacle } from '../log/record.js';
import { readLog } from '../log/read.js';
import { FILES } from '../log/files.js';
import { mergeSeconds } from '../capacity/fleet/merge-figures.js';
import type { SecondRecord } from '../log/capacity-record.js';
import type { Board } from './fleet-board.js';
import type { CapacityRunPlan } from './plan-run.js';

export interface FleetOptions {
  readonly link: RedisLink;
  readonly prefix: string;
  /** Time limit for agents to join, ms. */
  readonly waitMs: number;
  /** The run for one process, and its slices. */
  readonly whole: CapacityRunPlan;
  readonly slices: readonly CapacityRunPlan[];
  /** Text of the scenario's file. */
  readonly scenarioText: string;
  readonly readOnly: boolean;
  readonly secret: string | null;
  readonly directory: string;
  readonly signal: AbortSignal;
  /** Called with records to show during the run. */
  readonly onRecord: (record: LogRecord) => void;
  readonly say: (text: string) => void;
}

/** State of a distributed run: the reason for its early end, and its problems. */
export interface Course {
  ended: string | null;
  obstacle: Obstacle | null;
  readonly problems: string[];
  readonly lost: Map<number, string>;
  readonly parts: Map<number, Part>;
  beginsAt: number;
}

/** Extra time after the schedule's end for an agent's last responses and its log, ms. */
export const GRACE_MS = 15_000;
/** Is true if the run must not continue. */
export const isOver = (course: Course): boolean => course.ended !== null || course.obstacle !== null;

/** Marks agents as lost: silent for too long, or with a state that no agent wrote. */
export function markLost(board: Board, count: number, course: Course, afterMs: number): void {
  for (let index = 0; index < count; index += 1) {
    if (course.lost.has(index) || course.parts.has(index)) continue;
    if (board.isBroken(index)) course.lost.set(index, 'was lost: its entry in Redis was not written by an agent');
    else if (board.silentMs(index) > afterMs)
      course.lost.set(index, `was lost: it was silent for ${duration(afterMs)}, and no figure includes its requests`);
  }
}

/** Returns the obstacle of agents that could not start. */
export const agentsObstacle = (short: string, message: string, hint: string): Obstacle => ({
  code: 'agents',
  short,
  message,
  hint,
});

/** Factor of the allowed silence while an agent prepares. */
const PREPARING = 4;

const namesOf = (board: Board, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => board.of(index)?.name ?? '').filter(Boolean);

/** Waits until every slice has an agent. */
export async function gather({ slices, waitMs, say, link }: FleetOptions, board: Board, course: Course): Promise<void> {
  const until = now() + waitMs;
  let told = -1;
  while (!isOver(course)) {
    await board.beat();
    const here = namesOf(board, slices.length);
    if (here.length !== told)
      say(`${here.length} of ${slices.length} agents are connected${here.length > 0 ? `: ${here.join(', ')}` : ''}`);
    told = here.length;
    if (refusedBy(board, slices.length, course)) return;
    markLost(board, slices.length, course, Infinity);
    if (lostOne(board, course) || here.length === slices.length) return;
    if (now() > until)
      course.obstacle = agentsObstacle(
        'agents are missing',
        `${here.length} of ${slices.length} agents connected within ${duration(waitMs)}${here.length > 0 ? `: ${here.join(', ')}` : ''}.`,
        `Start more with petstore-conformance agent and the same Redis (${link.shown}) and prefix, or wait longer with --wait.`,
      );
    else await sleep(BEAT_MS);
  }
}

function refusedBy(board: Board, count: number, course: Course): boolean {
  for (let index = 0; index < count; index += 1) {
    const state = board.of(index);
    if (state?.step !== 'refused') continue;
    course.obstacle = agentsObstacle(
      'an agent refuses its part',
      `${state.name} ${state.reason ?? 'refuses its part'}.`,
      'Fix that on the machine of the agent, and start the agent again.',
    );
    return true;
  }
  return false;
}

/** Is true if an agent was lost before the first request, which prevents the run. */
function lostOne(board: Board, course: Course): boolean {
  const [[index, why] = []] = course.lost;
  if (index === undefined) return false;
  const name = board.of(index)?.name;
  course.obstacle = agentsObstacle(
    'an agent was lost',
    `part ${index + 1}${name === undefined ? '' : ` (${name})`} ${why}.`,
    'Start the agent again, and let no other program use that Redis.',
  );
  return true;
}

/** Runs preflight on all agents, each with its own key, and waits until each is ready. */
export async function prepare({ slices, whole }: FleetOptions, board: Board, course: Course): Promise<void> {
  if (isOver(course)) return;
  board.tell({ step: 'prepare' });
  const { timeoutMs } = whole.run.request.target.http;
  const until = now() + 2 * timeoutMs + GRACE_MS;
  while (!isOver(course)) {
    await board.beat();
    const steps = slices.map((_, index) => board.of(index)?.step);
    if (refusedBy(board, slices.length, course)) return;
    if (steps.every((step) => step === 'ready')) return;
    // Its preflight found an obstacle, which its log has.
    if (steps.includes('done')) {
      course.ended = 'a part could not start';
      return;
    }
    markLost(board, slices.length, course, PREPARING * LOST_MS);
    if (lostOne(board, course)) return;
    if (now() > until) {
      course.problems.push('not all agents were ready in time');
      course.ended = 'not all agents were ready';
      return;
    }
    await sleep(BEAT_MS);
  }
}

/** Largest log in bytes: the first violations in full, and for each second its figures and histogram. */
const MOST_BYTES = 16 * 2 ** 20;
const MOST_BYTES_A_SECOND = 8 * 2 ** 10;

/**
 * Moves the result of a slice from Redis into a folder, as `load --slice` would leave it; null if it is not there yet. Throws
 * an Error for data that no agent of this run wrote.
 */
export async function takeResult({ control }: RedisLink, place: ResultPlace): Promise<Part | null> {
  const { prefix, run, index, count, name, directory, seconds } = place;
  const most = MOST_BYTES + MOST_BYTES_A_SECOND * seconds;
  const text = await control.getrange(namesIn(prefix).result(run, index), 0, most);
  if (text === '') return null;
  if (text.length > most) throw new RangeError('it is too large for a log of this run');
  const folder = join(directory, 'parts', String(index + 1));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, FILES.log);
  writeFileSync(file, gunzipSync(Buffer.from(text, 'base64'), { maxOutputLength: most }));
  const log = await readLog(file);
  const slice = sliceIn(log);
  if (count > 1 && (slice?.index !== index || slice.count !== count))
    throw new RangeError('it belongs to another part');
  return { name, log };
}

interface ResultPlace {
  readonly prefix: string;
  readonly run: string;
  readonly index: number;
  readonly count: number;
  /** Length of the run. */
  readonly seconds: number;
  readonly name: string;
  readonly directory: string;
}

/** Merges the seconds of all agents during the run. */
interface LiveSeconds {
  /** Adds an agent's seconds. */
  add(index: number, startAt: number, seconds: AgentSeconds): void;
  /** Returns the merged seconds that are due, each once. */
  take(elapsedMs: number): readonly SecondRecord[];
}

/** Time after a second's end until all agents' figures are due in the live view, ms. */
const SETTLED_MS = 1500;

/** Starts without seconds. @param startAt start of the run by this machine's clock, Unix ms */
export function liveSeconds(startAt: number): LiveSeconds {
  const seen = new Map<number, number>();
  let waiting: { readonly index: number; readonly startAt: number; readonly second: SecondRecord }[] = [];
  return {
    add(index, startAt, seconds) {
      for (const second of seconds) {
        if (second.at <= (seen.get(index) ?? 0)) continue;
        seen.set(index, second.at);
        waiting.push({ index, startAt, second });
      }
    },
    take(elapsedMs) {
      const isDue = (one: (typeof waiting)[number]): boolean =>
        one.second.at - one.startAt <= Math.floor((elapsedMs - SETTLED_MS) / 1000) * 1000 + SETTLED_MS / 3;
      const due = waiting.filter(isDue);
      waiting = waiting.filter((one) => !isDue(one));
      return mergeSeconds(
        due.map((one) => ({ startAt: one.startAt, seconds: [one.second] })),
        startAt,
      );
    },
  };
}
