import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CapacityResults, PhaseResult, ThresholdResult } from '../../loadkit/capacity-shape.js';
import { compareCapacity, scenarioDifferences } from './compare-capacity.js';
import { judgeSlower } from './speed.js';

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

const around = (mean: number, by: number) =>
  Array.from({ length: 24 }, (_, at) => mean * (1 + by * Math.sin(at * 2.4)));

/** Blocks of a phase in which a figure varies by a share from block to block. */
const blocks = (p99: number, share: number): NonNullable<PhaseResult['blocks']> => {
  return {
    seconds: 5,
    p50: around(10, 0.01),
    p95: around(30, 0.01),
    p99: around(p99, share),
    throughput: around(100, 0.01),
  };
};

test('each phase lists its figures before and after, with the change in percent', () => {
  const [one, other] = [phase('hold', 100), phase('hold', 150)];
  const { figures } = compareCapacity(run([one]), run([other, phase('new', 1)]));
  assert.deepEqual(
    figures.find(({ figure }) => figure === 'longest'),
    { phase: 'hold', figure: 'longest', before: '300 ms', after: '450 ms', change: '+50 %' },
  );
  assert.equal(figures.find(({ figure }) => figure === 'p99')?.change, 'cannot tell', 'without an interval');
  assert.deepEqual([...new Set(figures.map((each) => each.phase))], ['hold']);
});

test('a latency that is 0, as without a response, has no change', () => {
  const silent = phase('hold', 0, { latencyMs: { ...percentiles(0), p50: 0, p90: 0, p95: 0 } });
  for (const [one, other] of [
    [phase('hold', 100), silent],
    [silent, phase('hold', 100)],
  ] as const)
    for (const figure of ['p50', 'p99', 'p99.9', 'longest'])
      assert.equal(
        compareCapacity(run([one]), run([other])).figures.find((each) => each.figure === figure)?.change,
        '–',
      );
});

test('a p99.9 of fewer than 1,000 successful responses is only the longest: no figure, and no change', () => {
  for (const [served, before, change] of [
    [999, '–', '–'],
    [1000, '200 ms', '+50 %'],
  ] as const) {
    const [one, other] = [phase('hold', 100, { served }), phase('hold', 150, { served })];
    const p999 = compareCapacity(run([one]), run([other])).figures.find(({ figure }) => figure === 'p99.9');
    assert.deepEqual([p999?.before, p999?.change], [before, change]);
  }
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
      ['p99 of journey adopt', '100 ms', '150 ms', 'cannot tell'],
      ['p99 of step 1 of adopt, getPet', '50 ms', '75 ms', 'cannot tell'],
    ],
  );
  const other = compareCapacity(withJourney(100, 'browse'), withJourney(150)).figures;
  assert.ok(other.every(({ figure }) => !figure.includes(' of ')));
});

test('a figure has one interval, which its change, its answer and a rule show', () => {
  for (const [p99, share] of [
    [100, 0.01],
    [112, 0.01],
    [112, 0.4],
    [221, 0.9],
    [60, 0.3],
  ] as const) {
    const after = run([phase('hold', p99, { blocks: blocks(p99, share) })]);
    const rule = { part: '', figure: 'p99', most: 0.2, text: '' } as const;
    const { figures, speeds } = compareCapacity(
      run([phase('hold', 100, { blocks: blocks(100, share) })]),
      after,
      [],
      [rule],
    );
    const change = figures.find(({ figure }) => figure === 'p99')?.change ?? assert.fail();
    const own = speeds.find(({ figure }) => figure === 'p99') ?? assert.fail();
    const judged = judgeSlower(rule, speeds, after);
    assert.ok(own.words.startsWith(change), `${change} | ${own.words}`);
    assert.equal(judged.words, `hold: ${own.words}`);
    if (own.answer === 'same') assert.equal(judged.outcome, 'kept');
    if (own.answer === 'unknown') assert.equal(judged.outcome, 'unknown');
  }
});

