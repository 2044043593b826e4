import assert from 'node:assert/strict';
import { test } from 'node:test';
import { underLoad } from '../../judge/findings/finding.js';
import type { PlanName, RequirementId } from '../../base/interface/types.js';
import type { ResultFinding } from '../../outcome/results/results.js';
import { likewiseWords, timesWords } from '../../outcome/words/findings.js';
import { alikeFindings, distinctFindings } from './merge-findings.js';

const finding = (message: string, actual: string) => ({
  message,
  expected: '201',
  actual,
  exchanges: ['x1'],
});

/** Merges the findings of a row as its view does. */
const merged = (
  { id, findings }: { readonly id: string; readonly findings: readonly ResultFinding[] },
  exchanges: Parameters<typeof alikeFindings>[1],
) => alikeFindings({ id, findings: distinctFindings(findings) }, exchanges);

const asked = (chargedTo: RequirementId, status: number) =>
  new Map([['x1', { intent: { kind: 'expects', statuses: [status], chargedTo } as const }]]);

test('faults that differ only in the quoted request count as one', () => {
  const findings = [
    finding('“POST /pets, a valid animal” got 500', '500'),
    finding('“POST /pets, status sold” got 500', '500'),
    finding('“POST /pets, status sold” got 500', '500'),
    finding('the id of animal 3 is not an integer', '"3"'),
  ];
  const faults = merged({ id: 'create-ok', findings }, asked('create-ok', 201));
  assert.deepEqual(
    faults.map((fault) => [fault.message, timesWords(fault, 'list-ok')]),
    [
      ['“POST /pets, a valid animal” got 500', ' (and in 2 more responses)'],
      ['the id of animal 3 is not an integer', ''],
    ],
  );
});

test('wrongly accepted requests are listed singly only in their own requirement', () => {
  const findings = [finding('“name null” got 201', '201'), finding('“name 1” got 201', '201')];
  const told = (id: RequirementId) => merged({ id, findings }, asked('create-invalid-value', 400)).length;
  assert.deepEqual([told('create-invalid-value'), told('error-shape')], [2, 1]);
});

const served = (plan: PlanName, amount: string) => ({
  ...finding(`The ${plan} plan gets more than its allowance.`, `${amount} requests served`),
  plan,
  exchanges: [],
});

test('the same fault on several plans appears once, with the value of each', () => {
  const [fault, ...others] = merged(
    { id: 'rate-429', findings: [served('free', '61'), served('pro', '301'), served('business', '1,001')] },
    new Map(),
  );
  assert.ok(fault && others.length === 0);
  assert.equal(fault.message, 'The free plan gets more than its allowance.');
  assert.equal(timesWords(fault, 'list-ok'), '');
  assert.equal(likewiseWords(fault), 'pro: 301 requests served; business: 1,001 requests served');
  const alike = merged({ id: 'rate-429', findings: [served('free', '6'), served('pro', '6')] }, new Map());
  assert.deepEqual(alike.map(likewiseWords), ['pro']);
});

const malformed = (expected: string, actual: string) => ({
  message: 'The free plan got a malformed rate header.',
  expected,
  actual,
  exchanges: [],
});

test('two faults with one message are distinguished by what was expected', () => {
  const findings = [
    malformed('Unix seconds', 'Reset: 1790000000000'),
    malformed('0 or more', 'Remaining: -1'),
  ];
  const faults = merged({ id: 'rate-headers-wellformed', findings }, new Map());
  assert.deepEqual(
    faults.map((fault) => [fault.actual, timesWords(fault, 'list-ok')]),
    [
      ['Reset: 1790000000000', ''],
      ['Remaining: -1', ''],
    ],
  );
});

test('a fault that load shows too appears once, with the places under load', () => {
  const seen = (place: string) => ({
    ...finding(underLoad('the id of animal 1 is not an integer', place, 'GET /v1/pets?limit=1'), '"1"'),
    exchanges: [],
  });
  const findings = [
    finding('the id of animal 1 is not an integer', '"1"'),
    finding('the id of animal 4 is not an integer', '"4"'),
    seen('burst pro'),
    seen('burst pro'),
    seen('burst free'),
    seen('day-quota free'),
  ];
  const [fault, ...others] = merged({ id: 'pet-shape', findings }, new Map());
  assert.ok(fault && others.length === 0);
  assert.equal(fault.message, 'the id of animal 1 is not an integer');
  assert.equal(timesWords(fault, 'list-ok'), ' (and in 1 more response)');
  assert.equal(timesWords(fault, 'client-int64'), ' (and in 1 more request)');
  assert.equal(likewiseWords(fault), 'under load (burst pro, burst free, day-quota free)');
  const [alone, ...more] = merged({ id: 'pet-shape', findings: findings.slice(2) }, new Map());
  assert.ok(alone && more.length === 0);
  assert.match(alone.message, /under load, burst pro, GET/);
  assert.equal(likewiseWords(alone), 'under load (burst free, day-quota free)');
});
