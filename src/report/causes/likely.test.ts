import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequirementId } from '../../contract/types.js';
import type { RequirementResult, Results } from '../../verdict/results.js';
import { likelyCauses } from './likely.js';
import { symptomsOf } from './symptoms.js';

type Shown = Pick<Results, 'requirements' | 'exchanges'>;

const row = (
  id: RequirementId,
  outcome: RequirementResult['outcome'],
  message?: string,
  actual?: string,
): RequirementResult => ({
  id,
  level: 'must',
  part: 8,
  statement: '',
  outcome,
  findings: message === undefined ? [] : [{ message, ...(actual !== undefined && { actual }), exchanges: [] }],
  evidence: 1,
});

const run = (...requirements: readonly RequirementResult[]): Shown => ({ requirements, exchanges: [] });

const flaw = (name: string, shown: Shown) => ({ name, title: `The title of ${name}.`, symptoms: symptomsOf(shown) });

const ON_401 = run(row('rate-headers-present', 'failed', 'an answer has no rate headers', '401'));
const ON_404 = run(row('rate-headers-present', 'failed', 'an answer has no rate headers', 'not found'));
const OFF_BY_ONE = run(
  row('rate-429', 'failed', '61 were served, and the plan has 60'),
  row('rate-window', 'failed', '61 in one window'),
);
const KNOWN = [flaw('on-401', ON_401), flaw('on-404', ON_404), flaw('off-by-one', OFF_BY_ONE)];

const told = (shown: Shown, known = KNOWN) =>
  likelyCauses(shown, known).map(({ flaws, rows }) => [flaws.map(({ name }) => name), rows]);

test('a run that shows what a known mistake shows looks like it, and like no other', () => {
  assert.deepEqual(told(ON_401), [[['on-401'], ['rate-headers-present']]]);
});

test('rows of one cause are named together, the first leads; numbers make no difference', () => {
  const other = run(
    row('rate-429', 'failed', '301 were served, and the plan has 300'),
    row('rate-window', 'failed', '301 in one window'),
  );
  assert.deepEqual(told(other), [[['off-by-one'], ['rate-429', 'rate-window']]]);
});

test('two mistakes at once are told apart', () => {
  const both = run(...ON_404.requirements, ...OFF_BY_ONE.requirements);
  assert.deepEqual(told(both), [
    [['on-404'], ['rate-headers-present']],
    [['off-by-one'], ['rate-429', 'rate-window']],
  ]);
});

test('where nothing fails nothing is likely, nor where nothing known fits', () => {
  assert.deepEqual(told(run(row('rate-429', 'passed'), row('rate-window', 'inconclusive'))), []);
  assert.deepEqual(told(run(row('auth-challenge', 'warned', 'no challenge'))), []);
  assert.deepEqual(told(run(row('rate-429', 'failed', 'something else altogether', 'of another kind'))), []);
});

test('what more than three mistakes show alike is laid at the door of none', () => {
  const alike = ['a', 'b', 'c', 'd'].map((name) => flaw(name, ON_401));
  assert.deepEqual(told(ON_401, alike.slice(0, 3)), [[['a', 'b', 'c'], ['rate-headers-present']]]);
  assert.deepEqual(told(ON_401, alike), []);
});

test('a proof without symptoms says nothing', () => {
  const known = KNOWN.map(({ name, title }) => ({ name, title }));
  assert.deepEqual(likelyCauses(ON_401, known), []);
});
