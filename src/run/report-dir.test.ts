import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { FILES } from '../log/files.js';
import { makeReportDir, runToCompare, storedRuns } from './report-dir.js';
import { compareResults } from '../outcome/acceptance/compare.js';
import { exampleLog, exampleResults, notApplicable, violated } from '../report/example-run.test.support.js';
import { EXAMPLE_HEADER } from '../report/example-header.test.support.js';
import { comparisonSentence } from '../report/comparison-sentence.js';
import { runDocument } from '../report/run-document.js';
import { renderPage } from '../report/pages/render-page.js';
import { UsageError } from '../base/kernel/errors.js';

const NOW = new Date(0);

const TARGET = EXAMPLE_HEADER.target;

test('a folder with symbolic links or a Playwright folder is rejected', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-dir-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const precious = join(folder, 'precious');
  writeFileSync(precious, 'mine');
  for (const [at, name] of Object.values(FILES).entries()) {
    const directory = join(folder, String(at));
    mkdirSync(directory);
    symlinkSync(precious, join(directory, name));
    assert.throws(
      () => makeReportDir(directory, 'any', NOW),
      (error) =>
        error instanceof UsageError && error.code === 'report-dir' && error.message.includes(directory),
      name,
    );
  }
  mkdirSync(join(folder, 'own', FILES.playwright), { recursive: true });
  assert.throws(() => makeReportDir(join(folder, 'own'), 'any', NOW), /would empty it/);
  assert.equal(readFileSync(precious, 'utf8'), 'mine');
});

test('a folder with other files is accepted', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-dir-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  writeFileSync(join(folder, FILES.results), '{}');
  symlinkSync(join(folder, 'notes.txt'), join(folder, 'link'));
  assert.equal(makeReportDir(folder, 'any', NOW), folder);
});

test('a run is compared with the last of its scope, and each requirement with its own last test', () => {
  const { scope, startedAt } = exampleLog().header;
  const narrow = exampleResults({
    header: { scope: { ...scope, selection: { requirements: ['list-ok'] } } },
    findings: [violated('list-ok'), notApplicable('get-ok', 'not-selected')],
  });
  const whole = exampleResults({ findings: [violated('get-ok')] });
  const runs = [
    { directory: 'narrow', results: narrow },
    { directory: 'whole', results: whole },
  ];
  assert.equal(runToCompare(runs, null, TARGET)?.directory, 'whole');
  assert.equal(runToCompare(runs, { requirements: ['list-ok'] }, TARGET)?.directory, 'narrow');
  const other = runToCompare(runs, { only: 'suites' }, TARGET);
  assert.equal(other?.directory, 'whole', 'no run of that scope: the whole');
  const before = runToCompare(runs, { requirements: ['list-ok'] }, TARGET);
  assert.ok(before);
  const now = exampleResults({ header: { startedAt } });
  assert.deepEqual(
    compareResults(before.results, now, { earlier: () => before.earlier, isByRow: true })
      .changes.map(({ id, kind, before: was }) => `${id} ${kind} ${was}`)
      .toSorted(),
    ['get-ok newly-passing failed', 'list-ok newly-passing failed'],
    'each with its own last test',
  );
  assert.equal(
    compareResults(narrow, narrow, { earlier: () => [whole], isByRow: true }).covered.onlyBefore.all,
    0,
    'what neither run had selected is not “no longer tested”',
  );
  // After a narrow run nothing is newly tested.
  assert.deepEqual(
    compareResults(narrow, now).changes.map(({ id, kind }) => `${id} ${kind}`),
    ['list-ok newly-passing'],
  );
});

test('a change is since the run that is named, or since no single run', () => {
  const { scope } = exampleLog().header;
  const of = (day: number, selection: object | null, findings: Parameters<typeof violated>[0][]) => ({
    directory: String(day),
    results: exampleResults({
      header: { startedAt: `2026-11-0${day}T03:00:00.000Z`, scope: { ...scope, selection } },
      findings: findings.map((id) => violated(id)),
    }),
  });
  const retried = { lastFailed: true };
  const leftOut = (day: number) =>
    exampleResults({
      header: { startedAt: `2026-11-0${day}T03:00:00.000Z`, scope: { ...scope, selection: retried } },
      findings: [notApplicable('get-ok', 'not-selected')],
    });
  // get-ok began to fail after the earlier retry, which had not selected it.
  const runs = [of(3, null, ['get-ok']), { directory: '2', results: leftOut(2) }, of(1, null, [])];
  const before = runToCompare(runs, retried, TARGET);
  assert.equal(before?.directory, '2');
  const now = of(4, retried, ['get-ok']).results;
  const comparison = compareResults(before.results, now, {
    earlier: () => before.earlier,
    isByRow: true,
  });
  assert.equal(comparison.isOfOthers, true);
  assert.equal(
    runDocument(now, { comparison }).since,
    'since the last result of each requirement: no new failure, none fixed',
  );
  assert.match(comparisonSentence(comparison), / earlier runs/);
  const log = exampleLog();
  const page = renderPage({ document: runDocument(now, { log }), log, comparison, curlOf: () => 'curl' });
  assert.match(page, /Since the last result of each requirement: no new failure, none fixed\./);
  // Where the earlier run judged all that changed, it is named.
  const whole = runToCompare(runs, null, TARGET);
  assert.equal(whole?.directory, '3');
  const after = compareResults(whole.results, of(4, null, []).results, { earlier: () => whole.earlier });
  assert.match(
    runDocument(after.run, { comparison: after }).since ?? '',
    /^since the run of 2026-11-03 .*1 fixed$/,
  );
});

test('only a run whose log has no end may still be running', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-stored-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const cut = JSON.stringify({ ...exampleResults(), complete: false });
  const header = '{"type":"header","run":"1"}\n';
  const exchange = `{"type":"exchange","text":"${'x'.repeat(100_000)}"}\n`;
  const footer = '{"type":"footer","complete":false,"reason":"interrupted"}\n';
  const logs = {
    ended: header + exchange + footer,
    'ended at once': header + footer,
    going: header + exchange,
    begun: header,
    'within a line': `${header}${exchange}{"type":"exchange","text":"{\\"type\\":\\"footer\\"}`,
  };
  for (const [name, log] of Object.entries(logs)) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, FILES.log), log);
    writeFileSync(join(folder, name, FILES.results), cut);
  }
  const spared = storedRuns(folder, Date.now()).flatMap((run) => (run.spared ? [basename(run.folder)] : []));
  assert.deepEqual(spared.toSorted(), ['begun', 'going', 'within a line']);
});
