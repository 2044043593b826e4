import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../judge/findings/finding.js';
import type { Selection } from '../log/header-record.js';
import { compareResults } from '../outcome/acceptance/compare.js';
import { EXAMPLE_HEADER } from '../report/example-header.test.support.js';
import {
  exampleLog,
  exampleResults,
  inconclusive,
  notApplicable,
  violated,
} from '../report/example-run.test.support.js';
import { comparisonSentence } from '../report/comparison-sentence.js';
import { renderPage } from '../report/pages/render-page.js';
import { runDocument } from '../report/run-document.js';
import { runToCompare } from './report-dir.js';
import { notificationOf } from './notify.js';

const SCOPES = {
  whole: null,
  suites: { only: 'suites' },
  load: { only: 'load' },
  one: { requirements: ['get-ok'] },
  quick: { quick: true },
  retry: { lastFailed: true },
  /** All that needs no creation. */
  read: null,
} as const satisfies Readonly<Record<string, Selection | null>>;

const PASSED: Finding = { kind: 'kept', requirement: 'get-ok', exchanges: ['x1'] };
const IN_PART: readonly Finding[] = [PASSED, { kind: 'untried', requirement: 'get-ok', what: 'large ids' }];
const OTHER: Finding = {
  kind: 'violated',
  requirement: 'get-ok',
  message: 'an animal is a text',
  exchanges: [],
  measured: { what: ['text'] },
};
const OUTCOMES = {
  passed: [PASSED],
  partly: IN_PART,
  failed: [violated('get-ok')],
  otherwise: [OTHER],
  both: [violated('get-ok'), OTHER],
  open: [inconclusive('get-ok')],
  out: [notApplicable('get-ok', 'not-selected')],
} as const satisfies Readonly<Record<string, readonly Finding[]>>;

const TARGET = EXAMPLE_HEADER.target;

type Night = `${keyof typeof SCOPES} ${keyof typeof OUTCOMES}`;

const runOn = (day: number, night: Night, isTraffic = false) => {
  const [scope, outcome] = night.split(' ') as [keyof typeof SCOPES, keyof typeof OUTCOMES];
  const results = exampleResults({
    header: {
      startedAt: `2026-11-0${day}T03:00:00.000Z`,
      scope: {
        ...EXAMPLE_HEADER.scope,
        selection: SCOPES[scope],
        writes: scope !== 'read',
        ...(isTraffic && { sides: ['service'] }),
      },
    },
    findings: OUTCOMES[outcome],
  });
  return { directory: String(day), results };
};

/** Compares the last of some nights as a run does; returns how get-ok changed, and the comparison. */
function lastNight(nights: readonly Night[], traffic?: Night) {
  const runs = nights.map((night, at) => runOn(at + 1, night));
  if (traffic) runs.splice(-1, 0, { ...runOn(nights.length, traffic, true), directory: 'traffic' });
  const now = runs.pop();
  assert.ok(now);
  const before = runToCompare(runs.toReversed(), now.results.scope.selection, TARGET);
  assert.ok(before);
  const comparison = compareResults(before.results, now.results, {
    earlier: () => before.earlier,
    isByRow: true,
  });
  return { change: comparison.changes.find(({ id }) => id === 'get-ok')?.kind ?? 'none', comparison };
}

