import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleWith } from '../../testing/limiters/sample-with.js';
import { START } from '../../testing/limiters/free-key.js';
import type { Figures } from './bounds.js';
import { inAnySpan, overfullSpan } from './window-breach.js';

const FREE: Figures = { perMinute: 60, perDay: 1_000, minuteSeconds: 60, daySeconds: 86_400 };

/** Returns what is found where one request follows another at this pace. */
function foundAt(apartMs: number) {
  const samples = Array.from({ length: 121 }, (_, index) => {
    const sentAt = START + index * apartMs;
    return sampleWith({ sentAt, answeredAt: sentAt + 2 });
  });
  const overfull = overfullSpan(samples, FREE);
  assert.ok(overfull, `every ${apartMs} ms`);
  return inAnySpan(overfull);
}

test('too many requests in a span are the same mistake at any pace', () => {
  const [fast, slow] = [foundAt(10), foundAt(450)];
  assert.notEqual(fast.actual, slow.actual);
  assert.deepEqual(fast.measured, slow.measured);
});
