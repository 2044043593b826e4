import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import * as fc from 'fast-check';
import {
  exampleExchange,
  exampleLog,
  exampleProfile,
  exampleResults,
  HOSTILE,
  inconclusive,
  notApplicable,
  observed,
  violated,
  type ExampleChanges,
} from '../../example-run.test.support.js';
import { resultsJson } from '../../machine/results-json.js';
import { columnsOf, mondayOf, SHOWN_WHOLE } from './tracks.js';
import {
  historyLines,
  historySentence,
  otherwiseWords,
  plainSince,
  runGlyph,
  sinceWords,
  steadinessWords,
} from '../../history.js';
import { loadRunLines } from '../../load-history.js';
import type { Finding } from '../../../judge/findings/finding.js';
import { historyByTarget } from '../../../outcome/acceptance/history.js';
import { historyPage } from './page.js';
import { readHistory } from '../../../outcome/acceptance/read-history.js';
import { RunFileError } from '../../../base/kernel/errors.js';

const folders: string[] = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'history-'));
  folders.push(folder);
  return folder;
}

const night = (index: number): string => new Date(Date.UTC(2026, 0, 1 + index, 3)).toISOString();

async function writeRun(
  dir: string,
  name: string,
  index: number,
  { obstacle, ...changes }: ExampleChanges & { readonly obstacle?: boolean } = {},
): Promise<void> {
  await mkdir(join(dir, name), { recursive: true });
  const results = exampleResults({ ...changes, header: { ...changes.header, startedAt: night(index) } });
  const idle = {
    ...results,
    obstacle: { code: 'refused' as const, message: 'nothing listens at the address.', hint: 'Start it.' },
  };
  await writeFile(join(dir, name, 'results.json'), resultsJson(obstacle ? idle : results));
}

/** Returns the expanded requirements on the page of these runs. */
const openRows = async (...runs: readonly Parameters<typeof writeRun>[3][]) => {
  const dir = await emptyFolder();
  for (const [index, changes] of runs.entries()) await writeRun(dir, `run-${index}`, index, changes);
  const html = historyPage(await readHistory(dir)).replaceAll(/<details.*?<\/details>/gs, '');
  return [...html.matchAll(/<th scope="row" title="[^"]*"><a class="id below" href="[^"]*">([a-z-]+)</g)].map(
    ([, id]) => id,
  );
};

/** Builds a history of runs from results of list-ok: passed, failed, inconclusive, cut short or not started. */
async function historyOf(runs: readonly { readonly letter: string; readonly label: string }[]) {
  const dir = await emptyFolder();
  for (const [index, { letter, label }] of runs.entries())
    await writeRun(dir, `run-${index}`, index, {
      header: label === '' ? {} : { label },
      findings: letter === 'f' ? [violated('list-ok')] : letter === 'p' ? [] : [inconclusive('list-ok')],
      footer: letter !== 'c',
      ...(letter === 's' && { obstacle: true }),
    });
  return readHistory(dir);
}

/** Returns the history of the only target of these runs. */
async function targetOf(...runs: readonly ExampleChanges[]) {
  const dir = await emptyFolder();
  for (const [index, changes] of runs.entries()) await writeRun(dir, `run-${index}`, index, changes);
  const [target] = historyByTarget(await readHistory(dir));
  assert.ok(target);
  return target;
}

/** Returns the row of list-ok in the history of these runs, and the lines of that history. */
async function rowOf(...runs: readonly ExampleChanges[]) {
  const target = await targetOf(...runs);
  const row = target.rows.find(({ id }) => id === 'list-ok');
  assert.ok(row);
  return { row, lines: historyLines([target]) };
}

/** Returns a run whose guess at the algorithm was observed, or could not be determined. */
const algorithm = (finding: 'observed' | 'inconclusive'): ExampleChanges => ({
  findings: [
    finding === 'observed' ? observed('rate-algorithm', 'Fits a window') : inconclusive('rate-algorithm'),
  ],
});

