import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Finding } from '../judge/findings/finding.js';
import { exampleLog, violated } from '../report/example-run.test.support.js';
import { FILES } from '../log/files.js';
import { resultsIn } from './own-file.js';
import { publish, writeReports } from './write-reports.js';

test('reports that cannot be written are warnings after a verdict, and the others are written', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-reports-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const directory = join(folder, 'run');
  // A folder in place of a file fails like a full disk does.
  for (const file of [FILES.page, FILES.results, FILES.har])
    mkdirSync(join(directory, file), { recursive: true });
  const { document, warnings } = publish(directory, exampleLog(), {}, {});
  assert.equal(document.results.verdict, 'conformant');
  assert.equal(warnings.length, 2, warnings.join('\n'));
  const names = [FILES.results, FILES.page].map((file) => `.*${file.replace('.', '\\.')}`).join(',');
  assert.match(
    warnings[0] ?? '',
    new RegExp(`^warning +${names} and .*${FILES.har} could not be written \\(it is a folder\\)`),
  );
  assert.match(warnings[1] ?? '', /^warning +The log is whole\. .* writes them again/);
  assert.ok(readdirSync(directory).includes(FILES.junit));
  // The command that only writes reports fails without them.
  assert.throws(() => writeReports(directory, exampleLog()), { code: 'report-dir' });
});

test('commands of the files that others read are written as they were started', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-reports-'));
  const [node = '', started = ''] = process.argv;
  t.after(() => {
    process.argv[1] = started;
    rmSync(folder, { recursive: true, force: true });
  });
  const log = exampleLog();
  mkdirSync(join(folder, 'run'));
  process.argv.splice(0, 2, node, join(process.cwd(), 'node_modules/.bin/petstore-conformance'));
  writeReports(join(folder, 'run'), log);
  for (const file of [FILES.page, FILES.todo])
    assert.match(readFileSync(join(folder, 'run', file), 'utf8'), /npx petstore-conformance run/, file);
});

test('reports that are written again are those that the run wrote, with what changed since the run before', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-reports-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const nightOf = (day: number, findings: readonly Finding[]) => {
    const directory = join(folder, String(day));
    mkdirSync(directory);
    const at = (hour: number) => `2026-11-0${day}T0${hour}:00:00.000Z`;
    const log = exampleLog({ header: { startedAt: at(3) }, findings });
    return { directory, log: { ...log, footer: log.footer && { ...log.footer, finishedAt: at(4) } } };
  };
  const [first, second, third] = [
    nightOf(1, [violated('get-ok')]),
    nightOf(2, [violated('list-ok')]),
    nightOf(3, [violated('list-ok')]),
  ];
  for (const { directory, log } of [first, third]) publish(directory, log, {}, {});
  const before = { directory: first.directory, results: resultsIn(first.log), earlier: [] };
  publish(second.directory, second.log, { before }, {});
  const readAll = () =>
    [FILES.page, FILES.summary, FILES.todo].map((file) => readFileSync(join(second.directory, file), 'utf8'));
  const own = readAll();
  assert.match(own[0] ?? '', /1 new, 1 fixed/);
  writeReports(second.directory, second.log);
  assert.deepEqual(readAll(), own);
});
