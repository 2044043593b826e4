import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Job } from 'bullmq';
import { bullmq, noWrites, type RedisLink } from '../../loadkit/fleet/redis.js';
import { placeOf, secretIn } from '../../loadkit/fleet/order.js';
import { jobOf, readRun, type SliceJob } from '../../loadkit/fleet/messages.js';
import { BEAT_MS, MOST_CHARACTERS, namesIn, QUEUE } from '../../loadkit/fleet/state.js';
import { takeOrder } from '../../loadkit/fleet/take-order.js';
import { judging } from '../../judge/checks/judging.js';
import { beatOf, LOCK_MS } from './agent-beat.js';
import { sendSlice } from './send-slice.js';
import { kit } from '../../base/kernel/package.js';

export interface AgentOptions {
  readonly link: RedisLink;
  readonly prefix: string;
  readonly name: string;
  readonly env: NodeJS.ProcessEnv;
  /** True if jobs without a secret may send to this machine. */
  readonly allowLoopback: boolean;
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
}

/** Lifetime of a mark, longer than any run, so no job runs twice. */
const MARK_SECONDS = 2 * 86_400;

const UNREACHABLE = 'Redis is unreachable';

/** Takes slices one at a time until the signal. */
export async function runAgent(options: AgentOptions): Promise<void> {
  const { link, prefix, signal, say } = options;
  const { Worker } = await bullmq();
  const worker = new Worker<unknown, string>(QUEUE, null, {
    connection: link.queue,
    prefix,
    autorun: false,
    concurrency: 1,
    lockDuration: LOCK_MS,
    // A stalled job is lost. BullMQ requeues it for its next taker to fail: `firstTimeOnly` refuses it.
    maxStalledCount: 0,
    skipStalledCheck: true,
    // It prints lines about Redis' version and settings.
    skipVersionCheck: true,
  });
  worker.on('error', () => undefined);
  const instance = randomUUID();
  const begun = new Set<string>();
  // Each slice in turn listens for the end of the agent.
  setMaxListeners(0, signal);
  const ended = new Promise<null>((resolve) =>
    signal.addEventListener('abort', () => resolve(null), { once: true }),
  );
  // Builds these tools now, before others wait.
  judging();
  let told = '';
  const note = (error: unknown): null => {
    const fault = noWrites(error);
    // Once, and again only if something else is wrong: the next try is soon.
    if (fault && fault.what !== told) say(`waits, because ${link.shown} ${fault.what}. ${fault.hint}`);
    told = fault?.what ?? told;
    return null;
  };
  try {
    while (!signal.aborted) {
      // While Redis is unavailable there is no job, and BullMQ keeps trying.
      const job = await Promise.race([worker.getNextJob(instance, { block: false }), ended]).catch(note);
      if (job) await take(job, { instance, begun }, options);
      else await sleep(BEAT_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    await Promise.race([worker.close(true), sleep(BEAT_MS)]);
  }
}

interface Self {
  readonly instance: string;
  readonly begun: Set<string>;
}

async function take(job: Job<unknown, string>, self: Self, options: AgentOptions): Promise<void> {
  const { name, env, allowLoopback, signal, say } = options;
  const { instance } = self;
  const slice = jobOf(job.data);
  const why = slice === null ? 'it is not a job of this kit' : await whyNot(job, slice, self, options);
  if (slice === null || why !== null) {
    say(`skips a job: ${why}`);
    return done(job, instance);
  }
  self.begun.add(placeOf(slice.run, slice.index));
  const secret = secretIn(env);
  const beat = await beatOf({ ...options, slice, instance, secret, job }).catch(() => null);
  if (beat === null) {
    say(`skips a job: ${UNREACHABLE}`);
    return done(job, instance);
  }
  try {
    const taken = takeOrder(slice, { kit: kit().version, secret, env, allowLoopback, now: Date.now() });
    if (taken.ok) {
      say(
        `took part ${slice.index + 1} of ${slice.count} of ${taken.scenario.name} on ${taken.target.baseUrl}`,
      );
      const directory = mkdtempSync(join(tmpdir(), 'petstore-agent-'));
      try {
        const sent = await sendSlice(taken, { beat, signal, directory, run: slice.run, say });
        say(`part ${slice.index + 1} of ${slice.count}: ${sent}`);
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
    } else {
      say(`rejects a job: ${name} ${taken.reason}`);
      await beat.refuse(taken.reason, signal);
    }
  } finally {
    await beat.close();
    await done(job, instance);
  }
}

/** Redis may give a job out twice; a mark before the first request lets it run once. */
async function whyNot(
  job: Job<unknown, string>,
  { run, index }: SliceJob,
  { instance, begun }: Self,
  { link, prefix }: AgentOptions,
): Promise<string | null> {
  const names = namesIn(prefix);
  if (job.attemptsStarted > 1 || job.stalledCounter > 0 || job.deferredFailure !== undefined)
    return 'it was assigned before';
  // Others with access to Redis can delete the mark.
  if (begun.has(placeOf(run, index))) return 'this agent has already begun it';
  try {
    const state = await link.control.getrange(names.run, 0, MOST_CHARACTERS);
    if (readRun(state)?.run !== run) return 'its run is over';
    const marked = await link.control.set(names.mark(run, index), instance, 'EX', MARK_SECONDS, 'NX');
    return marked === 'OK' ? null : 'another agent has begun it';
  } catch {
    return UNREACHABLE;
  }
}

/** Ignores errors, because a restarted Redis has lost the job. */
async function done(job: Job<unknown, string>, instance: string): Promise<void> {
  await Promise.race([job.moveToCompleted('', instance, false), sleep(4 * BEAT_MS)]).catch(() => undefined);
}
