import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SecondRecord } from '../log/capacity-record.js';
import { abortWatch, judgeThreshold, valueOf, measuredIn } from './thresholds.js';
import {
  failures,
  hundred,
  operation,
  outcome,
  phase,
  stopped,
  threshold,
} from './thresholds.test.support.js';

test('a percentile of a closed loop leaves out stalls, so it is not met', () => {
  const phases = [phase('a', [operation('listPets', hundred)], { intended: null })];
  const judged = (text: string, gaps: readonly number[]) =>
    judgeThreshold(threshold(text), {
      phases,
      planned: ['a'],
      aborted: false,
      waiting: new Map([['a', { ms: 20_000, gaps: gaps.map((ms) => ({ ms })) }]]),
    });
  assert.equal(judged('p99 < 250ms', []).outcome, 'met');
  const { outcome: stalled, reason = '' } = judged('p99 < 250ms', [1500, 500]);
  assert.equal(stalled, 'inconclusive');
  assert.match(reason, /^no response came for 2 of 20 s of a, which p99 in a closed loop leaves out/);
  // For 1.5 s in every 5, wherever seconds begin.
  assert.equal(judged('p99 < 1s', [1500, 1500, 1500, 1500]).outcome, 'inconclusive');
  // In 90 % of the time a request would not have waited.
  assert.equal(judged('p50 < 250ms', [1500, 500]).outcome, 'met');
  // Nobody would have waited longer than the bound.
  assert.equal(judged('p99 < 2s', [1500, 1500]).outcome, 'met');
  assert.equal(judged('p99 < 50ms', [1500, 500]).outcome, 'missed');
});

test('each figure is compared with its limit', () => {
  const phases = [phase('a', [operation('listPets', hundred, { errors: 2, served: 98, violations: 1 })])];
  const cases: readonly [text: string, value: number, outcome: 'met' | 'missed'][] = [
    ['p50 <= 50.1ms', 50, 'met'],
    ['p50 < 50ms', 50, 'missed'],
    ['p99 < 100ms', 99, 'met'],
    ['max < 0.1s', 100, 'missed'],
    ['errors < 3%', 0.02, 'met'],
    ['errors < 2%', 0.02, 'missed'],
    ['errors <= 2', 2, 'met'],
    ['violations = 0', 1, 'missed'],
    ['dropped = 0', 0, 'met'],
    ['served > 98', 98, 'missed'],
    ['perSecond >= 9.8', 9.8, 'met'],
  ];
  for (const [text, value, expected] of cases) {
    const judged = judgeThreshold(threshold(text), { phases, planned: ['a'], aborted: false });
    assert.equal(judged.outcome, expected, text);
    assert.ok(Math.abs((judged.value ?? Number.NaN) - value) <= value * 0.001, `${text}: ${judged.value}`);
  }
});

test('a threshold that no request could show is neither met nor missed', () => {
  const sent = [phase('a', [operation('listPets', hundred)])];
  for (const text of ['violations = 0', 'served < 5', 'served > 5', 'perSecond > 1', 'errors = 0'])
    assert.equal(outcome(text, sent, { operation: 'createPet' }), 'inconclusive', text);
  const late = [phase('a', [], { droppedLate: 20 })];
  assert.equal(outcome('violations = 0', late), 'inconclusive');
  assert.equal(outcome('dropped < 1%', [phase('a', [], { droppedFull: 20 })]), 'missed');
});

test('what is dropped is a share of all that was due, also where no connection opened', () => {
  const refused = operation('listPets', [], { errors: 90, byStatus: { none: 90 } });
  const phases = [phase('a', [refused], { droppedFull: 10 })];
  assert.equal(
    judgeThreshold(threshold('dropped <= 10%'), { phases, planned: ['a'], aborted: false }).value,
    0.1,
  );
});

test('a threshold for a phase or an operation uses only its own requests', () => {
  const slow = phase('b', [operation('listPets', [500]), operation('getPet', [1])]);
  const phases = [phase('a', [operation('listPets', [1])]), slow];
  assert.equal(outcome('max < 100ms', phases), 'missed');
  assert.equal(outcome('max < 100ms', phases, { phase: 'a' }), 'met');
  assert.equal(outcome('max < 100ms', phases, { phase: 'b', operation: 'getPet' }), 'met');
  assert.equal(outcome('max < 100ms', phases, { operation: 'listPets' }), 'missed');
  assert.equal(outcome('max < 100ms', phases, { operation: 'createPet' }), 'inconclusive');
});

