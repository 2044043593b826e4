import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXAMPLE_HEADER } from '../../report/example-header.test.support.js';
import { exampleLog, exampleResults, type ExampleChanges } from '../../report/example-run.test.support.js';
import { loadLedger } from '../../base/interface/ledger.js';
import { resultsOf } from './results.js';

const obstacle = { code: 'refused', message: 'x', short: 'x', hint: 'y' } as const;

/** Returns the results of a run that could not start. */
function unstarted(scope: Partial<(typeof EXAMPLE_HEADER)['scope']>, changes: ExampleChanges = {}) {
  const log = exampleLog({ header: { scope: { ...EXAMPLE_HEADER.scope, ...scope } }, ...changes });
  const { footer } = log;
  assert.ok(footer);
  const { requirements } = resultsOf(
    { ...log, findings: [], footer: { ...footer, obstacle } },
    loadLedger().requirements,
  );
  return new Map(requirements.map(({ id, outcome, reason }) => [id, `${outcome} ${reason?.code}`] as const));
}

const OPEN = 'inconclusive not-started';

test('a run of the suites that cannot start leaves no row open that only load decides', () => {
  const rows = unstarted({ selection: { only: 'suites' } });
  for (const id of ['rate-all-operations', 'rate-429', 'rate-window'] as const)
    assert.equal(rows.get(id), 'not-applicable not-selected', id);
  for (const id of ['rate-remaining-counts', 'rate-limit-value', 'rate-headers-present', 'list-ok'] as const)
    assert.equal(rows.get(id), OPEN, id);
});

test('a whole run that cannot start leaves open what it would have judged', () => {
  const rows = unstarted({ selection: null });
  assert.equal(rows.get('rate-all-operations'), OPEN);
  for (const id of ['ban-observed', 'rate-day-quota'] as const)
    assert.equal(rows.get(id), 'not-applicable opt-in', id);
  assert.equal(rows.get('ban-only-after-abuse'), OPEN);
  const included = unstarted({ selection: null, includes: ['ban'] });
  assert.equal(included.get('ban-observed'), OPEN);
  assert.equal(included.get('rate-day-quota'), 'not-applicable opt-in');
});

test('a row of after the removal is open only after it', () => {
  assert.equal(unstarted({ asOf: '2026-11-20' }).get('get-after-removal'), 'not-applicable removal-date');
  assert.equal(unstarted({ asOf: '2031-01-01' }).get('get-after-removal'), OPEN);
});

test('a run that could not start has the rows out of scope that the same run has when it can', () => {
  const dead = unstarted({ selection: null });
  for (const { id, outcome } of exampleResults().requirements)
    if (outcome === 'not-applicable') assert.match(dead.get(id) ?? '', /^not-applicable/, id);
});
