import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeOrder } from '../../loadkit/fleet/take-order.js';
import { BEAT_MS } from '../../loadkit/fleet/state.js';
import { reasonOf, type RunState, type SliceState } from '../../loadkit/fleet/messages.js';
import { judging } from '../../drive/suite/fixture.js';
import { kit } from '../../base/kernel/package.js';
import type { Beat } from './crew.js';
import { sendSlice } from './send-slice.js';
import type { WorkerNews, WorkerOrder, WorkerReport } from './worker-crew.js';

/*
 * Program of one worker of `load --workers`. Its parent is the coordinator; the channel between both carries the order,
 * the steps of the run and the figures.
 */

const report = (message: WorkerReport): void => {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};

/** Starts to hear the coordinator and to report to it. */
function beatOf(name: string): Beat {
  const over = new AbortController();
  let why = 'the run is over';
  let heard: RunState | null = null;
  let isReceived = false;
  let state: SliceState = {
    instance: name,
    name,
    step: 'joined',
    beat: 0,
    reason: null,
    offsetMs: 0,
    errorMs: 0,
    startAt: 0,
  };
  const end = (reason: string): void => {
    if (over.signal.aborted) return;
    why = reason;
    over.abort();
  };
  const tell: Beat['tell'] = (change) => {
    state = { ...state, ...change, ...(change.reason && { reason: reasonOf(change.reason) }), beat: state.beat + 1 };
    report({ state });
  };
  const isWanted = (): boolean => !isReceived && !over.signal.aborted;
  process.on('message', (news: WorkerNews) => {
    heard = news.state;
    isReceived = news.isReceived;
    if (heard.step === 'stop') end('the run was stopped');
  });
  process.on('disconnect', () => end('the coordinator is gone'));
  const beating = setInterval(() => tell({}), BEAT_MS);
  tell({});
  return {
    offsetMs: 0,
    over: over.signal,
    why: () => why,
    tell,
    second(record) {
      const { operations: _, ...second } = record;
      report({ second });
    },
    async give() {
      tell({ step: 'done' });
      while (isWanted()) await sleep(BEAT_MS / 5);
    },
    async until(step) {
      const reached = (): boolean => heard?.step === step || heard?.step === 'go';
      while (!reached() && !over.signal.aborted) await sleep(BEAT_MS / 5);
      if (over.signal.aborted || heard === null) throw new DOMException(why, 'AbortError');
      return heard;
    },
    async untilOver(signal) {
      while (!over.signal.aborted && !signal.aborted) await sleep(BEAT_MS);
    },
    async close() {
      clearInterval(beating);
    },
  };
}

async function work({ job, secret, directory, out, ca }: WorkerOrder): Promise<void> {
  const name = `worker-${job.index + 1}`;
  const beat = beatOf(name);
  // Builds these tools now, before others wait.
  judging();
  try {
    const own = { kit: kit().version, secret, env: process.env, allowLoopback: true, now: Date.now() };
    const taken = takeOrder(job, own);
    if (!taken.ok) {
      beat.tell({ step: 'refused', reason: taken.reason });
      await beat.untilOver(beat.over);
      return;
    }
    const { target } = taken;
    const trusted = { ...taken, target: { ...target, http: { ...target.http, ...(ca !== null && { ca }) } } };
    const say = (text: string): void => report({ said: text });
    const outputs = { out: out ?? undefined, run: job.run, say };
    mkdirSync(directory, { recursive: true });
    await sendSlice(trusted, { beat, signal: beat.over, directory, ...outputs });
  } finally {
    await beat.close();
    if (process.connected) process.disconnect();
  }
}

process.once('message', (order: WorkerOrder) => void work(order));
