import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Meter, type Answered } from './meter.js';
import { measuredIn } from './thresholds.js';
import { phase } from './thresholds.test.support.js';

const STATUS = { served: 200, error: 0, refused: 429, other: 404 } as const;

const timed = (latencyMs: number, outcome: Answered['outcome']): Answered => ({
  operation: 'listPets',
  status: STATUS[outcome],
  outcome,
  violates: false,
  isShort: false,
  reveals: 0,
  latencyMs,
  serviceMs: latencyMs,
  leastMs: latencyMs,
});

test('the median by which a silence is measured is of responses, however long the others were waited for', () => {
  const meter = new Meter();
  for (let count = 0; count < 10; count += 1) meter.answered(timed(20, 'served'));
  for (let count = 0; count < 30; count += 1) meter.answered(timed(10_000, 'error'));
  assert.ok(Math.abs((meter.medianMs() ?? 0) - 20) < 1);
  assert.equal(new Meter().medianMs(), null);
});

const medianOf = (meter: Meter): number | null =>
  measuredIn([phase('a', meter.totals().operations)], null).percentile('p50');

for (const outcome of ['error', 'refused', 'other'] as const)
  test(`latencies are of what was served, however quick ${outcome} responses are`, () => {
    const meter = new Meter();
    for (let count = 0; count < 30; count += 1) meter.answered(timed(1, outcome));
    assert.equal(medianOf(meter), null, 'nothing was served');
    for (let count = 0; count < 10; count += 1) meter.answered(timed(300, 'served'));
    assert.ok(Math.abs((medianOf(meter) ?? 0) - 300) < 1);
  });
