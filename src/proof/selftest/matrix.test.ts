import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequirementId } from '../../base/interface/types.js';
import type { Results } from '../../outcome/results/results.js';
import type { Outcome } from '../../judge/verdict.js';
import { isOnlyUnestablished, matrixOf, rowOf, type Subject } from './matrix.js';
import { matrixTable, proofOf, proofText } from './present.js';

const flaw: Subject = {
  kind: 'flaw',
  name: 'a-flaw',
  title: 'A mistake.',
  turns: ['list-ok'],
  families: [],
  also: ['get-ok'],
};
const variant: Subject = {
  kind: 'variant',
  name: 'a-variant',
  title: 'A difference.',
  expect: 'conformant',
  warns: ['auth-challenge'],
  clouds: ['pet-int64'],
};

type Outcomes = readonly (readonly [id: RequirementId, outcome: Outcome])[];

const results = (outcomes: Outcomes): Pick<Results, 'requirements' | 'exchanges'> => ({
  exchanges: [],
  requirements: outcomes.map(([id, outcome]) => ({
    id,
    level: 'must',
    part: 4,
    statement: '',
    outcome,
    findings: [],
    evidence: 0,
  })),
});

const cases: readonly (readonly [what: string, subject: Subject, outcomes: Outcomes, ok: boolean])[] = [
  [
    'a flaw that violates its declared requirement',
    flaw,
    [
      ['list-ok', 'failed'],
      ['pet-shape', 'passed'],
    ],
    true,
  ],
  [
    'a flaw that also violates an allowed requirement',
    flaw,
    [
      ['list-ok', 'failed'],
      ['get-ok', 'failed'],
    ],
    true,
  ],
  ['a flaw that only warns', flaw, [['list-ok', 'warned']], true],
  [
    'a flaw whose dependants are inconclusive',
    flaw,
    [
      ['list-ok', 'failed'],
      ['pet-shape', 'inconclusive'],
    ],
    true,
  ],
  ['an undetected flaw', flaw, [['list-ok', 'passed']], false],
  ['a flaw with an inconclusive requirement', flaw, [['list-ok', 'inconclusive']], false],
  [
    'a flaw that fails another requirement',
    flaw,
    [
      ['list-ok', 'failed'],
      ['pet-shape', 'failed'],
    ],
    false,
  ],
  [
    'a flaw that causes an error of the kit',
    flaw,
    [
      ['list-ok', 'failed'],
      ['pet-shape', 'error'],
    ],
    false,
  ],
  ['a variant that passes', variant, [['list-ok', 'passed']], true],
  ['a variant that warns as declared', variant, [['auth-challenge', 'warned']], true],
  ['a variant that is inconclusive as declared', variant, [['pet-int64', 'inconclusive']], true],
  ['a variant with another inconclusive requirement', variant, [['list-ok', 'inconclusive']], false],
  ['a variant that fails', variant, [['list-ok', 'failed']], false],
];

for (const [what, subject, outcomes, ok] of cases)
  test(`${what} is ${ok ? 'as declared' : 'an error'}`, () =>
    assert.equal(rowOf(subject, results(outcomes), 0).ok, ok));

for (const [what, subject, outcomes, only] of [
  ['a flaw with an inconclusive requirement', flaw, [['list-ok', 'inconclusive']], true],
  [
    'an undetected flaw',
    flaw,
    [
      ['list-ok', 'passed'],
      ['pet-shape', 'inconclusive'],
    ],
    false,
  ],
  [
    'a flaw that fails another requirement',
    flaw,
    [
      ['list-ok', 'inconclusive'],
      ['pet-shape', 'failed'],
    ],
    false,
  ],
  [
    'a detected flaw',
    flaw,
    [
      ['list-ok', 'failed'],
      ['pet-shape', 'inconclusive'],
    ],
    false,
  ],
  ['a variant with an inconclusive requirement', variant, [['list-ok', 'inconclusive']], true],
  [
    'a variant with a failure and an inconclusive requirement',
    variant,
    [
      ['list-ok', 'failed'],
      ['pet-shape', 'inconclusive'],
    ],
    false,
  ],
  ['a variant that passes', variant, [['list-ok', 'passed']], false],
] as const)
  test(`${what} may ${only ? '' : 'not '}result from a slow machine`, () => {
    const judged = results(outcomes);
    assert.equal(isOnlyUnestablished(rowOf(subject, judged, 0), judged), only);
  });

test('a requirement that no flaw violates leaves the kit unproven', () => {
  const rows = [rowOf(flaw, results([['list-ok', 'failed']]), 0)];
  assert.equal(matrixOf(rows, ['list-ok']).ok, true);
  assert.deepEqual(matrixOf(rows, ['list-ok', 'pet-shape']).unproven, ['pet-shape']);
  assert.equal(matrixOf(rows, ['list-ok', 'pet-shape']).ok, false);
});

test('the matrix lists flaws by requirement, and all variants, in 80 columns', () => {
  const many = Array.from({ length: 9 }, (_, at) => ({ ...flaw, name: `a-mistake-of-somebody-${at}` }));
  const rows = [
    ...many.map((subject) => rowOf(subject, results([['list-ok', 'failed']]), 0)),
    rowOf(
      flaw,
      results([
        ['list-ok', 'failed'],
        ['get-ok', 'failed'],
        ['pet-shape', 'passed'],
      ]),
      0,
    ),
    rowOf(
      variant,
      results([
        ['list-ok', 'passed'],
        ['auth-challenge', 'warned'],
      ]),
      0,
    ),
  ];
  const lines = matrixTable(matrixOf(rows, []), ['pet-shape', 'get-ok', 'list-ok', 'auth-challenge']);
  assert.ok(lines.every(({ length }) => length <= 80));
  assert.match(lines[1] ?? '', /^ {2}get-ok {3}a-flaw$/);
  assert.match(lines[2] ?? '', /^ {2}list-ok {2}a-mistake-of-somebody-0, /);
  const text = lines.join('\n');
  for (const { name } of many) assert.ok(text.includes(name), name);
  assert.match(text, /conformant variants\n {2}a-variant/);
  assert.doesNotMatch(text, /pet-shape|auth-challenge/);
});

test('the proof has one line per flaw and variant, and is read back unchanged', () => {
  const rows = [flaw, variant].map((subject) => rowOf(subject, results([['list-ok', 'passed']]), 0));
  const proof = proofOf(matrixOf(rows, []), '1.0.0', '2026-11-20');
  const text = proofText(proof);
  assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(proof)));
  for (const { name } of [...proof.flaws, ...proof.variants])
    assert.equal(text.split('\n').filter((line) => line.startsWith(`{"name":"${name}"`)).length, 1);
});
