import { setTimeout as sleep } from 'node:timers/promises';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { abortWatch } from '../loadkit/thresholds.js';
import { askOffset, bullmq, type RedisLink } from '../loadkit/fleet/redis.js';
import { jobFor } from '../loadkit/fleet/order.js';
import { mergeParts, type Sender } from '../loadkit/fleet/merge.js';
import { liveSeconds } from '../loadkit/fleet/merge-figures.js';
import { type Part, sliceIn } from '../loadkit/fleet/part.js';
import { BEAT_MS, LOST_MS, namesIn, QUEUE } from '../loadkit/fleet/state.js';
import { WHOLE } from '../wire/scenario/slice.js';
import { now } from '../wire/exchange/connection.js';
import type { LogRecord, Obstacle } from '../log/record.js';
import { headerOf } from '../log/header.js';
import { readLog } from '../log/read.js';
import { FILES } from '../log/files.js';
import { duration } from '../base/kernel/format.js';
import { cut } from '../base/kernel/visible.js';
import { boardOf } from './fleet-board.js';
import type { CapacityRunPlan } from './plan-run.js';
import { UsageError } from '../base/kernel/errors.js';
import { kit } from '../base/kernel/package.js';

interface FleetOptions {
  readonly link: RedisLink;
  readonly prefix: string;
  /** Time limit for agents to join, ms. */
  readonly waitMs: number;
  readonly whole: CapacityRunPlan;
  readonly slices: readonly CapacityRunPlan[];
  readonly scenarioText: string;
  readonly readOnly: boolean;
  readonly secret: string | null;
  readonly directory: string;
  readonly signal: AbortSignal;
  readonly onRecord: (record: LogRecord) => void;
  readonly say: (text: string) => void;
}

/** Lead of the announced start, ms: several beats, so all agents receive it. */
const LEAD_MS = 8 * BEAT_MS;
/** Extra time after the schedule's end for an agent's last responses and its log, ms. */
const GRACE_MS = 15_000;
/** Time to wait for results after a stop, ms. */
const STOP_MS = 3000;
/** This timer does not keep the process alive. */
const patience = (ms: number): Promise<void> => sleep(ms, undefined, { ref: false });
/** Longest time without Redis, ms: agents have stopped by then. */
const MOST_AWAY_MS = 2 * LOST_MS;
/** Allowed silence while an agent prepares, ms. */
const PREPARING_MS = 4 * LOST_MS;
/** Largest log in bytes: the first violations in full, and for each second its figures and histograms. */
const MOST_BYTES = 16 * 2 ** 20;
const MOST_BYTES_A_SECOND = 16 * 2 ** 10;
/** Steps of an agent that may have sent requests. */
const BEGUN: ReadonlySet<string | undefined> = new Set(['preparing', 'ready', 'sending', 'done']);

/**
 * Distributes a scenario's slices to agents, starts them at one moment, and returns the merged log. Names an agent that is
 * lost, late or slow, which makes the whole inconclusive. Throws UsageError if another coordinator is active.
 */
