import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadLedger } from '../base/interface/ledger.js';
import type { RequirementId } from '../base/interface/types.js';
import {
  exampleExchange,
  exampleLog,
  exampleProfile,
  exampleResults,
  inconclusive,
  notApplicable,
  violated,
  type ExampleChanges,
} from '../report/example-run.test.support.js';
import { EXAMPLE_HEADER } from '../report/example-header.test.support.js';
import { resultsOf } from '../outcome/results/results.js';
import { kindOfRequest, retryOf } from '../outcome/results/retry.js';
import { openRows, retriesOf, testsOf } from './last-failed.js';
import { runToCompare, type EarlierRun } from './report-dir.js';
import type { Selection } from '../log/header-record.js';
import { needsLoad, needsSuites } from './select.js';

const rows = loadLedger().requirements;

const run = (changes: ExampleChanges) => ({ directory: 'reports/a', results: exampleResults(changes) });
const BROKEN = run({ findings: [violated('error-shape'), violated('list-ok')] });
const SOUND = run({});
const UNSURE = run({ findings: [inconclusive('error-shape')] });
const ASIDE = run({ findings: [notApplicable('get-ok'), violated('get-ok')] });
const NARROW = run({ header: { scope: { ...EXAMPLE_HEADER.scope, selected: ['list-ok'] } } });
const READ_ONLY = run({
  header: { scope: { ...EXAMPLE_HEADER.scope, writes: false } },
  findings: [
    { kind: 'kept', requirement: 'error-shape', exchanges: ['x1'] },
    { kind: 'untried', requirement: 'error-shape', what: 'responses of createPet 400' },
  ],
});
const CASES = [
  ['a failure', [BROKEN], ['error-shape', 'list-ok']],
  ['a fixed failure', [SOUND, BROKEN], []],
  ['a failure and an inconclusive run', [UNSURE, BROKEN], ['error-shape']],
  ['a failure and a run without that requirement', [NARROW, BROKEN], ['error-shape']],
  ['a failure and a read-only run', [READ_ONLY, BROKEN], ['error-shape']],
  ['two read-only runs', [READ_ONLY, READ_ONLY, SOUND], []],
  ['an inconclusive run', [UNSURE, SOUND], ['error-shape']],
  ['a failure with a part not applicable', [ASIDE, SOUND], ['get-ok']],
] as const;

for (const [what, runs, open] of CASES)
  test(`after ${what}, ${open.join(', ') || 'nothing'} is unmet`, () =>
    assert.deepEqual(
      openRows(runs)
        .map(({ id }) => id)
        .toSorted(),
      open,
    ));

test('the run that showed a failure is named, even after inconclusive runs', () => {
  const [row] = openRows([UNSURE, UNSURE, BROKEN]);
  assert.equal(row?.shown?.run, BROKEN);
  assert.equal(openRows([UNSURE, SOUND])[0]?.shown, null);
});

/** Returns the results of the run that a new one is compared with. */
const compared = (runs: readonly EarlierRun[], selection: Selection | null) =>
  runToCompare(runs, selection, SOUND.results.target)?.results;

test('a run is compared with the newest started run of the same selection', () => {
  const { results } = SOUND;
  const obstacle = { code: 'refused', message: 'x', hint: 'y' } as const;
  const unstarted = { ...SOUND, results: { ...results, obstacle } };
  const narrow = {
    ...SOUND,
    results: { ...results, scope: { ...results.scope, selection: { only: 'suites' } } },
  } as const;
  assert.equal(compared([unstarted, BROKEN], null), BROKEN.results);
  assert.equal(compared([unstarted, narrow, BROKEN], null), BROKEN.results);
  assert.equal(compared([unstarted, narrow, BROKEN], { only: 'suites' }), narrow.results);
  assert.equal(compared([narrow], null), narrow.results);
  assert.equal(compared([unstarted], null), undefined);
});