test('fast errors do not improve latency, and slow errors count in it', () => {
  const quick = [
    phase('a', [
      operation('listPets', [...hundred, ...hundred.map(() => 0.1)], {
        failed: failures(hundred.map(() => 0.1)),
      }),
    ]),
  ];
  assert.equal(outcome('p50 < 20ms', quick), 'missed');
  const slow = [phase('a', [operation('listPets', [...hundred, 9000], { failed: failures([9000]) })])];
  assert.equal(outcome('max < 1s', slow), 'missed');
  const none = [phase('a', [operation('listPets', [1, 1], { failed: failures([1, 1]) })])];
  assert.equal(outcome('max < 1s', none), 'inconclusive');
});

/** Returns a phase of some requests with equal latencies. */
const steadyPhase = (count: number, ms: number) => [
  phase('a', [
    operation(
      'listPets',
      Array.from({ length: count }, () => ms),
    ),
  ]),
];

test('a p999 is not met by requests of which one in a thousand is none', () => {
  const judged = judgeThreshold(threshold('p999 < 500ms'), {
    phases: steadyPhase(60, 1),
    planned: ['a'],
    aborted: false,
  });
  assert.equal(judged.outcome, 'inconclusive');
  assert.equal(judged.reason, 'of 60 successful responses p999 is only the longest; it needs 1,000');
  assert.equal(outcome('p999 < 500ms', steadyPhase(1000, 1)), 'met');
  assert.equal(outcome('p999 < 500ms', steadyPhase(60, 600)), 'missed');
  const refused = { refused: 960, served: 40, failed: failures(Array.from({ length: 960 }, () => 1)) };
  const beyond = operation(
    'listPets',
    Array.from({ length: 1000 }, () => 1),
    refused,
  );
  assert.equal(outcome('p999 < 500ms', [phase('a', [beyond])]), 'inconclusive', 'of 40 successful responses');
});

test('throughput counts the whole time of a phase that nothing answered any more', () => {
  const phases = [phase('a', [operation('listPets', hundred)], { finishedAt: 2000, intended: null })];
  assert.equal(valueOf({ metric: 'perSecond', unit: 'number' }, measuredIn(phases, null)), 50);
  const ended = phases.map((one) => ({ ...one, stopped: { ...stopped, ofMs: 10_000 } }));
  assert.equal(valueOf({ metric: 'perSecond', unit: 'number' }, measuredIn(ended, null)), 10);
});

test('while this machine stood still, a closed loop might have sent more', () => {
  const phases = [phase('a', [operation('listPets', hundred)], { intended: null, stoodMs: 6000 })];
  const judged = (text: string) =>
    judgeThreshold(threshold(text), { phases, planned: ['a'], aborted: false });
  assert.equal(judged('perSecond >= 10').outcome, 'met');
  assert.deepEqual(
    [judged('perSecond > 20').outcome, judged('perSecond > 20').reason],
    ['inconclusive', 'this machine stood still for 6 s'],
  );
  assert.equal(judged('served > 150').outcome, 'inconclusive');
  assert.equal(judged('perSecond > 26').outcome, 'missed');
});

test('percentiles come from all responses, not from the mean of the phases', () => {
  const phases = [
    phase('a', [
      operation(
        'listPets',
        Array.from({ length: 990 }, () => 1),
      ),
    ]),
    phase('b', [
      operation(
        'listPets',
        Array.from({ length: 10 }, () => 1000),
      ),
    ]),
  ];
  const measured = measuredIn(phases, null);
  assert.ok((valueOf({ metric: 'p99', unit: 'ms' }, measured) ?? 0) < 2);
  assert.ok((valueOf({ metric: 'p999', unit: 'ms' }, measured) ?? 0) > 900);
});