type Find = NonNullable<CapacityResults['find']>;

const search = (
  kind: Find['answer']['kind'],
  perSecond: number,
  misses: readonly number[] = [],
  conditions = ['p99 < 250ms'],
): CapacityResults => {
  const step = {
    phase: '',
    role: 'climb',
    seconds: 10,
    sent: 100,
    throughput: 1,
    p50: 1,
    p99: 1,
    errors: 0,
  } as const;
  const steps = misses.map((rate) => ({ ...step, perSecond: rate, outcome: 'misses' as const, reasons: [] }));
  return run([], [], {
    find: { conditions, most: 320, mostIs: 'plan', samples: 100, steps, answer: { kind, perSecond } },
  });
};

const FOUND: readonly (readonly [string, CapacityResults, CapacityResults, RegExp])[] = [
  ['a higher rate', search('found', 82, [86]), search('found', 108, [113]), /^82\/s 108\/s higher: higher$/],
  ['a lower rate', search('found', 98, [102]), search('none', 1), /^98\/s below 1\/s lower: lower$/],
  [
    'nearly the same rate',
    search('found', 82, [86]),
    search('found', 84, [88]),
    /^82\/s 84\/s same: no difference beyond 7\.3 %$/,
  ],
  [
    'no rate',
    search('found', 82, [86]),
    search('worse', 40),
    /^82\/s no rate can be named lost: cannot tell: a search that names no rate/,
  ],
  ['no rate twice', search('unsteady', 40), search('worse', 40), /unknown: cannot tell/],
  [
    'ranges that overlap',
    search('found', 80, [160]),
    search('found', 100, [200]),
    /unknown: cannot tell: what the two searches found overlaps/,
  ],
  [
    'the end of the plan',
    search('bound', 320),
    search('bound', 320),
    /^at least 320\/s at least 320\/s same: /,
  ],
  [
    'other conditions',
    search('found', 82, [86]),
    search('found', 82, [86], ['p99 < 1s']),
    /unknown: cannot tell: .* other conditions/,
  ],
  ['no search', run([]), search('found', 82, [86]), /^not searched 82\/s unknown: /],
];
for (const [what, before, after, expected] of FOUND)
  test(`the capacity of a search is compared with ${what}`, () => {
    const { found } = compareCapacity(before, after);
    assert.ok(found);
    assert.match(`${found.before} ${found.after} ${found.answer}: ${found.words}`, expected);
  });

test('runs that sent other requests cannot be compared, and those with other thresholds can', () => {
  const asked = { phases: ['hold 10 s at 100/s'], operations: [], keys: [], rules: [] };
  const one = run([], [threshold('met', 1)], { asked });
  const faster = run([], [threshold('met', 1)], { asked: { ...asked, phases: ['hold 10 s at 200/s'] } });
  const more = [threshold('met', 1), { ...threshold('missed', 1), text: 'p50 < 1ms' }];
  assert.equal(compareCapacity(one, faster).whyNot, 'the scenarios differ');
  assert.equal(compareCapacity(one, run([], more, { asked })).whyNot, null);
});

/** Why runs with these outcomes of one threshold cannot be compared. */
const whyNot = (before: ThresholdResult['outcome'], after: ThresholdResult['outcome']): string | null =>
  compareCapacity(
    run([phase('hold', 100)], [threshold(before, 100)]),
    run([phase('hold', 100)], [threshold(after, 100)]),
  ).whyNot;

test('runs of which no threshold was judged in both, and no speed is known, are not compared', () => {
  for (const [before, after] of [
    ['inconclusive', 'inconclusive'],
    ['met', 'inconclusive'],
    ['inconclusive', 'met'],
  ] as const)
    assert.equal(whyNot(before, after), 'no threshold was judged in both', `${before}, ${after}`);
  assert.equal(whyNot('met', 'met'), null);
  assert.equal(whyNot('inconclusive', 'missed'), null, 'a threshold that is newly missed is told');
});
