import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequirementId } from '../../base/interface/types.js';
import { about, blocked, type Finding } from '../../judge/findings/finding.js';
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

/** An open row with its finding. */
function open(id: RequirementId, by: RequirementId | null, exchanges: readonly string[] = []) {
  const finding = about(
    id,
    blocked(
      by,
      '“POST /pets, x” returned 404 instead of 201',
      exchanges.map((each) => ({ id: each })),
    ),
  );
  assert.ok(finding.kind === 'inconclusive');
  return { row: row(id, { outcome: 'inconclusive', reason: finding.reason }), finding };
}

/** Two requests: the first in the exchanges x3 and x5, the second in x4. */
const exchanges = (['x3', 'x4', 'x5'] as const).map((id) => ({
  id,
  probe: id === 'x4' ? 'GET /pets' : 'POST /pets, a valid animal',
  intent: { kind: 'expects', statuses: [200], chargedTo: 'list-ok' } as const,
  answer: { kind: 'response', status: id === 'x4' ? 503 : 404, headers: [], text: '' } as const,
}));

const heldUp = (rows: readonly RequirementResult[], findings: readonly Finding[]) =>
  withBlocked(rows, { findings, exchanges }).flatMap(({ id, heldUpBy }) =>
    heldUpBy ? [[id, ...heldUpBy]] : [],
  );

test('a blocked requirement names the one in its finding, or the one that its request violated', () => {
  const named = open('get-ok', 'create-ok');
  const shared = open('get-unknown', null, ['x5']);
  const other = open('list-ok', null, ['x4']);
  const all = [named, shared, other];
  assert.deepEqual(
    heldUp(
      [broken, ...all.map((each) => each.row)],
      all.map(({ finding }) => finding),
    ),
    [
      ['get-ok', 'create-ok'],
      ['get-unknown', 'create-ok'],
    ],
  );
});

test('a passed requirement or another reason blocks nothing', () => {
  const named = open('get-ok', 'create-ok');
  assert.deepEqual(heldUp([{ ...broken, outcome: 'passed' }, named.row], [named.finding]), []);
  const reason = { code: 'transport', text: named.row.reason?.text ?? '' } as const;
  assert.deepEqual(heldUp([broken, { ...named.row, reason }], [{ ...named.finding, reason }]), []);
});

for (const outcome of ['passed', 'warned', 'not-applicable', 'observed'] as const)
  test(`a requirement that names a row which is ${outcome} is open for what was received`, () => {
    const unavailable = open('get-ok', 'create-ok', ['x4']);
    const other = open('get-unknown', 'create-ok', ['x5']);
    const unnamed = open('pet-shape', null, ['x4']);
    const all = [unavailable, other, unnamed];
    const findings = all.map(({ finding }) => finding);
    const rows = withBlocked([{ ...broken, outcome, findings: [] }, ...all.map((each) => each.row)], {
      findings,
      exchanges,
    });
    const text = '“POST /pets, x” returned 404 instead of 201';
    assert.deepEqual(
      rows.slice(1).map(({ reason, heldUpBy }) => [reason, heldUpBy]),
      [
        [{ code: 'unavailable', text }, undefined],
        [{ code: 'prerequisite', text }, undefined],
        [{ code: 'unavailable', text }, undefined],
      ],
    );
  });

test('a requirement is blocked by the failed row of its request, and not by the one that its finding names', () => {
  const named = open('get-ok', 'list-ok', ['x5']);
  const [, row] = withBlocked([broken, named.row], { findings: [named.finding], exchanges });
  assert.equal(row?.reason?.text, 'blocked by create-ok: “POST /pets, x” returned 404 instead of 201');
  assert.deepEqual(row.heldUpBy, ['create-ok']);
});

test('a requirement blocked by an inconclusive one has its code, and so its remedy, and does not repeat its text', () => {
  const limit = row('rate-429', {
    outcome: 'inconclusive',
    reason: { code: 'headers-missing', text: 'no header tells' },
  });
  const rests = open('rate-window', 'rate-429');
  assert.deepEqual(
    withBlocked([limit, rests.row], { findings: [rests.finding], exchanges }).map(({ reason, heldUpBy }) => [
      reason,
      heldUpBy,
    ]),
    [
      [{ code: 'headers-missing', text: 'no header tells' }, undefined],
      [{ code: 'headers-missing', text: 'it depends on rate-429, which could not be determined' }, undefined],
    ],
  );
});
