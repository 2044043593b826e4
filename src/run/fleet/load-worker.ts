import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeOrder } from '../../loadkit/fleet/take-order.js';
import { BEAT_MS } from '../../loadkit/fleet/state.js';
import { judging } from '../../judge/checks/judging.js';
import { kit } from '../../base/kernel/package.js';
import type { Beat } from './crew.js';
import { liveSecond, senderState } from './sender-state.js';
import { sendSlice } from './send-slice.js';
import type { WorkerNews, WorkerOrder, WorkerReport } from './worker-crew.js';

/*
 * Program of one worker of `load --workers`. Its parent is the coordinator; the channel between both carries the order,
 * the steps of the run and the figures.
 */

const report = (message: WorkerReport): void => {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};

function beatOf(name: string): Beat {
  const sendState = (): void => report({ state: self.message() });
  const self = senderState({ instance: name, name, offsetMs: 0, errorMs: 0 }, sendState);
  let isReceived = false;
  const isWanted = (): boolean => !isReceived && !self.over.aborted;
  process.on('message', (news: WorkerNews) => {
    isReceived = news.isReceived;
    self.hear(news.state);
  });
  process.on('disconnect', () => self.end('the coordinator is gone'));
  const beating = setInterval(sendState, BEAT_MS);
  sendState();
  return {
    ...self,
    second: (record) => report({ second: liveSecond(record) }),
    async give() {
      self.tell({ step: 'done' });
      while (isWanted()) await sleep(BEAT_MS / 5);
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
      await beat.refuse(taken.reason, beat.over);
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
