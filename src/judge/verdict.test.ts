import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Finding } from './findings/finding.js';
import type { Level } from '../base/interface/types.js';
import {
  EXIT_CODES,
  fold,
  outcomeOf,
  partlyOf,
  exitCodeOf,
  reasonOf,
  trafficVerdict,
  verdictOf,
  WORST_FIRST,
  type Outcome,
  type Verdict,
} from './verdict.js';

const requirement = 'list-ok';
const KEPT: Finding = { kind: 'kept', requirement, exchanges: ['x1'] };
const VIOLATED: Finding = { kind: 'violated', requirement, message: 'm', exchanges: ['x1'] };
const SOFTENED: Finding = { kind: 'violated', requirement, message: 'm', warns: true, exchanges: ['x1'] };
const OBSERVED: Finding = { kind: 'observed', requirement, value: 'v', exchanges: [] };
const UNSURE: Finding = {
  kind: 'inconclusive',
  requirement,
  reason: { code: 'transport', text: 't' },
  exchanges: [],
};
const OUTSIDE: Finding = { kind: 'not-applicable', requirement, reason: { code: 'no-key', text: 'n' } };
const LEFT: Finding = { kind: 'untried', requirement, what: 'limit=100 (two animals are there)' };
const FAULT: Finding = { kind: 'fault', requirement, message: 'm' };

const OUTCOMES: readonly (readonly [
  finding: Finding,
  ...byLevel: [must: Outcome, should: Outcome, may: Outcome, open: Outcome],
])[] = [
  [KEPT, 'passed', 'passed', 'observed', 'observed'],
  [VIOLATED, 'failed', 'warned', 'observed', 'observed'],
  [SOFTENED, 'warned', 'warned', 'warned', 'warned'],
  [OBSERVED, 'observed', 'observed', 'observed', 'observed'],
  [UNSURE, 'inconclusive', 'inconclusive', 'inconclusive', 'inconclusive'],
  [OUTSIDE, 'not-applicable', 'not-applicable', 'not-applicable', 'not-applicable'],
  [FAULT, 'error', 'error', 'error', 'error'],
];
const LEVELS: readonly Level[] = ['must', 'should', 'may', 'open'];

for (const [finding, ...byLevel] of OUTCOMES)
  for (const [at, level] of LEVELS.entries())
    test(`${finding.kind}${finding === SOFTENED ? ' (warning only)' : ''} on a "${level}" requirement is ${byLevel[at]}`, () =>
      assert.equal(outcomeOf(level, finding), byLevel[at]));

const FOLDS: readonly (readonly [level: Level, findings: readonly Finding[], outcome: Outcome])[] = [
  ['must', [], 'inconclusive'],
  ['open', [], 'inconclusive'],
  ['must', [OBSERVED], 'inconclusive'],
  ['should', [OBSERVED, OUTSIDE], 'inconclusive'],
  ['open', [OBSERVED], 'observed'],
  ['may', [KEPT], 'observed'],
  ['must', [KEPT, OBSERVED], 'passed'],
  ['must', [KEPT, OUTSIDE], 'passed'],
  ['must', [OUTSIDE], 'not-applicable'],
  ['must', [LEFT], 'inconclusive'],
  ['must', [KEPT, LEFT], 'passed'],
  ['must', [VIOLATED, LEFT], 'failed'],
  ['must', [OUTSIDE, LEFT], 'not-applicable'],
  ['must', [KEPT, SOFTENED], 'warned'],
  ['must', [SOFTENED, UNSURE], 'inconclusive'],
  ['must', [UNSURE, VIOLATED, KEPT], 'failed'],
  ['should', [UNSURE, VIOLATED], 'inconclusive'],
  ['should', [KEPT, VIOLATED], 'warned'],
  ['must', [VIOLATED, FAULT], 'error'],
  ['open', [KEPT, FAULT], 'error'],
];

for (const [level, findings, outcome] of FOLDS)
  test(`${findings.map(({ kind }) => kind).join(' and ') || 'nothing'} on a "${level}" requirement gives ${outcome}`, () => {
    assert.equal(fold(level, findings), outcome);
    assert.equal(fold(level, findings.toReversed()), outcome);
  });

test('an untested part does not change an outcome', () => {
  for (const [finding, ...byLevel] of OUTCOMES)
    for (const [at, level] of LEVELS.entries())
      assert.equal(fold(level, [finding, LEFT]), fold(level, [finding]), `${finding.kind}, ${byLevel[at]}`);
});

test('only a pass lists its untested parts, each once', () => {
  const findings = [KEPT, LEFT, OUTSIDE, LEFT, { ...LEFT, what: 'a filter.' }];
  assert.deepEqual(partlyOf('passed', findings), ['limit=100 (two animals are there)', 'n', 'a filter']);
  assert.deepEqual(partlyOf('passed', [KEPT, OBSERVED]), []);
  for (const outcome of WORST_FIRST.filter((other) => other !== 'passed'))
    assert.deepEqual(partlyOf(outcome, findings), []);
});

const anyFinding = fc.constantFrom(KEPT, VIOLATED, SOFTENED, OBSERVED, UNSURE, OUTSIDE, FAULT);
const anyLevel = fc.constantFrom(...LEVELS);
const badness = (outcome: Outcome): number => -WORST_FIRST.indexOf(outcome);

test('an additional finding never improves an outcome, unless nothing was judged before', () => {
  fc.assert(
    fc.property(anyLevel, fc.array(anyFinding), anyFinding, (level, findings, more) => {
      const before = fold(level, findings);
      const isUnjudged = findings.every(({ kind }) => kind === 'observed' || kind === 'not-applicable');
      if (isUnjudged && before === 'inconclusive') return;
      assert.ok(badness(fold(level, [...findings, more])) >= badness(before));
    }),
  );
});

