import { setTimeout as sleep } from 'node:timers/promises';
import { abortWatch } from '../capacity/thresholds.js';
import { askOffset, bullmq } from '../capacity/fleet/redis.js';
import type { Queue } from 'bullmq';
import { jobFor } from '../capacity/fleet/order.js';
import { mergeParts, type Sender } from '../capacity/fleet/merge.js';
import { BEAT_MS, LOST_MS, namesIn, QUEUE } from '../capacity/fleet/state.js';
import { ABORTED } from '../capacity/results.js';
import type { ScenarioRecord } from '../log/capacity-record.js';
import { WHOLE } from '../scenario/slice.js';
import { now } from '../exchange/connection.js';
import type { LogHeader, LogRecord } from '../log/record.js';
import { headerOf } from '../log/header.js';
import { duration } from '../format/format.js';
import { cut } from '../format/visible.js';
import { boardOf, type Board } from './fleet-board.js';
import {
  agentsObstacle,
  GRACE_MS,
  isOver,
  markLost,
  type Course,
  type FleetOptions,
  gather,
  prepare,
  liveSeconds,
  takeResult,
} from './fleet-course.js';
import type { CapacityRunPlan } from './plan-run.js';
import { UsageError } from '../contract/errors.js';
import { kit } from '../contract/package.js';

/** Lead of the announced start, ms: several beats, so all agents receive it. */
const LEAD_MS = 8 * BEAT_MS;
/** Time to wait for results after a stop, ms. */
const STOP_MS = 3000;
/** This timer does not keep the process alive. */
const NOT_WAITED_FOR = { ref: false };
/** Longest time without Redis, ms: agents have stopped by then. */
const MOST_AWAY_MS = 2 * LOST_MS;

/**
 * Distributes a scenario's slices to agents, starts them at one moment, and returns the merged log. Names an agent that is
 * lost, late or slow, which makes the whole inconclusive. Throws UsageError if another coordinator is active.
 */
export async function runFleet(options: FleetOptions): Promise<readonly LogRecord[]> {
  const { link, prefix, whole, slices, signal } = options;
  const { request } = whole.run;
  const names = namesIn(prefix);
  if ((await link.control.set(names.lock, request.run, 'PX', LOST_MS, 'NX')) !== 'OK')
    throw new UsageError(
      'agents-in-use',
      `Another run uses the agents at ${link.shown} (${prefix}).`,
      `Wait for its end, or use another --redis-prefix for agents and run. A killed run frees its agents after ${duration(LOST_MS)}. Nothing was sent.`,
    );
  const { Queue: Handing } = await bullmq();
  const queue = new Handing(QUEUE, { connection: link.queue, prefix, skipMetasUpdate: true });
  queue.on('error', () => undefined);
  const board = boardOf(options, request.run, slices.length);
  const course: Course = {
    ended: null,
    obstacle: null,
    problems: [],
    lost: new Map(),
    parts: new Map(),
    beginsAt: 0,
  };
  const onAbort = (): void => {
    course.ended ??= 'interrupted';
    board.tell({ step: 'stop' });
  };
  signal.addEventListener('abort', onAbort);
  const header = headerOf(request);
  options.onRecord(header);
  try {
    await board.beat();
    await handOut(queue, options, course);
    await gather(options, board, course);
    await prepare(options, board, course);
    await send(options, board, course);
    await stop(options, board, course);
  } finally {
    signal.removeEventListener('abort', onAbort);
    await Promise.race([
      queue.obliterate({ force: true }).catch(() => undefined),
      sleep(LOST_MS, undefined, NOT_WAITED_FOR),
    ]);
    await board.close();
    await Promise.race([queue.close(), sleep(BEAT_MS, undefined, NOT_WAITED_FOR)]);
  }
  return recordsOf(options, header, board, course);
}

/** Queues the slices for the agents. */
async function handOut(queue: Queue, options: FleetOptions, course: Course): Promise<void> {
  const { request } = options.whole.run;
  const issuedAt = Date.now();
  const { scenarioText: scenario, readOnly, secret } = options;
  const common = { kit: kit().version, run: request.run, target: request.target, scenario, readOnly, secret, issuedAt };
  const jobs = options.slices.map(({ capacity: { slice, keys } }) => ({
    name: 'slice',
    data: jobFor({ ...common, slice, keys, expiresAt: issuedAt + options.waitMs + GRACE_MS }),
    opts: { jobId: `${request.run}-${slice.index}`, attempts: 1, removeOnComplete: true, removeOnFail: true },
  }));
  try {
    // Removes jobs of a killed coordinator.
    await queue.obliterate({ force: true });
    await queue.addBulk(jobs);
  } catch (error) {
    course.obstacle = agentsObstacle(
      'Redis rejects the parts',
      `Redis rejects the parts (${cut((error as Error).message, 200).text}).`,
      `Check the keys under ${options.prefix} in Redis, or use another --redis-prefix.`,
    );
  }
}

