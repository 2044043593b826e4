import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunState } from '../../loadkit/fleet/messages.js';
import { senderState } from './sender-state.js';

const SELF = { instance: 'i', name: 'worker-1', offsetMs: 0, errorMs: 0 };
const step = (name: RunState['step'], beat = 0): RunState => ({
  run: '00112233',
  step: name,
  beat,
  beginsAt: null,
});

test('each message has a new beat, and what changed is reported', () => {
  let changes = 0;
  const self = senderState(SELF, () => (changes += 1));
  assert.equal(self.message().beat, 1);
  self.tell({ step: 'sending', startAt: 5 });
  const { step: now, beat, startAt, reason } = self.message();
  assert.deepEqual([now, beat, startAt, reason, changes], ['sending', 2, 5, null, 1]);
});

test('a message is new by its step or its beat', () => {
  const self = senderState(SELF);
  const heard = [step('gather'), step('gather'), step('gather', 1), step('prepare', 1)].map((one) =>
    self.hear(one),
  );
  assert.deepEqual(heard, [true, false, true, true]);
});

test('a step is reached only by the sender that the run counts on', async () => {
  const self = senderState(SELF);
  self.hear(step('go'));
  let asked = 0;
  const reached = await self.until('prepare', () => (asked += 1) > 1);
  assert.deepEqual([reached.step, asked], ['go', 2]);
});

test('the first reason for an end counts, and ends each wait', async () => {
  const self = senderState(SELF);
  const waiting = self.until('go');
  const refused = self.refuse('has no key', new AbortController().signal);
  self.hear(step('stop'));
  self.end('the coordinator is gone');
  await assert.rejects(waiting, { name: 'AbortError', message: 'the run was stopped' });
  await refused;
  assert.deepEqual([self.why(), self.message().reason], ['the run was stopped', 'has no key']);
});