export async function runFleet(options: FleetOptions): Promise<readonly LogRecord[]> {
  const { link, prefix, whole, slices, secret, directory, signal, onRecord, say } = options;
  const { request } = whole.run;
  const { scenario, phases, keys, leftOut } = whole.capacity;
  const { timeoutMs } = request.target.http;
  const lengthMs = phases.at(-1)?.endMs ?? 0;
  if ((await link.control.set(namesIn(prefix).lock, request.run, 'PX', LOST_MS, 'NX')) !== 'OK')
    throw new UsageError(
      'agents-in-use',
      `Another run uses the agents at ${link.shown} (${prefix}).`,
      `Wait for its end, or use another --redis-prefix for agents and run. A killed run frees its agents after ${duration(LOST_MS)}. Nothing was sent.`,
    );
  const board = boardOf(options, request.run, slices.length);
  const { seats } = board;
  /** Reason for an early end, or the obstacle to the start. */
  let ended: string | null = null;
  let obstacle: Obstacle | null = null;
  let aborted = false;
  let beginsAt = 0;
  const problems: string[] = [];
  const lost = new Map<number, string>();
  const parts = new Map<number, Part>();
  const isOver = (): boolean => ended !== null || obstacle !== null;
  const block = (short: string, message: string, hint: string): void => {
    obstacle = { code: 'agents', short, message, hint };
  };

  const { Queue } = await bullmq();
  const queue = new Queue(QUEUE, {
    connection: link.queue,
    prefix,
    skipMetasUpdate: true,
    // It prints lines about Redis' version and settings.
    skipVersionCheck: true,
  });
  queue.on('error', () => undefined);

  const handOut = async (): Promise<void> => {
    const issuedAt = Date.now();
    const { scenarioText, readOnly, waitMs } = options;
    const expiresAt = issuedAt + waitMs + GRACE_MS;
    const common = {
      kit: kit().version,
      run: request.run,
      target: request.target,
      readOnly,
      secret,
      issuedAt,
      expiresAt,
    };
    const jobs = slices.map(({ capacity: { slice, keys: own } }) => ({
      name: 'slice',
      data: jobFor({ ...common, scenario: scenarioText, slice, keys: own }),
      opts: { jobId: `${request.run}-${slice.index}`, attempts: 1, removeOnComplete: true, removeOnFail: true },
    }));
    try {
      // Removes jobs of a killed coordinator.
      await queue.obliterate({ force: true });
      await queue.addBulk(jobs);
    } catch (error) {
      block(
        'Redis rejects the parts',
        `Redis rejects the parts (${cut((error as Error).message, 200).text}).`,
        `Check the keys under ${prefix} in Redis, or use another --redis-prefix.`,
      );
    }
  };

  /** Repeats beats until `look` is true or the run is over. Returns false once the time is over. */
  const beatUntil = async (until: number, look: () => boolean | Promise<boolean>): Promise<boolean> => {
    while (!isOver()) {
      await board.beat();
      if ((await look()) || isOver()) return true;
      if (now() > until) return false;
      await sleep(BEAT_MS);
    }
    return true;
  };

  /** Marks agents as lost: silent for too long, or with a state that no agent wrote. */
  const markLost = (afterMs: number): void => {
    for (const [index, seat] of seats.entries()) {
      if (lost.has(index) || parts.has(index)) continue;
      if (seat.isBroken) lost.set(index, 'was lost: its entry in Redis was not written by an agent');
      else if (board.silentMs(seat) > afterMs)
        lost.set(index, `was lost: it was silent for ${duration(afterMs)}, and no figure includes its requests`);
    }
  };

  /** Prevents the run if an agent refuses its part, or was lost before the first request. */
  const checkAgents = (afterMs: number): void => {
    const refusal = seats.find(({ state }) => state?.step === 'refused')?.state;
    if (refusal)
      return block(
        'an agent refuses its part',
        `${refusal.name} ${refusal.reason ?? 'refuses its part'}.`,
        'Fix that on the machine of the agent, and start the agent again.',
      );
    markLost(afterMs);
    const [[index, why] = []] = lost;
    if (index === undefined) return;
    const name = seats[index]?.state?.name;
    block(
      'an agent was lost',
      `part ${index + 1}${name === undefined ? '' : ` (${name})`} ${why}.`,
      'Start the agent again, and let no other program use that Redis.',
    );
  };

  const gather = async (): Promise<void> => {
    let [here, told] = [[] as readonly string[], -1];
    const named = (): string => (here.length > 0 ? `: ${here.join(', ')}` : '');
    const isComplete = await beatUntil(now() + options.waitMs, () => {
      here = seats.flatMap(({ state }) => state?.name ?? []);
      if (here.length !== told) say(`${here.length} of ${slices.length} agents are connected${named()}`);
      told = here.length;
      checkAgents(Infinity);
      return here.length === slices.length;
    });
    if (!isComplete)
      block(
        'agents are missing',
        `${here.length} of ${slices.length} agents connected within ${duration(options.waitMs)}${named()}.`,
        `Start more with petstore-conformance agent and the same Redis (${link.shown}) and prefix, or wait longer with --wait.`,
      );
  };

  /** Runs preflight on all agents, each with its own key, and waits until each is ready. */
  const prepare = async (): Promise<void> => {
    if (isOver()) return;
    board.tell({ step: 'prepare' });
    const areReady = await beatUntil(now() + 2 * timeoutMs + GRACE_MS, () => {
      checkAgents(PREPARING_MS);
      // Its preflight found an obstacle, which its log has.
      if (seats.some(({ state }) => state?.step === 'done')) ended = 'a part could not start';
      return seats.every(({ state }) => state?.step === 'ready');
    });
    if (areReady) return;
    problems.push('not all agents were ready in time');
    ended = 'not all agents were ready';
  };

  /** Announces the start, merges all agents' seconds, and collects their results. */
  const send = async (): Promise<void> => {
    if (isOver()) return;
    const { offsetMs } = await askOffset(link.control);
    const startAt = now() + LEAD_MS;
    beginsAt = startAt + offsetMs;
    board.tell({ step: 'go', beginsAt });
    onRecord({ type: 'scenario', scenario, slice: WHOLE, keys, leftOut, startAt });
    const live = liveSeconds(startAt);
    const abort = abortWatch(scenario.abort);
    let away = LOST_MS / 5;
    await beatUntil(startAt + lengthMs + timeoutMs + GRACE_MS, async () => {
      if (board.longestAwayMs() > away) {
        away = board.longestAwayMs();
        say(`Redis was unreachable for ${duration(away)}; agents continue without it for up to ${duration(LOST_MS)}`);
      }
      for (const [index, { state, seconds }] of seats.entries())
        if (state && state.startAt > 0) live.add(index, state.startAt, seconds);
      for (const second of live.take(now() - startAt)) {
        onRecord(second);
        const why = abort(second);
        if (why !== null && ended === null) [ended, aborted] = [`aborted: ${why}`, true];
      }
      await takeResults();
      markLost(LOST_MS);
      const areAllHere = parts.size + lost.size >= slices.length;
      if (!areAllHere && board.awayMs() > MOST_AWAY_MS) {
        problems.push('Redis became unreachable and did not come back');
        ended = 'Redis became unreachable';
      }
      return areAllHere;
    });
  };

  /** Moves results from Redis into folders, as `load --slice` would leave them. An agent of other data counts as lost. */
  const takeResults = async (): Promise<void> => {
    const most = MOST_BYTES + (MOST_BYTES_A_SECOND * lengthMs) / 1000;
    for (const [index, { state }] of seats.entries()) {
      if (state?.step !== 'done' || parts.has(index) || lost.has(index)) continue;
      try {
        const text = await board.result(index, most);
        if (text === '') continue;
        if (text.length > most) throw new RangeError('it is too large for a log of this run');
        const file = join(directory, 'parts', String(index + 1), FILES.log);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, gunzipSync(Buffer.from(text, 'base64'), { maxOutputLength: most }));
        const log = await readLog(file);
        const slice = sliceIn(log);
        if (slices.length > 1 && (slice?.index !== index || slice.count !== slices.length))
          throw new RangeError('it belongs to another part');
        parts.set(index, { name: state.name, log });
        board.received(index);
      } catch (error) {
        // Missing Redis is temporary; an unreadable log is not.
        if (board.awayMs() < BEAT_MS * 2) lost.set(index, `returned an unreadable log (${(error as Error).message})`);
      }
    }
  };

  /** Stops all agents, and collects their results so far. */
  const stop = async (): Promise<void> => {
    board.tell({ step: 'stop' });
    const joined = seats.filter(({ state }) => state !== null && state.step !== 'refused').length;
    const hasBegun = (): boolean => seats.some(({ state }) => BEGUN.has(state?.step));
    const until = now() + STOP_MS;
    for (let beats = 0; beats < 2 || (parts.size + lost.size < joined && now() < until && hasBegun()); beats += 1) {
      await board.beat();
      await takeResults();
      await sleep(BEAT_MS);
    }
    await board.beat();
    if (!hasBegun()) return;
    const why = ended === null ? 'was too slow and returned no log' : 'returned no log when all were stopped';
    for (const [index, { state }] of seats.entries())
      if (state !== null && !parts.has(index) && !lost.has(index)) lost.set(index, why);
  };

  const onAbort = (): void => {
    ended ??= 'interrupted';
    board.tell({ step: 'stop' });
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const header = headerOf(request);
  onRecord(header);
  try {
    await board.beat();
    await handOut();
    await gather();
    await prepare();
    await send();
    await stop();
  } finally {
    signal.removeEventListener('abort', onAbort);
    await Promise.race([queue.obliterate({ force: true }).catch(() => undefined), patience(LOST_MS)]);
    await board.close();
    await Promise.race([queue.close(), patience(BEAT_MS)]);
  }
  const senders = new Map<number, Sender>();
  for (const [index, { state }] of seats.entries()) {
    const { name, offsetMs, errorMs } = state ?? { name: null, offsetMs: null, errorMs: null };
    const problem = lost.get(index) ?? null;
    if (state !== null || problem !== null) senders.set(index, { name, offsetMs, errorMs, problem });
  }
  const facts = { header, scenario, count: slices.length, beginsAt, ended, aborted, problems, senders };
  return mergeParts(parts, { ...facts, ...(obstacle !== null && { obstacle }) });
}