/** Announces the start, merges all agents' seconds, and collects their results. */
async function send(options: FleetOptions, board: Board, course: Course): Promise<void> {
  const { slices, whole, link, onRecord } = options;
  const { capacity } = whole;
  if (isOver(course)) return;
  const { offsetMs } = await askOffset(link.control);
  const startAt = now() + LEAD_MS;
  course.beginsAt = startAt + offsetMs;
  board.tell({ step: 'go', beginsAt: course.beginsAt });
  onRecord(scenarioRecord(whole, startAt));
  const live = liveSeconds(startAt);
  const abort = abortWatch(capacity.scenario.abort);
  const lengthMs = capacity.phases.at(-1)?.endMs ?? 0;
  const until = startAt + lengthMs + whole.run.request.target.http.timeoutMs + GRACE_MS;
  let away = LOST_MS / 5;
  while (!isOver(course)) {
    await board.beat();
    if (board.longestAwayMs() > away) {
      away = board.longestAwayMs();
      options.say(
        `Redis was unreachable for ${duration(away)}; agents continue without it for up to ${duration(LOST_MS)}`,
      );
    }
    slices.forEach((_, index) => {
      const state = board.of(index);
      if (state && state.startAt > 0) live.add(index, state.startAt, board.secondsOf(index));
    });
    for (const second of live.take(now() - startAt)) {
      onRecord(second);
      const why = abort(second);
      if (why !== null) course.ended ??= `${ABORTED}${why}`;
    }
    await takeResults(options, board, course);
    markLost(board, slices.length, course, LOST_MS);
    if (course.parts.size + course.lost.size >= slices.length) return;
    if (board.awayMs() > MOST_AWAY_MS) {
      course.problems.push('Redis became unreachable and did not come back');
      course.ended = 'Redis became unreachable';
    }
    if (now() > until) return;
    await sleep(BEAT_MS);
  }
}

/** Collects finished results; an unreadable one counts as lost. */
async function takeResults(
  { link, prefix, slices, directory, whole }: FleetOptions,
  board: Board,
  course: Course,
): Promise<void> {
  for (const index of slices.keys()) {
    const state = board.of(index);
    if (state?.step !== 'done' || course.parts.has(index) || course.lost.has(index)) continue;
    try {
      const { run } = whole.run.request;
      const seconds = (whole.capacity.phases.at(-1)?.endMs ?? 0) / 1000;
      const place = { prefix, run, index, count: slices.length, seconds, name: state.name, directory };
      const part = await takeResult(link, place);
      if (!part) continue;
      course.parts.set(index, part);
      board.received(index);
    } catch (error) {
      // Missing Redis is temporary; an unreadable log is not.
      if (board.awayMs() < BEAT_MS * 2)
        course.lost.set(index, `returned an unreadable log (${(error as Error).message})`);
    }
  }
}

/** Stops all agents, and collects their results so far. */
async function stop(options: FleetOptions, board: Board, course: Course): Promise<void> {
  const { slices } = options;
  board.tell({ step: 'stop' });
  const joined = slices.filter((_, index) => board.of(index) !== null && board.of(index)?.step !== 'refused').length;
  const until = now() + STOP_MS;
  for (
    let beats = 0;
    beats < 2 || (course.parts.size + course.lost.size < joined && now() < until && hasBegun(board, slices.length));
    beats += 1
  ) {
    await board.beat();
    await takeResults(options, board, course);
    await sleep(BEAT_MS);
  }
  await board.beat();
  slices.forEach((_, index) => {
    if (
      hasBegun(board, slices.length) &&
      board.of(index) !== null &&
      !course.parts.has(index) &&
      !course.lost.has(index)
    )
      course.lost.set(
        index,
        course.ended === null ? 'was too slow and returned no log' : 'returned no log when all were stopped',
      );
  });
}

/** True if any agent has sent requests that a log contains. */
const hasBegun = (board: Board, count: number): boolean =>
  Array.from({ length: count }, (_, index) => board.of(index)?.step).some(
    (step) => step === 'preparing' || step === 'ready' || step === 'sending' || step === 'done',
  );

const scenarioRecord = ({ capacity }: CapacityRunPlan, startAt: number): ScenarioRecord => ({
  type: 'scenario',
  scenario: capacity.scenario,
  slice: WHOLE,
  keys: capacity.keys,
  leftOut: capacity.leftOut,
  startAt,
});

/** Sender of a part known only by its place in Redis. */
const NOBODY = { name: null, offsetMs: null, errorMs: null };

function recordsOf(
  { whole, slices }: FleetOptions,
  header: LogHeader,
  board: Board,
  course: Course,
): readonly LogRecord[] {
  const senders = new Map<number, Sender>(
    slices.flatMap((_, index) => {
      const problem = course.lost.get(index) ?? null;
      const { name, offsetMs, errorMs } = board.of(index) ?? NOBODY;
      return name === null && problem === null ? [] : [[index, { name, offsetMs, errorMs, problem }]];
    }),
  );
  return mergeParts(course.parts, {
    header,
    scenario: whole.capacity.scenario,
    count: slices.length,
    beginsAt: course.beginsAt,
    ended: course.ended,
    problems: course.problems,
    senders,
    ...(course.obstacle && { obstacle: course.obstacle }),
  });
}