const CHAINS: readonly (readonly [nights: readonly Night[], change: string])[] = [
  // The newest result counts, whichever scope it is of.
  [['whole passed', 'suites failed', 'retry passed'], 'newly-passing'],
  [['whole passed', 'suites failed', 'retry partly'], 'newly-passing'],
  [['whole passed', 'suites failed', 'one failed', 'whole passed'], 'newly-passing'],
  [['whole passed', 'suites failed', 'whole failed'], 'none'],
  [['whole passed', 'suites failed', 'retry out', 'whole open', 'retry passed'], 'newly-passing'],
  [['whole passed', 'suites failed', 'whole open'], 'not-confirmed'],
  [['whole failed', 'suites passed', 'whole failed'], 'newly-failing'],
  [['whole failed', 'retry passed', 'whole failed'], 'newly-failing'],
  [['whole failed', 'retry partly', 'whole failed'], 'newly-failing'],
  [['whole failed', 'retry passed', 'whole passed'], 'none'],
  [['suites passed', 'whole failed', 'suites passed'], 'newly-passing'],
  [['retry passed', 'whole passed', 'whole failed', 'retry passed'], 'newly-passing'],
  // Nights that judged nothing change nothing.
  [['whole passed', 'suites open', 'whole passed'], 'none'],
  [['whole passed', 'whole open', 'suites open'], 'none'],
  [['whole passed', 'whole open', 'whole passed'], 'none'],
  [['whole failed', 'whole open', 'whole passed'], 'newly-passing'],
  [['whole passed', 'load out', 'suites passed'], 'none'],
  // A narrower run that passes in part leaves open whether the failure is fixed.
  [['whole failed', 'quick partly', 'whole failed'], 'none'],
  [['whole failed', 'quick partly', 'whole passed'], 'newly-passing'],
  [['whole failed', 'quick partly', 'quick partly'], 'none'],
  [['whole passed', 'quick partly', 'whole passed'], 'none'],
  // What was never shown to be fixed does not fail anew.
  [['whole failed', 'quick partly', 'quick failed'], 'none'],
  [['whole failed', 'quick partly', 'quick passed'], 'newly-passing'],
  [['whole failed', 'quick failed', 'quick partly'], 'not-confirmed'],
  [['whole passed', 'quick partly', 'whole failed', 'quick partly'], 'not-confirmed'],
  [['whole passed', 'quick partly', 'whole failed', 'quick partly', 'whole failed'], 'none'],
  [['whole passed', 'read partly', 'whole failed', 'read partly'], 'not-confirmed'],
  [['whole passed', 'read partly', 'whole failed', 'read partly', 'whole failed'], 'none'],
  [['suites failed', 'quick partly', 'whole failed'], 'none'],
  [['read partly', 'read failed', 'read partly'], 'newly-passing'],
  [['whole partly', 'quick failed', 'quick partly'], 'newly-passing'],
  [['suites partly', 'one failed', 'suites partly'], 'newly-passing'],
  [['whole failed', 'read failed', 'read partly', 'whole passed'], 'newly-passing'],
  // In one scope it is the usual coverage, unless a pass showed more.
  [['whole failed', 'whole partly'], 'newly-passing'],
  [['whole failed', 'whole partly', 'whole failed'], 'newly-failing'],
  [['whole passed', 'whole failed', 'whole partly'], 'not-confirmed'],
  [['whole passed', 'whole failed', 'whole partly', 'whole failed'], 'none'],
  // What one scope shows of a failure does not make the rest new.
  [['whole both', 'quick failed', 'whole both'], 'none'],
  [['whole failed', 'suites otherwise', 'whole otherwise'], 'none'],
  [['whole failed', 'suites failed', 'whole otherwise'], 'failing-otherwise'],
  [['whole failed', 'read failed', 'whole both'], 'failing-otherwise'],
  [['whole both', 'read failed', 'whole both'], 'none'],
  [['whole both', 'retry failed', 'whole both'], 'failing-otherwise'],
  // What a wider run tries for the first time is not new.
  [['suites failed', 'whole both'], 'none'],
  [['quick failed', 'suites failed', 'whole both'], 'none'],
  [['suites passed', 'whole failed'], 'newly-failing'],
];

for (const [nights, change] of CHAINS)
  test(`after ${nights.join(', ')}, the last night is ${change}`, () =>
    assert.equal(lastNight(nights).change, change));

test('all outputs name the result that is compared', () => {
  const { comparison } = lastNight(['whole passed', 'suites failed', 'retry passed']);
  const document = runDocument(comparison.run, { comparison });
  assert.equal(document.since, 'since the last result of each requirement: 0 new, 1 fixed');
  assert.equal(
    comparisonSentence(comparison).replace(/; \d.*$/, ''),
    `${comparison.run.target.name} is better than earlier runs: fixed: get-ok.`,
  );
  assert.ok(
    comparison.remarks.includes(
      'Another run judged 1 requirement after the earlier one: it is compared with that result.',
    ),
    comparison.remarks.join('\n'),
  );
  const { changed } = notificationOf(document, comparison, { exitCode: 0, report: 'index.html' });
  const run = { since: '2026-11-02T03:00:00.000Z' };
  assert.deepEqual(changed, {
    ...run,
    text: comparisonSentence(comparison),
    requirements: [{ id: 'get-ok', kind: 'newly-passing', ...run }],
  });
});