test('an outcome does not depend on the order of findings', () => {
  fc.assert(
    fc.property(anyLevel, fc.array(anyFinding), (level, findings) => {
      assert.equal(fold(level, findings), fold(level, findings.toReversed()));
      assert.equal(fold(level, findings), fold(level, [...findings, ...findings]));
    }),
  );
});

test('a pass requires a kept finding and no violation', () => {
  fc.assert(
    fc.property(anyLevel, fc.array(anyFinding), (level, findings) => {
      if (fold(level, findings) !== 'passed') return;
      assert.ok(findings.includes(KEPT) && !findings.includes(VIOLATED) && !findings.includes(SOFTENED));
    }),
  );
});

test('the reason of an outcome comes from a finding that caused it', () => {
  assert.equal(reasonOf('must', 'inconclusive', [OUTSIDE, KEPT, UNSURE])?.code, 'transport');
  assert.equal(reasonOf('must', 'not-applicable', [OUTSIDE])?.code, 'no-key');
  assert.equal(reasonOf('must', 'passed', [KEPT, OUTSIDE]), undefined);
});

type Rows = readonly (readonly [level: Level, outcome: Outcome])[];

const VERDICTS: readonly (readonly [rows: Rows, complete: boolean, verdict: Verdict])[] = [
  [[], true, 'inconclusive'],
  [[['must', 'passed']], true, 'conformant'],
  [[['must', 'passed']], false, 'inconclusive'],
  [
    [
      ['must', 'passed'],
      ['should', 'warned'],
    ],
    true,
    'conformant',
  ],
  [
    [
      ['must', 'passed'],
      ['must', 'warned'],
    ],
    true,
    'conformant',
  ],
  [
    [
      ['must', 'passed'],
      ['should', 'inconclusive'],
      ['open', 'inconclusive'],
    ],
    true,
    'conformant',
  ],
  [
    [
      ['must', 'passed'],
      ['must', 'not-applicable'],
    ],
    true,
    'conformant',
  ],
  [
    [
      ['must', 'not-applicable'],
      ['open', 'not-applicable'],
    ],
    true,
    'inconclusive',
  ],
  [
    [
      ['must', 'not-applicable'],
      ['should', 'inconclusive'],
    ],
    true,
    'inconclusive',
  ],
  [[['should', 'warned']], true, 'conformant'],
  [[['open', 'observed']], true, 'conformant'],
  [
    [
      ['must', 'passed'],
      ['must', 'inconclusive'],
    ],
    true,
    'inconclusive',
  ],
  [
    [
      ['must', 'inconclusive'],
      ['must', 'failed'],
    ],
    true,
    'non-conformant',
  ],
  [[['must', 'failed']], false, 'non-conformant'],
  [
    [
      ['must', 'failed'],
      ['open', 'error'],
    ],
    true,
    'error',
  ],
  [[['should', 'error']], false, 'error'],
];

for (const [rows, complete, verdict] of VERDICTS)
  test(`${rows.map((row) => row.join(' ')).join(', ') || 'no requirements'}, ${complete ? 'complete' : 'interrupted'}: ${verdict}`, () => {
    assert.equal(
      verdictOf(
        rows.map(([level, outcome]) => ({ level, outcome })),
        { complete, fault: false },
      ),
      verdict,
    );
  });

test('an error of the kit outside any requirement gives the verdict "error"', () => {
  for (const complete of [true, false])
    for (const outcome of ['passed', 'failed'] as const)
      assert.equal(verdictOf([{ level: 'must', outcome }], { complete, fault: true }), 'error');
});

test('a target conforms only if the run is complete and every "must" requirement passed', () => {
  const row = fc.record({ level: anyLevel, outcome: fc.constantFrom(...WORST_FIRST) });
  fc.assert(
    fc.property(fc.array(row), fc.boolean(), (rows, complete) => {
      if (verdictOf(rows, { complete, fault: false }) !== 'conformant') return;
      assert.ok(complete);
      const musts = rows.filter(({ level }) => level === 'must');
      assert.ok(musts.every(({ outcome }) => !['failed', 'inconclusive', 'error'].includes(outcome)));
    }),
  );
});

test('each verdict has its own exit code', () => {
  assert.deepEqual(EXIT_CODES, { conformant: 0, 'non-conformant': 1, error: 2, inconclusive: 3 });
});

const row = (level: Level, outcome: Outcome) => ({ level, outcome });

test('traffic never conforms: what nothing violates is inconclusive, and clean where a must was seen to hold', () => {
  const end = { complete: true, fault: false };
  const clean = [row('must', 'passed'), row('should', 'warned'), row('must', 'not-applicable')];
  assert.deepEqual(trafficVerdict(clean, end), { verdict: 'inconclusive', clean: true });
  assert.equal(exitCodeOf(trafficVerdict(clean, end)), 0);
  for (const [rows, verdict, code] of [
    [[...clean, row('must', 'failed')], 'non-conformant', 1],
    [[...clean, row('must', 'inconclusive')], 'inconclusive', 3],
    [[row('should', 'passed'), row('open', 'observed')], 'inconclusive', 3],
    [[], 'inconclusive', 3],
    [[...clean, row('must', 'error')], 'error', 2],
  ] as const) {
    const judged = trafficVerdict(rows, end);
    assert.deepEqual(judged, { verdict, clean: false });
    assert.equal(exitCodeOf(judged), code);
  }
  assert.deepEqual(trafficVerdict(clean, { ...end, complete: false }), {
    verdict: 'inconclusive',
    clean: false,
  });
});