/** Returns since when the guess has its newest outcome, and the sentence of these runs. */
const nightsOf = async (...outcomes: readonly Parameters<typeof algorithm>[0][]) => {
  const target = await targetOf(...outcomes.map(algorithm));
  const row = target.rows.find(({ id }) => id === 'rate-algorithm');
  assert.ok(row);
  return [plainSince(sinceWords(row.tendency)), historySentence(target)];
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

describe('the history', () => {
  test('lists runs from oldest to newest, with their results', async () => {
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

  test('lists damaged runs and ignores foreign files', async () => {
    const dir = await emptyFolder();
    await writeRun(dir, 'whole', 1);
    for (const name of ['cut', 'log-only', 'foreign']) await mkdir(join(dir, name));
    await writeFile(join(dir, 'cut', 'results.json'), resultsJson(exampleResults()).slice(0, 999));
    await writeFile(join(dir, 'log-only', 'log.ndjson'), '');
    await writeFile(join(dir, 'latest.json'), '{}');
    const history = await readHistory(dir);
    assert.deepEqual(
      history.runs.map(({ folder }) => folder),
      ['whole'],
    );
    assert.deepEqual(
      history.damaged.map(({ folder }) => folder),
      ['cut', 'log-only'],
    );
    assert.match(historyPage(history), /2 runs could not be read/);
    assert.match(historyPage(history), /<bdi>cut<\/bdi>: /);
  });

  test('of a missing folder is an error', async () => {
    await assert.rejects(
      readHistory(join(await emptyFolder(), 'nowhere')),
      (error) => error instanceof RunFileError && error.code === 'results-unreadable',
    );
  });

  test('of an empty folder states that there is no run', async () => {
    assert.match(historyPage(await readHistory(await emptyFolder())), /This folder has no run/);
  });

  // Each run is a letter for the result of list-ok and, with a named build, its digit.
  const nights = [
    ['always passed', 'ppppp', 'passing in all 5 runs', ''],
    ['only run', 'f', 'failing in the only run', ''],
    ['always failed', 'fff', 'failing in all 3 runs', ''],
    ['failed from night 3 on', 'ppfff', 'failing since 2026-01-03 (3 runs)', ''],
    ['failed last night', 'ppf', 'failing since 2026-01-03', ''],
    ['failed and was fixed', 'pffpp', 'fixed on 2026-01-04', 'changed 2 times'],
    ['alternated, with unnamed builds', 'pfppfp', 'fixed on 2026-01-06', 'changed 4 times'],
    ['sometimes inconclusive', 'pippip', 'determined again on 2026-01-06', 'changed 4 times'],
    ['an interrupted run does not count', 'pppcp', 'passing in all 5 runs', ''],
    ['a run that never started does not count', 'ppsff', 'failing since 2026-01-04 (2 runs)', ''],
    ['changed with each build', 'p1f2p3', 'fixed in build 3 (2026-01-03)', 'changed 2 times'],
    [
      'changed on one build',
      'p1f1p1',
      'fixed in build 1 (2026-01-03)',
      'flaky: more than one outcome on build 1',
    ],
    [
      'changed once on one build',
      'p1f1',
      'failing since build 1 (2026-01-02)',
      'flaky: more than one outcome on build 1',
    ],
    [
      'changed on a repeated build',
      'p1f2f1',
      'failing since build 2 (2026-01-02, 2 runs)',
      'flaky: more than one outcome on build 1',
    ],
    ['changed with only one named build', 'pf1p', 'fixed on 2026-01-03', 'changed 2 times'],
    [
      'was inconclusive on one build',
      'p1i1p1',
      'determined again in build 1 (2026-01-03)',
      'changed 2 times',
    ],
  ] as const;
  for (const [name, outcomes, since, steadiness] of nights) {
    test(`${name}: ${since}`, async () => {
      const runs = [...outcomes.matchAll(/([a-z])(\d?)/g)].map(([, letter = '', label = '']) => ({
        letter,
        label,
      }));
      const [target] = historyByTarget(await historyOf(runs));
      const row = target?.rows.find(({ id }) => id === 'list-ok');
      assert.ok(row);
      const cut = runs.filter(({ letter }) => letter === 'c').length;
      assert.equal(
        plainSince(sinceWords(row.tendency)),
        since.replace(`${runs.length} runs`, `${runs.length - (since.includes('all') ? cut : 0)} runs`),
      );
      assert.equal(steadinessWords(row.tendency), steadiness);
      assert.equal(row.cells.length, runs.length);
    });
  }

  test('says since when a requirement fails otherwise than before', async () => {
    const other = { ...exampleExchange(), operation: 'createPet' as const };
    const [listing, creation] = [
      { findings: [violated('list-ok')] },
      { findings: [violated('list-ok')], exchanges: [other] },
    ];
    const { row, lines } = await rowOf({}, listing, listing, creation);
    assert.equal(plainSince(otherwiseWords(row) ?? { before: '' }), 'otherwise since 2026-01-04');
    assert.match(
      lines.join('\n'),
      /list-ok +failing since 2026-01-02 \(3 runs\); otherwise since 2026-01-04/,
    );
    assert.equal((await rowOf(listing, listing)).row.otherwise, null);
    assert.equal((await rowOf(listing, {}, creation)).row.otherwise, null, 'it passed in between');
  });

  test('keeps the scope with the verdict, and compares runs of one scope', async () => {
    const { scope } = exampleLog().header;
    const suites = { header: { scope: { ...scope, selection: { only: 'suites' as const } } } };
    assert.equal(
      historySentence(await targetOf(suites, suites)),
      'staging: conformant in the selected part in both runs.',
    );
    assert.equal(
      historySentence(await targetOf({}, {}, suites)),
      'staging: conformant in both complete runs; suites conformant in the only run.',
    );
    assert.equal(
      historySentence(await targetOf({ findings: [violated('list-ok')] }, suites, {})),
      'staging: conformant since 2026-01-03; suites conformant in the only run.',
    );
  });

  test('calls no requirement steady that no run judged', async () => {
    const dir = await emptyFolder();
    await writeRun(dir, 'a', 0, { obstacle: true });
    const page = historyPage(await readHistory(dir));
    assert.match(page, /84 requirements only observed, or not tested/);
    assert.doesNotMatch(page, /in every run that tested/);
  });

  test('says how much a run judged that was cut short', async () => {
    const dir = await emptyFolder();
    await writeRun(dir, 'a', 0, { findings: [inconclusive('list-ok')], footer: false });
    const page = historyPage(await readHistory(dir));
    assert.match(page, /all: \d+ of \d+ required behaviours judged, none fails/);
  });

  test('has one word for an accepted run', async () => {
    const dir = await emptyFolder();
    const accepted = [
      {
        requirement: 'list-ok',
        outcome: 'failed',
        reason: 'agreed',
        link: 'https://t.example.com/1',
        expires: '2099-01-31',
      },
    ] as const;
    await writeRun(dir, 'a', 0, {
      header: { acceptance: { certificate: false, baseline: true, accepted: [...accepted] } },
      findings: [violated('list-ok')],
    });
    const history = await readHistory(dir);
    const [target] = historyByTarget(history);
    assert.ok(target);
    assert.match(historySentence(target), /^staging: conforms with 1 accepted deviation in the only run/);
    const page = historyPage(history);
    assert.match(page, /ink-warned">conforms with 1 accepted deviation</);
    assert.doesNotMatch(page, /not conformant/i);
  });

  test('does not call a requirement flaky if kit, selection or plans differ', async () => {
    const { kit, scope } = exampleLog().header;
    for (const header of [
      { kit: { ...kit, version: '0.9.0' } },
      { scope: { ...scope, selection: { only: 'suites' as const } } },
      { scope: { ...scope, plans: ['free' as const] } },
    ]) {
      const dir = await emptyFolder();
      await writeRun(dir, 'a', 1, { header: { label: '1' } });
      await writeRun(dir, 'b', 2, { header: { label: '1', ...header }, findings: [violated('list-ok')] });
      assert.deepEqual(
        historyByTarget(await readHistory(dir))[0]?.rows.filter(
          ({ tendency }) => tendency.flakyOn.length > 0,
        ),
        [],
      );
    }
  });

  test('has a row for the verdict, and each cell links to its run', async () => {
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
      /not conformant since<\/bdi> <a href="\.\/run-2\/index\.html"><bdi>build 2<\/bdi><\/a> \(2026-01-03\)/,
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

  test('marks runs with a selection as “suites only” or “a selection”', async () => {
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

  test('lists load runs with scenario, verdict and a link', async () => {
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

  test('shows the last 30 runs singly and earlier weeks by their worst outcome', () => {
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

  test('prints one sentence and the requirements that need attention', async () => {
    const lines = historyLines(
      historyByTarget(
        await historyOf([
          { letter: 'p', label: '1' },
          { letter: 'f', label: '1' },
        ]),
      ),
    );
    assert.deepEqual(lines, [
      'staging: not conformant since build 1 (2026-01-02); 1 requirement fails; 1 flaky.',
      `  ${'list-ok'.padEnd(30)} failing since build 1 (2026-01-02); flaky: more than one outcome on build 1`,
    ]);
  });

  test('shows own suites in a separate clause', async () => {
    const [history] = historyByTarget(await historyOf([{ letter: 'f', label: '1' }]));
    assert.ok(history);
    assert.equal(
      historySentence({ ...history, rows: history.rows.map((row) => ({ ...row, isOwn: true as const })) }),
      'staging: not conformant in the only run (build 1); own suites: 1 failing.',
    );
  });

  test('expands only requirements that changed or failed, but not by an interrupted run', async () => {
    assert.deepEqual(await openRows({}, {}), []);
    assert.deepEqual(await openRows({}, { findings: [violated('list-ok')] }), ['list-ok']);
    assert.deepEqual(await openRows({ findings: [violated('list-ok')] }), ['list-ok']);
    assert.deepEqual(await openRows({}, { findings: [inconclusive('list-ok')] }), ['list-ok']);
    assert.deepEqual(await openRows({}, { findings: [inconclusive('list-ok')], footer: false }), []);
  });

  test('separates targets', async () => {
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

  test('of 400 runs has a page below 3 MB', async () => {
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
    assert.match(html, /Week of 2026-06-29: /);
  });

  test('has the same elements for any target name', async () => {
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

  test('folds rows that were only open for a while, and shows those that failed or are often open', async () => {
    assert.equal(await groupOf('p', 'i', 'i', 'p'), undefined);
    assert.equal(await groupOf('i', 'p'), undefined);
    assert.equal(await groupOf('p', 'f', 'p'), 'Passing again');
    assert.equal(await groupOf('p', 'f', 'i', 'p'), 'Passing again');
    assert.equal(await groupOf('p', 'i', 'p', 'i', 'p'), 'Passing again');
  });

  test('counts a row as observed after a night that could not judge it', async () => {
    assert.deepEqual(await nightsOf('inconclusive', 'inconclusive', 'observed', 'observed'), [
      'determined again on 2026-01-03',
      'staging: conformant in all 4 runs.',
    ]);
    assert.deepEqual(await nightsOf('observed', 'inconclusive'), [
      'inconclusive since 2026-01-02',
      'staging: conformant in both runs; 1 inconclusive.',
    ]);
  });

  test('forgets that a night could not judge a row that cannot be tested at all', async () => {
    const aside = { findings: [notApplicable('list-ok')] };
    const { row } = await rowOf(aside, { findings: [inconclusive('list-ok')] }, aside);
    assert.equal(row.tendency.last, null);
    assert.equal(
      (await rowOf(aside, { findings: [inconclusive('list-ok')] })).row.tendency.last?.state,
      'inconclusive',
    );
    const failing = await rowOf({ findings: [violated('list-ok')] }, aside);
    assert.equal(failing.row.tendency.last?.state, 'failed', 'a failure stays until it is fixed');
    assert.equal(failing.row.lastTested?.folder, 'run-0');
  });

  test('does not count a failure beside a newest run that left it out', async () => {
    const { scope } = exampleLog().header;
    const suites = { header: { scope: { ...scope, selection: { only: 'suites' as const } } } };
    const { scope: narrow } = suites.header;
    const target = await targetOf(
      { findings: [violated('rate-429')], header: { label: '2.4.4' } },
      { header: { label: '2.4.5', scope: narrow }, findings: [notApplicable('rate-429', 'not-selected')] },
    );
    assert.equal(
      historySentence(target),
      'staging: not conformant in the only complete run (build 2.4.4); ' +
        'suites conformant in the only run (build 2.4.5); 1 requirement failed when last tested.',
    );
    assert.match(
      historyLines([target]).join(),
      /rate-429 +failing in the only run \(build 2\.4\.4\); last tested in build 2\.4\.4/,
    );
  });

  test('speaks of every scope, the whole first', async () => {
    const { scope } = exampleLog().header;
    const suites = (label: string, ...findings: readonly Finding[]): ExampleChanges => ({
      header: { label, scope: { ...scope, selection: { only: 'suites' } } },
      findings,
    });
    const target = await targetOf(
      suites('2.4.3', violated('list-ok')),
      suites('2.4.4'),
      { header: { label: '2.4.5' } },
      suites('2.4.6'),
    );
    assert.equal(
      historySentence(target),
      'staging: conformant in the only complete run (build 2.4.5); suites conformant since build 2.4.4 (2026-01-02, 2 runs).',
    );
  });

  test('leaves out a failure of the suites after which a whole run conforms', async () => {
    const { scope } = exampleLog().header;
    const suites = { scope: { ...scope, selection: { only: 'suites' as const } } };
    const failed = { header: suites, findings: [violated('list-ok')] };
    assert.equal(
      historySentence(await targetOf({ header: suites }, failed, {})),
      'staging: conformant in the only complete run.',
    );
    assert.equal(
      historySentence(await targetOf({}, failed)),
      'staging: conformant in the only complete run; suites not conformant in the only run; 1 requirement fails.',
    );
    assert.match(
      historySentence(await targetOf(failed, { findings: [violated('pet-shape')] })),
      /^staging: not conformant in the only complete run; suites not conformant in the only run/,
    );
  });

  test('shows a baseline that is not met in red, and counts no accepted row as failing', async () => {
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

  test('names every requirement that needs attention', async () => {
    const ids = exampleResults()
      .requirements.filter(({ level }) => level === 'must')
      .map(({ id }) => id)
      .slice(0, 30);
    const target = await targetOf({ findings: ids.map((id) => violated(id)) });
    const lines = historyLines([target]);
    for (const id of ids)
      assert.ok(
        lines.some((text) => text.includes(` ${id} `)),
        id,
      );
  });
});