test('a requirement that failed only under load needs load with the same key again', () => {
  const underLoad = { ...violated('error-shape'), exchanges: [] };
  const before = exampleResults({ findings: [underLoad], profiles: [exampleProfile(5)] });
  const broken = before.requirements.find(({ id }) => id === 'error-shape');
  assert.ok(broken);
  const retries = { rows: [retryOf(broken, null, before, null)], tests: [] };
  const asked = { selected: ['error-shape'], selection: { lastFailed: true }, retries } as const;
  assert.equal(needsLoad(asked), true);
  assert.equal(needsLoad({ ...asked, selection: { only: 'suites' } }), false);
  assert.equal(needsSuites(asked), true);
  const outcomeWith = (changes: ExampleChanges) => {
    const header = {
      ...EXAMPLE_HEADER,
      scope: { ...EXAMPLE_HEADER.scope, selected: ['error-shape' as const] },
      retries,
    };
    const { requirements } = resultsOf({ ...exampleLog(changes), header }, rows);
    return requirements.find(({ id }) => id === 'error-shape');
  };
  const without = outcomeWith({ profiles: [] });
  assert.equal(without?.outcome, 'inconclusive');
  assert.equal(without?.reason?.code, 'not-retried');
  assert.match(without?.reason?.text ?? '', /did not repeat the load with the free key$/);
  assert.equal(outcomeWith({ profiles: [exampleProfile(5)] })?.outcome, 'passed');
});

const kind = (probe: string, chargedTo: 'get-ok' | 'get-unknown') =>
  kindOfRequest({ probe, intent: { kind: 'expects', statuses: [200], chargedTo } });
const declared = (probe: string) => kindOfRequest({ probe, intent: { kind: 'declared', statuses: [200] } });

test('a request is equal in another store, apart from its ids', () => {
  assert.equal(kind('GET /pets/17', 'get-ok'), kind('GET /pets/4', 'get-ok'));
  assert.notEqual(kind('GET /pets/17', 'get-ok'), kind('GET /pets/17', 'get-unknown'));
  assert.equal(declared('GET /pets?limit=13&status=sold'), declared('GET /pets?status=sold&limit=7'));
  assert.notEqual(declared('GET /pets?limit=100'), declared('GET /pets?limit=20'));
});

/** A log in which each test of a list sent a request, some without a key. */
function logOfTests(settled: readonly RequirementId[], withoutKey: readonly RequirementId[]) {
  const exchanges = settled.map((test) =>
    withoutKey.includes(test)
      ? { ...exampleExchange({ id: test }), credential: { kind: 'none' } as const }
      : exampleExchange({ id: test }),
  );
  return { settled: new Set(settled), exchanges, askedBy: new Map(settled.map((test) => [test, test])) };
}

test('a failure is repeated by its own test and by those that sent its evidence', () => {
  const settled = ['auth-valid-key', 'auth-missing-key', 'get-ok', 'list-ok', 'pet-id-unique'] as const;
  const log = logOfTests(settled, ['auth-missing-key']);
  for (const [requirement, kind, senders, needed, others] of [
    ['get-ok', 'suite', ['get-ok'], ['get-ok'], ['auth-valid-key']],
    [
      'list-ok',
      'suite',
      ['auth-missing-key', 'list-ok'],
      ['auth-missing-key', 'list-ok'],
      ['auth-valid-key', 'get-ok'],
    ],
    ['auth-missing-key', 'suite', ['get-ok'], ['auth-missing-key', 'get-ok'], ['auth-valid-key']],
    ['get-ok', 'suite', [], ['get-ok'], ['auth-valid-key']],
    ['error-shape', 'passive', ['get-ok'], ['get-ok'], settled.filter((test) => test !== 'get-ok')],
    ['error-shape', 'passive', [], [], []],
    ['get-ok', 'suite', [null, 'get-ok'], settled, []],
    ['get-ok', 'suite', ['create-ok'], settled, []],
  ] as const) {
    const requests = senders.map((test) => ['GET /pets', test] as const);
    assert.deepEqual(testsOf({ requirement, requests }, kind, log), { needed, others });
  }
  const unread = testsOf({ requirement: 'get-ok', requests: [['GET /pets', null]] }, 'suite', null);
  assert.deepEqual(unread, { needed: null, others: [] });
});

test('only a whole repetition has all tests that may matter', () => {
  const retry = {
    since: '',
    requirement: 'list-ok',
    requests: [],
    profiles: [],
    keys: [],
    stories: [],
  } as const;
  const one = { retry, needed: ['list-ok'], others: ['get-ok', 'create-ok'] } as const;
  const other = { retry, needed: ['get-ok'], others: [] } as const;
  const testsOfBoth = (isWhole: boolean) => {
    const { retries, leavesOut } = retriesOf([one, other], isWhole);
    return [retries.tests, leavesOut];
  };
  assert.deepEqual(testsOfBoth(false), [['list-ok', 'get-ok'], true]);
  assert.deepEqual(testsOfBoth(true), [['list-ok', 'get-ok', 'create-ok'], false]);
  assert.deepEqual(retriesOf([{ ...one, needed: null }], false).retries.tests, null);
  assert.equal(retriesOf([other], false).leavesOut, false);
});
