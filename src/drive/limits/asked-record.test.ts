import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sample } from '../../judge/limits/sample.js';
import { AskedRecord } from './asked-record.js';

const FREE = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };

/** Returns a response. */
const responseAt = (at: number, remaining: string | null): Sample => ({
  operation: 'listPets',
  intendedAt: at,
  sentAt: at,
  answeredAt: at + 10,
  status: 200,
  limit: '60',
  remaining,
  reset: String(Math.ceil(at / 1000) + 60),
  retryAfter: null,
  date: null,
});

/** Returns a record of so many allowed requests at an even pace; Remaining stands still by default. */
function recordOf(
  requests: number,
  everyMs: number,
  remaining: (nth: number) => string | null = () => '30',
): AskedRecord {
  const record = new AskedRecord(FREE);
  for (let nth = 0; nth < requests; nth += 1) {
    const sample = responseAt(nth * everyMs, remaining(nth));
    record.keep({ ...sample, question: 'steady', part: 'paced' }, sample);
  }
  return record;
}

/** Returns Remaining of a window that begins anew after 60 requests. */
const counting = (nth: number): string => String(59 - (nth % 60));

test('the passive checks judge a whole steady run: its pace never uses up a window', () => {
  for (const requests of [1, 59, 60, 61, 114, 300])
    assert.ok(recordOf(requests, 60_000 / 57).isPassive('paced'), `after ${requests} requests`);
});

test('they judge nothing after as many requests in one window as the plan has, whatever Remaining says', () => {
  assert.ok(recordOf(59, 20).isPassive('burst'));
  assert.ok(!recordOf(60, 20).isPassive('burst'));
  assert.ok(!recordOf(90, 20).isPassive('burst'));
});

test('they judge on in a window that has begun, by a Remaining that counts', () => {
  assert.ok(recordOf(59, 20, counting).isPassive('burst'));
  assert.ok(!recordOf(60, 20, counting).isPassive('burst'));
  assert.ok(recordOf(61, 20, counting).isPassive('burst'));
  assert.ok(!recordOf(61, 20, () => null).isPassive('burst'));
  assert.ok(!recordOf(30, 20, counting).isPassive('probe'));
});
