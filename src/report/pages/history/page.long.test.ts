import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  exampleExchange,
  exampleLog,
  exampleProfile,
  exampleResults,
  HOSTILE,
  inconclusive,
  violated,
} from '../../example-run.test.support.js';
import { resultsJson } from '../../machine/results-json.js';
import { columnsOf, mondayOf, SHOWN_WHOLE } from './tracks.js';
import { historyLines, historySentence, runGlyph, verdictOfRun } from '../../history.js';
import { loadRunLines } from '../../load-history.js';
import { historyByTarget } from '../../../outcome/acceptance/history.js';
import { historyPage } from './page.js';
import { readHistory } from '../../../outcome/acceptance/read-history.js';
import { RunFileError } from '../../../base/kernel/errors.js';
import { emptyFolder, night, writeRun, historyOf, targetOf } from './history.test.support.js';

/** Returns the expanded requirements on the page of these runs. */
const openRows = async (...runs: readonly Parameters<typeof writeRun>[3][]) => {
  const dir = await emptyFolder();
  for (const [index, changes] of runs.entries()) await writeRun(dir, `run-${index}`, index, changes);
  const html = historyPage(await readHistory(dir)).replaceAll(/<details.*?<\/details>/gs, '');
  return [...html.matchAll(/<th scope="row" title="[^"]*"><a class="id below" href="[^"]*">([a-z-]+)</g)].map(
    ([, id]) => id,
  );
};

/** Returns the heading of rows that pass again, of runs in which one row passed, was open or failed. */
async function groupOf(...outcomes: readonly ('p' | 'i' | 'f')[]): Promise<string | undefined> {
  const made = {
    p: {},
    i: { findings: [inconclusive('list-ok')] },
    f: { findings: [violated('list-ok')] },
  };
  const dir = await emptyFolder();
  for (const [index, each] of outcomes.entries()) await writeRun(dir, `run-${index}`, index, made[each]);
  const html = historyPage(await readHistory(dir));
  return /Passing again/.exec(html)?.[0];
}

test('the history lists runs from oldest to newest, with their results', async () => {
  const dir = await emptyFolder();
  await writeRun(dir, 'b', 2, { profiles: [exampleProfile(7, 60), exampleProfile(5, 1000)] });
  await writeRun(dir, 'a', 3, { findings: [violated('list-ok')] });
  await writeRun(dir, 'c', 1, { footer: false });
  const { runs, damaged, requirements } = await readHistory(dir);
  assert.deepEqual(damaged, []);
  assert.deepEqual(
    runs.map(({ folder, verdict, complete, latency }) => [folder, verdict, complete, latency]),
    [
      ['c', 'inconclusive', false, null],
      ['b', 'conformant', true, { p50: 5, p99: 15, of: 'burst free' }],
      ['a', 'non-conformant', true, null],
    ],
  );
  assert.equal(runs[2]?.outcomes.get('list-ok'), 'failed');
  assert.equal(requirements.length, exampleResults().requirements.length);
});

test('the history lists damaged runs and ignores foreign files', async () => {
  const dir = await emptyFolder();
  await writeRun(dir, 'whole', 1);
  for (const name of ['cut', 'link', 'log-only', 'foreign']) await mkdir(join(dir, name));
  await writeFile(join(dir, 'cut', 'results.json'), resultsJson(exampleResults()).slice(0, 999));
  await symlink(join(dir, 'removed.json'), join(dir, 'link', 'results.json'));
  await writeFile(join(dir, 'log-only', 'log.ndjson'), '');
  await writeFile(join(dir, 'latest.json'), '{}');
  const history = await readHistory(dir);
  assert.deepEqual(
    history.runs.map(({ folder }) => folder),
    ['whole'],
  );
  assert.deepEqual(
    history.damaged.map(({ folder }) => folder),
    ['cut', 'link', 'log-only'],
  );
  assert.match(historyPage(history), /3 runs could not be read/);
  assert.match(historyPage(history), /<bdi>cut<\/bdi>: /);
});

test('the history of a missing folder is an error', async () => {
  await assert.rejects(
    readHistory(join(await emptyFolder(), 'nowhere')),
    (error) => error instanceof RunFileError && error.code === 'results-unreadable',
  );
});

test('the history of an empty folder states that there is no run', async () => {
  assert.match(historyPage(await readHistory(await emptyFolder())), /This folder has no run/);
});

