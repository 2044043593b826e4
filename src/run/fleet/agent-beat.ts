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
  type SliceJob,
} from '../../loadkit/fleet/messages.js';
import { unseal } from '../../loadkit/fleet/seal.js';
import { askOffset, COMMAND_MS, noWrites } from '../../loadkit/fleet/redis.js';
import { BEAT_MS, LOST_MS, MOST_CHARACTERS, namesIn, TOLD_SECONDS } from '../../loadkit/fleet/state.js';
import { now } from '../../wire/exchange/connection.js';
import type { Beat } from './crew.js';
import type { AgentOptions } from './run-agent.js';
import { liveSecond, senderState } from './sender-state.js';

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
export async function beatOf({
  link,
  prefix,
  slice,
  instance,
  name,
  secret,
  job,
}: BeatOptions): Promise<Beat> {
  const { run, index } = slice;
  const clock = await askOffset(link.control);
  const opened = (text: string): string | null =>
    secret === null ? text : unseal(text, secret, placeOf(run, index));
  const names = namesIn(prefix);
  const self = senderState({ instance, name, ...clock });
  let seconds: AgentSeconds = [];
  let sentUntil = 0;
  let part: PartState | null = null;
  let silentMs = 0;
  let lookedAt = now();
  let renewedAt = now();
  let result: string | null = null;
  let isGiven = false;
  /** What a Redis that takes no writes said last; null for any other. */
  let fault: ReturnType<typeof noWrites> = null;
  const isWanted = (): boolean => part?.isReceived === false && silentMs <= LOST_MS;

  const once = async (): Promise<void> => {
    const message = self.message();
    try {
      const pipeline = link.control.pipeline();
      pipeline.getrange(names.run, 0, MOST_CHARACTERS);
      pipeline.hget(names.parts(run), String(index));
      pipeline.exists(names.result(run, index));
      pipeline.set(names.slice(run, index), JSON.stringify(message), 'PX', 2 * LOST_MS);
      const last = seconds.at(-1)?.at ?? 0;
      if (last > sentUntil)
        pipeline.set(names.seconds(run, index), JSON.stringify(seconds), 'PX', 2 * LOST_MS);
      if (result !== null && !isGiven && part?.isReceived !== true)
        pipeline.set(names.result(run, index), result, 'EX', RESULT_SECONDS);
      const told = (await pipeline.exec()) ?? [];
      const [announced, own, there] = told;
      fault = told.flatMap(([error]) => noWrites(error) ?? [])[0] ?? null;
      sentUntil = last;
      // A restarted Redis has lost it.
      isGiven = result !== null && (there?.[1] === 1 || !isGiven);
      if (typeof own?.[1] === 'string') part = readPart(opened(own[1])) ?? part;
      const next = readRun(announced?.[1]);
      if (next !== null && next.run !== run) self.end('another run has begun');
      else if (next !== null && self.hear(next)) silentMs = 0;
      if (now() - renewedAt > RENEW_MS) {
        renewedAt = now();
        // BullMQ waits for a silent Redis without an end, and the beats must go on.
        void job.extendLock(instance, LOCK_MS).catch(() => 0);
      }
    } catch {
      // Redis is unavailable: the last state remains valid until it is too old.
    }
    // A blocked process received nothing meanwhile, although nobody is gone.
    silentMs += Math.min(now() - lookedAt, BEAT_MS + COMMAND_MS);
    lookedAt = now();
    if (silentMs > LOST_MS)
      self.end(fault ? `${link.shown} ${fault.what}` : 'the coordinator stopped responding');
    if (part !== null && part.instance !== instance) self.end('another agent has this part');
  };
  const closing = new AbortController();
  const beating = (async () => {
    while (!closing.signal.aborted) {
      await once();
      await sleep(BEAT_MS);
    }
  })();

  return {
    ...self,
    second(record) {
      seconds = [...seconds, liveSecond(record)].slice(-TOLD_SECONDS);
    },
    async give(file: string): Promise<void> {
      result = gzipSync(readFileSync(file)).toString('base64');
      self.tell({ step: 'done' });
      while (isWanted()) await sleep(BEAT_MS);
    },
    until: (step) => self.until(step, () => part?.instance === instance),
    async close(): Promise<void> {
      closing.abort();
      await beating;
    },
  };
}
