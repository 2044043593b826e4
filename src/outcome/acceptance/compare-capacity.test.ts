import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CapacityResults, PhaseResult, ThresholdResult } from '../../loadkit/capacity-shape.js';
import { compareCapacity, scenarioDifferences } from './compare-capacity.js';

const percentiles = (p99: number) => ({ p50: 10, p90: 20, p95: 30, p99, p999: p99 * 2, max: p99 * 3 });

const phase = (name: string, p99: number, more: Partial<PhaseResult> = {}): PhaseResult => ({
  name,
  intended: 100,
  sent: 100,
  dropped: 0,
  served: 100,
  refused: 0,
  errors: 0,
  violations: 0,
  byStatus: { 200: 100 },
  perSecond: 10,
  latencyMs: percentiles(p99),
  serviceMs: percentiles(p99),
  operations: [],
  saturated: null,
  whole: true,
  remarks: [],
  ...more,
});

const threshold = (outcome: ThresholdResult['outcome'], value: number): ThresholdResult => ({
  text: 'p99 < 250ms',
  value,
  unit: 'ms',
  outcome,
});

const run = (
  phases: readonly PhaseResult[],
  thresholds: readonly ThresholdResult[] = [],
  more: Partial<CapacityResults> = {},
): CapacityResults => ({
  scenario: 'evening',
  phases,
  thresholds,
  violations: [],
  generator: { loopLagMs: 0, cpu: 0, saturated: false },
  agents: [],
  remarks: [],
  ...more,
});

test('each phase lists its figures before and after, with the change in percent', () => {
  const { figures } = compareCapacity(run([phase('hold', 100)]), run([phase('hold', 150), phase('new', 1)]));
  assert.deepEqual(
    figures.find(({ figure }) => figure === 'p99'),
    { phase: 'hold', figure: 'p99', before: '100 ms', after: '150 ms', change: '+50 %' },
  );
  assert.deepEqual([...new Set(figures.map((each) => each.phase))], ['hold']);
});

test('counts that are 0 in both runs are omitted', () => {
  const before = run([phase('hold', 100)]);
  const names = (after: CapacityResults) =>
    compareCapacity(before, after).figures.map(({ figure }) => figure);
  assert.ok(!names(before).includes('errors'));
  assert.ok(names(run([phase('hold', 100, { errors: 3 })])).includes('errors'));
});

const changes = (before: ThresholdResult, after: ThresholdResult) =>
  compareCapacity(run([], [before]), run([], [after])).thresholds;

test('a threshold with a new outcome is listed, and "newly missed" counts as worse', () => {
  const [met, missed, open] = [
    threshold('met', 200),
    threshold('missed', 300),
    threshold('inconclusive', 300),
  ];
  assert.deepEqual(changes(met, threshold('met', 100)), []);
  assert.deepEqual(changes(met, missed), [
    {
      text: 'p99 < 250ms',
      before: 'met (200 ms)',
      after: 'missed (300 ms)',
      outcome: 'missed',
      wasAsked: true,
    },
  ]);
  assert.equal(changes(missed, met)[0]?.outcome, 'met');
  assert.equal(changes(met, open)[0]?.after, 'inconclusive (300 ms)');
});

test('a threshold of only one run shows that the scenarios differ', () => {
  const [met, missed] = [threshold('met', 200), threshold('missed', 300)];
  const thresholds = (before: readonly ThresholdResult[], after: readonly ThresholdResult[]) =>
    compareCapacity(run([], before), run([], after)).thresholds;
  assert.deepEqual(thresholds([missed], []), []);
  assert.deepEqual(thresholds([], [met]), []);
  assert.deepEqual(
    thresholds([], [missed]).map(({ before, wasAsked }) => [before, wasAsked]),
    [['not set', false]],
  );
  assert.deepEqual(scenarioDifferences(run([], [met]), run([])), [
    'The thresholds differ: only before p99 < 250ms.',
  ]);
});

test('scenarios are compared by phases, operations, keys and rules', () => {
  const asked = {
    phases: ['hold 10 s at 100/s'],
    operations: ['getPet with weight 3'],
    keys: ['pro'],
    rules: [],
  };
  const one = run([phase('hold', 100)], [], { asked });
  assert.deepEqual(scenarioDifferences(one, one), []);
  assert.deepEqual(
    scenarioDifferences(one, {
      ...one,
      asked: { ...asked, phases: ['hold 4 s at 50/s'], rules: ['overLimit: allow'] },
    }),
    [
      'The phases differ: only before hold 10 s at 100/s | only now hold 4 s at 50/s.',
      'The rules differ: only now overLimit: allow.',
    ],
  );
  assert.deepEqual(scenarioDifferences(run([phase('hold', 100)]), one), [], 'results of an earlier kit');
});

const withJourney = (p99: number, name = 'adopt'): CapacityResults => {
  const latencyMs = percentiles(p99);
  const counts = { started: 9, finished: 9, notShown: 0 };
  const steps = [{ operation: 'getPet' as const, answered: 9, latencyMs: percentiles(p99 / 2) }];
  return run([phase('hold', 100, { journeys: [{ journey: name, ...counts, latencyMs, steps }] })]);
};

test('the latencies of journeys and of their steps stand side by side', () => {
  const { figures } = compareCapacity(withJourney(100), withJourney(150));
  assert.deepEqual(
    figures.flatMap(({ figure, before, after, change }) =>
      figure.startsWith('p99 of') ? [[figure, before, after, change]] : [],
    ),
    [
      ['p99 of journey adopt', '100 ms', '150 ms', '+50 %'],
      ['p99 of step 1 of adopt, getPet', '50 ms', '75 ms', '+50 %'],
    ],
  );
  const other = compareCapacity(withJourney(100, 'browse'), withJourney(150)).figures;
  assert.ok(other.every(({ figure }) => !figure.includes(' of ')));
});