test('the history has a row for the verdict, and each cell links to its run', async () => {
  const html = historyPage(
    await historyOf([
      { letter: 'p', label: '1' },
      { letter: 's', label: '' },
      { letter: 'f', label: '2' },
    ]),
  );
  const row = /<tr class="verdict-row">.*?<\/tr>/s.exec(html)?.[0] ?? '';
  assert.match(
    row,
    /not conformant since<\/bdi> <a href="\.\/run-2\/index\.html"><bdi>build 2<\/bdi><\/a> \(.*?2026-01-03.*?\)/,
  );
  assert.match(
    row,
    /<a class="c-not-started" href="\.\/run-1\/index\.html" title="2026-01-02 03:00:00 UTC: never started"/,
  );
  assert.match(
    html,
    /<a class="c-failed" href="\.\/run-2\/index\.html#list-ok" title="2026-01-03 03:00:00 UTC: failed, build 2"/,
  );
  assert.match(html, /title="2026-01-02 03:00:00 UTC: never started"/);
  assert.match(html, /nothing listens at the address/);
  assert.match(html, /staging: not conformant since .*1 requirement fails; 1 run never started\./s);
});

test('the history marks runs with a selection as “suites only” or “a selection”', async () => {
  const dir = await emptyFolder();
  await writeRun(dir, 'a', 1, {
    header: { scope: { ...exampleLog().header.scope, selection: { only: 'suites' } } },
  });
  await writeRun(dir, 'b', 2, {
    header: {
      scope: { ...exampleLog().header.scope, selection: { only: 'suites', requirements: ['list-*'] } },
    },
  });
  await writeRun(dir, 'c', 3);
  const html = historyPage(await readHistory(dir));
  assert.match(html, /suites only: none of/);
  assert.match(html, /a selection: none of/);
  assert.match(html, /all: none of/);
});

test('the history lists load runs with scenario, verdict and a link', async () => {
  const dir = await emptyFolder();
  await writeRun(dir, 'a', 1, {
    header: { scope: { ...exampleLog().header.scope, selection: { scenario: 'evening' } } },
  });
  const history = await readHistory(dir);
  assert.deepEqual(
    history.loadRuns.map(({ folder, scenario }) => [folder, scenario]),
    [['a', 'evening']],
  );
  const html = historyPage(history);
  assert.match(html, /<h2>Load runs<\/h2>/);
  assert.match(html, /href="\.\/a\/index\.html"/);
  assert.match(html, /evening/);
  assert.match(loadRunLines(history.loadRuns).join('\n'), /evening on .*: never started/);
});

test('the history shows the last 30 runs singly and earlier weeks by their worst outcome', () => {
  const runs = Array.from({ length: 40 }, (_, index) => ({ startedAt: night(index) }));
  const columns = columnsOf(runs);
  assert.deepEqual(
    columns.slice(0, 3).map(({ week, places }) => [week, places]),
    [
      ['2025-12-29', [0, 1, 2, 3]],
      ['2026-01-05', [4, 5, 6, 7, 8, 9]],
      [null, [10]],
    ],
  );
  assert.equal(columns.length, 2 + SHOWN_WHOLE);
  fc.assert(
    fc.property(
      fc.array(fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }), { maxLength: 90 }),
      (dates) => {
        const all = dates
          .toSorted((a, b) => a.getTime() - b.getTime())
          .map((date) => ({ startedAt: date.toISOString() }));
        const places = columnsOf(all).flatMap((column) => column.places);
        assert.deepEqual(places, [...all.keys()]);
      },
    ),
  );
  for (const [day, monday] of [
    ['2026-11-22T23:59:59Z', '2026-11-16'],
    ['2026-11-23T00:00:00Z', '2026-11-23'],
    ['2026-01-01T12:00:00Z', '2025-12-29'],
  ] as const)
    assert.equal(mondayOf(day), monday);
});

test('the history expands only requirements that changed or failed, but not by an interrupted run', async () => {
  assert.deepEqual(await openRows({}, {}), []);
  assert.deepEqual(await openRows({}, { findings: [violated('list-ok')] }), ['list-ok']);
  assert.deepEqual(await openRows({ findings: [violated('list-ok')] }), ['list-ok']);
  assert.deepEqual(await openRows({}, { findings: [inconclusive('list-ok')] }), ['list-ok']);
  assert.deepEqual(await openRows({}, { findings: [inconclusive('list-ok')], footer: false }), []);
});

test('the history separates targets', async () => {
  const dir = await emptyFolder();
  const { target } = exampleLog().header;
  await writeRun(dir, 'one', 1);
  await writeRun(dir, 'two', 2, { header: { target: { ...target, name: 'production' } } });
  const targets = historyByTarget(await readHistory(dir));
  assert.deepEqual(
    targets.map((one) => [one.target, one.runs.length]),
    [
      ['production', 1],
      ['staging', 1],
    ],
  );
});