test('a saturated generator makes the thresholds of its phase inconclusive', () => {
  const saturated = { fromMs: 0, perSecond: 9 };
  const phases = [
    phase('a', [operation('listPets', [1])], { saturated }),
    phase('b', [operation('listPets', [1])], {}),
  ];
  for (const text of ['p99 < 100ms', 'p99 < 0.1ms', 'violations = 0', 'errors < 1%', 'served > 0'])
    assert.equal(outcome(text, phases), 'inconclusive', text);
  assert.equal(outcome('p99 < 100ms', phases, { phase: 'b' }), 'met');
});

test('delays of the generator itself never count against the server', () => {
  const held = [phase('a', [operation('listPets', [1, 1, 300], { leastMs: [1, 1, 20] })])];
  assert.equal(outcome('max < 250ms', held), 'inconclusive');
  assert.equal(outcome('max < 400ms', held), 'met');
  assert.equal(outcome('max < 10ms', held), 'missed');
  assert.equal(outcome('p50 < 250ms', held), 'met');
});

test('late requests decide nothing; requests without a free connection count', () => {
  const answers = operation('listPets', hundred);
  const late = [phase('a', [answers], { droppedLate: 5 })];
  assert.equal(outcome('dropped < 1%', late), 'inconclusive');
  assert.equal(outcome('dropped < 6%', late), 'met');
  assert.equal(outcome('dropped = 0', late), 'inconclusive');
  assert.equal(outcome('served > 102', late), 'inconclusive');
  assert.equal(outcome('served > 105', late), 'missed');
  assert.equal(outcome('served < 90', late), 'missed');
  assert.equal(outcome('served < 103', late), 'inconclusive');
  assert.equal(outcome('errors < 1%', late), 'met');
  const full = [phase('a', [answers], { droppedFull: 5 })];
  assert.equal(outcome('dropped < 1%', full), 'missed');
  assert.equal(outcome('served > 102', full), 'missed');
  // A request that was not sent might have been slow.
  assert.equal(outcome('p99 < 1s', full), 'inconclusive');
  assert.equal(outcome('p99 < 50ms', full), 'missed');
});

test('an interrupted run is inconclusive, except for its own abort condition', () => {
  const cut = [phase('a', [operation('listPets', hundred, { errors: 50 })], { whole: false })];
  assert.equal(outcome('errors < 1%', cut), 'inconclusive');
  assert.equal(outcome('errors < 1%', cut, {}, true), 'missed');
  assert.equal(outcome('p99 < 1s', cut, {}, true), 'inconclusive');
  assert.equal(outcome('p99 < 1s', [], { phase: 'never' }), 'inconclusive');
});

/** Returns a phase in which some of 100 requests got no response. */
const lost = (none: number) => [
  phase('a', [
    operation('listPets', hundred, {
      served: 100 - none,
      errors: none,
      byStatus: { 200: 100 - none, none },
      failed: failures(Array.from({ length: none }, () => 1)),
    }),
  ]),
];

test('a latency of requests without a response is unknown, unless few enough got none', () => {
  assert.equal(outcome('p99 < 1s', lost(46)), 'inconclusive');
  assert.equal(outcome('p50 < 1s', lost(46)), 'met');
  assert.equal(outcome('p50 < 1s', lost(51)), 'inconclusive');
  assert.equal(outcome('p99 < 1s', lost(1)), 'met');
  assert.equal(outcome('p99 < 50ms', lost(46)), 'missed');
});

test('perSecond counts responses within the time of the phase', () => {
  const late = [phase('a', [operation('listPets', hundred, { inTime: 60 })])];
  assert.equal(valueOf({ metric: 'perSecond', unit: 'number' }, measuredIn(late, null)), 6);
  assert.equal(outcome('perSecond >= 9', late), 'missed');
});

test('a rule to stop reads the p95 of a second, not its p99', () => {
  const second = { ms: 1000, byStatus: { 200: 100 }, p95: 100, p99: 400 } as unknown as SecondRecord;
  const stops = (text: string) =>
    abortWatch({ when: threshold(text), text, afterSeconds: 1 })(second) !== null;
  assert.deepEqual([stops('p95 > 250ms'), stops('p99 > 250ms')], [false, true]);
});
