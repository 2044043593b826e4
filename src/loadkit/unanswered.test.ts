import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CapacityPhaseRecord } from '../log/capacity-record.js';
import { hundred, operation, phase, stopped } from './thresholds.test.support.js';
import { unansweredPhases } from './unanswered.js';

/** Returns the outcome of a phase with this many responses, and this many requests without one. */
const unanswered = (answers: number, lost: number, more: Partial<CapacityPhaseRecord> = {}) =>
  unansweredPhases([
    phase('a', [operation('listPets', hundred, { byStatus: { 200: answers, none: lost } })], more),
  ]).map((result) => result.outcome);

test('a phase with responses to less than half of its requests is missed or inconclusive', () => {
  assert.deepEqual(unanswered(50, 50), []);
  assert.deepEqual(unanswered(49, 51), ['missed']);
  assert.deepEqual(unanswered(0, 0, { droppedFull: 3 }), ['missed']);
  assert.deepEqual(unanswered(40, 10, { droppedFull: 31 }), ['missed']);
  assert.deepEqual(unanswered(40, 10, { droppedLate: 31 }), ['inconclusive']);
  assert.deepEqual(unanswered(40, 10, { droppedHeld: 31 }), ['inconclusive']);
  assert.deepEqual(unanswered(0, 10, { whole: false }), []);
});

/** Judges a phase of 10,000 responses and three requests without one. */
const judgedEnd = (more: Partial<CapacityPhaseRecord>) =>
  unansweredPhases([
    phase('a', [operation('listPets', hundred, { byStatus: { 200: 10_000, none: 3 } })], more),
  ]);

test('a phase at whose end nothing answers is missed, however few requests that were', () => {
  assert.deepEqual(judgedEnd({ stopped }), [
    {
      text: 'a: answered to its end',
      value: 0.75,
      unit: 'share',
      outcome: 'missed',
      reason: 'a got no response after 9 of 12 s (connect ECONNREFUSED)',
    },
  ]);
  const [late = assert.fail()] = judgedEnd({ stopped: { ...stopped, afterMs: 11_500 } });
  assert.equal(late.outcome, 'inconclusive');
  assert.match(late.reason ?? '', /^a got no response after 11.5 of 12 s .*too shortly before the end/);
  assert.deepEqual(judgedEnd({ stopped, whole: false }), []);
  assert.deepEqual(
    judgedEnd({ stopped, saturated: { fromMs: 0, perSecond: 9 } }).map((result) => result.outcome),
    ['inconclusive'],
  );
});

test('a saturated generator misses no threshold that nobody set', () => {
  const lost = { droppedFull: 900, intended: 1000, saturated: { fromMs: 0, perSecond: 10 } };
  const [result] = unansweredPhases([phase('a', [operation('listPets', hundred)], lost)]);
  assert.equal(result?.outcome, 'inconclusive');
  assert.match(result?.reason ?? '', /saturated in the phase a/);
});