test('the history of 400 runs has a page below 3 MB', async () => {
  const dir = await emptyFolder();
  for (let index = 0; index < 400; index += 1)
    await writeRun(dir, `run-${index}`, index, {
      findings: index % 7 === 0 ? [violated('list-ok')] : [],
      profiles: [exampleProfile(5 + (index % 11))],
      exchanges: [exampleExchange({ text: 'x'.repeat(100_000) })],
    });
  const history = await readHistory(dir);
  const html = historyPage(history);
  assert.equal(history.runs.length, 400);
  assert.ok(html.length < 3 * 2 ** 20, `${html.length} characters`);
  assert.ok(html.includes('changed 114 times'));
  assert.match(html, /title="week of 2026-06-29: 1 failed, 6 passed; opens 2026-07-02"/);
  assert.match(html, /Week of .*?2026-06-29.*?: /);
});

test('the history has the same elements for any target name', async () => {
  const { target } = exampleLog().header;
  const skeleton = async (name: string) => {
    const dir = await emptyFolder();
    await writeRun(dir, 'run', 1, { header: { target: { ...target, name } } });
    const html = historyPage(await readHistory(dir)).replaceAll(
      /<span class="hidden-character">.*?<\/span>/g,
      '',
    );
    return [...html.matchAll(/<\/?[a-z0-9]+/g)].map(([tag]) => tag);
  };
  const shape = await skeleton('plain');
  for (const name of HOSTILE) assert.deepEqual(await skeleton(name), shape);
});

test('the history folds rows that were only open for a while, and shows those that failed or are often open', async () => {
  assert.equal(await groupOf('p', 'i', 'i', 'p'), undefined);
  assert.equal(await groupOf('i', 'p'), undefined);
  assert.equal(await groupOf('p', 'f', 'p'), 'Passing again');
  assert.equal(await groupOf('p', 'f', 'i', 'p'), 'Passing again');
  assert.equal(await groupOf('p', 'i', 'p', 'i', 'p'), 'Passing again');
});

test('the history shows a baseline that is not met in red, and counts no accepted row as failing', async () => {
  const entry = {
    requirement: 'list-ok',
    outcome: 'failed',
    reason: 'agreed',
    link: 'https://t.example.com/1',
    expires: '2099-01-31',
  } as const;
  const acceptance = { certificate: false, baseline: true, accepted: [entry] };
  const stale = await targetOf({ header: { acceptance } });
  assert.equal(historySentence(stale), 'staging: baseline not met, conformant in the only run.');
  assert.equal(runGlyph(stale.runs[0] ?? assert.fail()), 'failed');
  const met = await targetOf({ header: { acceptance }, findings: [violated('list-ok')] });
  assert.equal(historySentence(met), 'staging: conforms with 1 accepted deviation in the only run.');
  assert.match(historyLines([met]).join(), /list-ok +failing in the only run; accepted/);
  const other = { header: { acceptance }, findings: [violated('list-ok'), violated('pet-shape')] };
  assert.equal(
    historySentence(await targetOf(other, other, { header: { acceptance } })),
    'staging: baseline not met, conformant since 2026-01-03.',
  );
  const { scope } = exampleLog().header;
  const narrow = { acceptance, scope: { ...scope, selection: { only: 'suites' as const } } };
  assert.equal(
    historySentence(await targetOf({}, { header: narrow })),
    'staging: conformant in the only complete run; suites: baseline not met, conformant in the only run.',
  );
});

test('the history has one line for many requirements that one cause left open, and names the cause', async () => {
  const ids = exampleResults()
    .requirements.filter(({ level }) => level === 'must')
    .map(({ id }) => id)
    .slice(0, 17);
  const target = await targetOf({ findings: ids.map((id) => inconclusive(id)) });
  const lines = historyLines([target]);
  assert.equal(lines.length, 2);
  assert.match(lines[1] ?? '', /^  17 requirements +inconclusive in the only run: .* and 12 more$/);
  const [run] = target.runs;
  assert.ok(run);
  assert.equal(
    verdictOfRun({ ...run, cause: 'The server stopped responding at 06:14:29 UTC' }),
    'inconclusive; the server stopped responding at 06:14:29 UTC',
  );
});

test('the history names every requirement that needs attention', async () => {
  const ids = exampleResults()
    .requirements.filter(({ level }) => level === 'must')
    .map(({ id }) => id)
    .slice(0, 30);
  // Faults of their own: one wrong status code would be charged once.
  const target = await targetOf({ findings: ids.map((id, at) => violated(id, `fault ${at}`)) });
  const lines = historyLines([target]);
  for (const id of ids)
    assert.ok(
      lines.some((text) => text.includes(` ${id} `)),
      id,
    );
});
