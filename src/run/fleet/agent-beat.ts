import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Job } from 'bullmq';
import { placeOf } from '../../loadkit/fleet/order.js';
import {
  type AgentSeconds,
  type PartState,
  readPart,
  readRun,
  reasonOf,
  type RunState,
  type SliceJob,
  type SliceState,
} from '../../loadkit/fleet/messages.js';
import { unseal } from '../../loadkit/fleet/seal.js';
import { askOffset } from '../../loadkit/fleet/redis.js';
import { BEAT_MS, LOST_MS, MOST_CHARACTERS, namesIn, TOLD_SECONDS } from '../../loadkit/fleet/state.js';
import { now } from '../../wire/exchange/connection.js';
import type { Beat } from './crew.js';
import type { AgentOptions } from './run-agent.js';

interface BeatOptions extends Pick<AgentOptions, 'link' | 'prefix' | 'name'> {
  readonly slice: SliceJob;
  readonly instance: string;
  /** Secret that unseals the coordinator's messages; null if they are not sealed. */
  readonly secret: string | null;
  readonly job: Job<unknown, string>;
}

/** Lifetime of a result in Redis, s; longer than that of states, for a slow coordinator. */
const RESULT_SECONDS = 60;
/** Lock of a job in BullMQ, ms, and interval of its renewal. */
export const LOCK_MS = 60_000;
const RENEW_MS = 10_000;

/** Starts to send and receive, four times a second. */
export async function beatOf({ link, prefix, slice, instance, name, secret, job }: BeatOptions): Promise<Beat> {
  const { run, index } = slice;
  const { offsetMs, errorMs } = await askOffset(link.control);
  const opened = (text: string): string | null => (secret === null ? text : unseal(text, secret, placeOf(run, index)));
  const names = namesIn(prefix);
  const over = new AbortController();
  let state: SliceState = { instance, name, step: 'joined', beat: 0, reason: null, offsetMs, errorMs, startAt: 0 };
  let seconds: AgentSeconds = [];
  let toldUntil = 0;
  let heard: RunState | null = null;
  let part: PartState | null = null;
  let silentMs = 0;
  let lookedAt = now();
  let renewedAt = now();
  let result: string | null = null;
  let isGiven = false;
  let why = 'the run is over';
  const end = (reason: string): void => {
    if (over.signal.aborted) return;
    why = reason;
    over.abort();
  };
  const isWanted = (): boolean => part?.isReceived === false && silentMs <= LOST_MS;

  const once = async (): Promise<void> => {
    state = { ...state, beat: state.beat + 1 };
    try {
      const pipeline = link.control.pipeline();
      pipeline.getrange(names.run, 0, MOST_CHARACTERS);
      pipeline.hget(names.parts(run), String(index));
      pipeline.exists(names.result(run, index));
      pipeline.set(names.slice(run, index), JSON.stringify(state), 'PX', 2 * LOST_MS);
      const last = seconds.at(-1)?.at ?? 0;
      if (last > toldUntil) pipeline.set(names.seconds(run, index), JSON.stringify(seconds), 'PX', 2 * LOST_MS);
      if (result !== null && !isGiven && part?.isReceived !== true)
        pipeline.set(names.result(run, index), result, 'EX', RESULT_SECONDS);
      const [told, own, there] = (await pipeline.exec()) ?? [];
      toldUntil = last;
      // A restarted Redis has lost it.
      isGiven = result !== null && (there?.[1] === 1 || !isGiven);
      if (typeof own?.[1] === 'string') part = readPart(opened(own[1])) ?? part;
      const next = readRun(told?.[1]);
      if (next !== null) {
        if (next.run !== run) end('another run has begun');
        else if (next.beat !== heard?.beat) [heard, silentMs] = [next, 0];
      }
      if (now() - renewedAt > RENEW_MS) {
        renewedAt = now();
        await job.extendLock(instance, LOCK_MS).catch(() => 0);
      }
    } catch {
      // Redis is unavailable: the last state remains valid until it is too old.
    }
    if (heard?.step === 'stop') end('the run was stopped');
    // A blocked process received nothing meanwhile, although nobody is gone.
    silentMs += Math.min(now() - lookedAt, 4 * BEAT_MS);
    lookedAt = now();
    if (silentMs > LOST_MS) end('the coordinator stopped responding');
    if (part !== null && part.instance !== instance) end('another agent has this part');
  };
  const closing = new AbortController();
  const beating = (async () => {
    while (!closing.signal.aborted) {
      await once();
      await sleep(BEAT_MS);
    }
  })();

  return {
    offsetMs,
    over: over.signal,
    why: (): string => why,
    tell(change: Partial<Pick<SliceState, 'step' | 'reason' | 'startAt'>>): void {
      state = { ...state, ...change, ...(change.reason && { reason: reasonOf(change.reason) }) };
    },
    second(record) {
      const { operations: _, ...told } = record;
      seconds = [...seconds, told].slice(-TOLD_SECONDS);
    },
    async give(file: string): Promise<void> {
      result = gzipSync(readFileSync(file)).toString('base64');
      state = { ...state, step: 'done' };
      while (isWanted()) await sleep(BEAT_MS);
    },
    async until(step: 'prepare' | 'go'): Promise<RunState> {
      const reached = (): boolean =>
        heard !== null && part?.instance === instance && (heard.step === step || heard.step === 'go');
      while (!reached() && !over.signal.aborted) await sleep(BEAT_MS / 5);
      if (over.signal.aborted || heard === null) throw new DOMException(why, 'AbortError');
      return heard;
    },
    async untilOver(signal: AbortSignal): Promise<void> {
      while (!over.signal.aborted && !signal.aborted) await sleep(BEAT_MS);
    },
    async close(): Promise<void> {
      closing.abort();
      await beating;
    },
  };
}