test('what a narrow run left out keeps its earlier result', () => {
  const { comparison } = lastNight(['suites passed', 'one out', 'whole passed']);
  assert.equal(comparison.against.startedAt, '2026-11-02T03:00:00.000Z');
  assert.equal(comparison.covered.onlyAfter.all, 0);
  assert.doesNotMatch(comparisonSentence(comparison), /tested now only/);
});

test('a run that did not judge what changed is not named as the one that it changed since', () => {
  const { comparison } = lastNight(['whole failed', 'suites open', 'suites passed']);
  const { name } = comparison.run.target;
  assert.equal(
    comparisonSentence(comparison).replace(/; \d.*$/, ''),
    `${name} is better than earlier runs: fixed: get-ok.`,
  );
});

test('a run that is no longer up to date is not named as the one that nothing changed since', () => {
  const { comparison } = lastNight(['whole failed', 'retry passed', 'whole passed']);
  assert.equal(comparisonSentence(comparison), `${comparison.run.target.name} is the same as earlier runs.`);
  assert.equal(
    runDocument(comparison.run, { comparison }).since,
    'since the last result of each requirement: no new failure, none fixed',
  );
  // Nothing changed since the second night, in which it was fixed.
  assert.equal(comparison.since.startedAt, '2026-11-02T03:00:00.000Z');
});

/** Returns a run of a night at an address. */
function at(day: number, night: Night, baseUrl = TARGET.baseUrl) {
  const { results, directory } = runOn(day, night);
  return { directory, results: { ...results, target: { ...results.target, baseUrl } } };
}

test('a run of the same address comes before a newer one of another, and of another nothing is fixed', () => {
  const [here, there] = [at(1, 'whole failed'), at(2, 'whole failed', 'http://other.example/v1')];
  assert.equal(runToCompare([there, here], null, TARGET)?.directory, '1');
  const before = runToCompare([there], null, TARGET);
  assert.equal(before?.directory, '2');
  const now = at(3, 'whole passed').results;
  const comparison = compareResults(before.results, now, { earlier: () => before.earlier, isByRow: true });
  const since = 'since the run of 2026-11-02 03:00 UTC on http://other.example/v1: ';
  assert.equal(runDocument(now, { comparison }).since, `${since}0 failing only here, 1 passing only here`);
  const log = exampleLog();
  const page = renderPage({ document: runDocument(now, { log }), log, comparison, curlOf: () => 'curl' });
  assert.match(
    page,
    /on <bdi>http:\/\/other\.example\/v1<\/bdi>: 0 failing only here, 1 passing only here\./,
  );
});

test('a server on this machine is the same on another port', () => {
  const [before, now] = [
    at(1, 'whole failed', 'http://127.0.0.1:4001/v1'),
    at(2, 'whole passed', 'http://localhost:4002/v1'),
  ];
  assert.equal(runToCompare([before], null, now.results.target)?.directory, '1');
  const comparison = compareResults(before.results, now.results, { isByRow: true });
  assert.equal(
    runDocument(now.results, { comparison }).since,
    'since the run of 2026-11-01 03:00 UTC: 0 new, 1 fixed',
  );
});

test('traffic of others is no earlier result of a run', () => {
  assert.equal(lastNight(['whole failed', 'whole passed'], 'whole passed').change, 'newly-passing');
  assert.equal(lastNight(['whole passed', 'whole passed'], 'whole failed').change, 'none');
});

test('a run of another address under the same name is no earlier result', () => {
  const elsewhere = runOn(2, 'suites failed');
  const { target } = elsewhere.results;
  const moved = {
    ...elsewhere,
    results: { ...elsewhere.results, target: { ...target, baseUrl: 'http://other.example/v1' } },
  };
  const before = runToCompare([moved, runOn(1, 'whole passed')], null, TARGET);
  assert.ok(before);
  const { changes } = compareResults(before.results, runOn(3, 'whole passed').results, {
    earlier: () => before.earlier,
    isByRow: true,
  });
  assert.deepEqual(
    changes.map(({ id }) => id),
    [],
  );
});
