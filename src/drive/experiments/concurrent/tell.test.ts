import assert from 'node:assert/strict';
import { test } from 'node:test';
import { START } from '../../../testing/limiters/free-key.js';
import { sampleWith } from '../../../testing/limiters/sample-with.js';
import { concurrentSentence } from './drive.js';

const FREE = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };

/** Returns allowed requests with Remaining counted down, in a window that ends at `reset`. */
const served = (amount: number, from: number, reset: number) =>
  Array.from({ length: amount }, (_, index) => {
    const at = START + (from + index) * 10;
    return sampleWith({ sentAt: at, answeredAt: at + 5, remaining: 59 - index, reset });
  });

test('the sentence states if parallel requests span windows or exceed the plan', () => {
  const [first, second] = [START / 1000 + 1, START / 1000 + 61];
  const told = (samples: ReturnType<typeof served>) =>
    concurrentSentence({ samples, together: [], connections: 20, end: 'refused' }, FREE);
  assert.equal(told(served(50, 0, first)), '50 of 50 parallel requests allowed, 0 refused (20 connections).');
  assert.equal(
    told([...served(40, 0, first), ...served(40, 40, second)]),
    '80 of 80 parallel requests allowed across 2 windows of 60, 0 refused (20 connections).',
  );
  assert.equal(
    told(Array.from({ length: 70 }, () => served(1, 0, first)[0]!)),
    '70 of 70 parallel requests allowed (the plan has 60), 0 refused (20 connections).',
  );
});
