import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Meter, type Answered } from './meter.js';

const timed = (latencyMs: number, outcome: 'served' | 'error'): Answered => ({
  operation: 'listPets',
  status: outcome === 'served' ? 200 : 0,
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
