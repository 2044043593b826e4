import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequirementId } from '../contract/types.js';
import { blockedBy } from '../findings/finding.js';
import { withBlocked } from './blocked.js';
import type { RequirementResult } from './results.js';

const row = (id: RequirementId, change: Partial<RequirementResult>): RequirementResult => ({
  id,
  level: 'must',
  part: 4,
  statement: '',
  outcome: 'passed',
  findings: [],
  evidence: 0,
  ...change,
});

const broken = row('create-ok', {
  outcome: 'failed',
  findings: [{ message: '“POST /pets, a valid animal” got 404', exchanges: ['x3'] }],
});

const open = (id: RequirementId, text: string) =>
  row(id, { outcome: 'inconclusive', reason: { code: 'prerequisite', text } });

const heldUp = (rows: readonly RequirementResult[], findings: Parameters<typeof withBlocked>[1] = []) =>
  withBlocked(rows, findings).flatMap(({ id, heldUpBy }) => (heldUpBy ? [[id, ...heldUpBy]] : []));

test('a blocked requirement names the one in its reason, its request or its exchange', () => {
  const named = open('get-ok', blockedBy('create-ok', '“POST /pets, x” returned 404 instead of 201'));
  const quoted = open('create-missing-field', blockedBy(null, '“POST /pets, a valid animal” did not succeed either'));
  const shared = open('get-unknown', 'the run knows no animal with an id');
  const stood = {
    kind: 'inconclusive',
    requirement: 'get-unknown',
    reason: shared.reason!,
    exchanges: ['x3'],
  } as const;
  assert.deepEqual(heldUp([broken, named, quoted, shared], [stood]), [
    ['get-ok', 'create-ok'],
    ['create-missing-field', 'create-ok'],
    ['get-unknown', 'create-ok'],
  ]);
});

test('a passed requirement or another reason blocks nothing', () => {
  const named = open('get-ok', blockedBy('create-ok', '“POST /pets, x” returned 404'));
  assert.deepEqual(heldUp([{ ...broken, outcome: 'passed' }, named]), []);
  const other = row('list-ok', {
    outcome: 'inconclusive',
    reason: { code: 'transport', text: blockedBy('create-ok', 'reset') },
  });
  assert.deepEqual(heldUp([broken, other]), []);
});

test('a requirement blocked by an inconclusive one does not repeat its reason', () => {
  const limit = row('rate-429', {
    outcome: 'inconclusive',
    reason: { code: 'headers-missing', text: 'no header tells' },
  });
  const rests = open('rate-window', blockedBy('rate-429', 'Free is not limited within one window.'));
  assert.deepEqual(
    withBlocked([limit, rests], []).map(({ reason, heldUpBy }) => [reason?.text, heldUpBy]),
    [
      ['no header tells', undefined],
      ['it depends on rate-429, which could not be determined', undefined],
    ],
  );
});
