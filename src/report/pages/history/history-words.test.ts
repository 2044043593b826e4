import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  exampleExchange,
  exampleLog,
  inconclusive,
  notApplicable,
  observed,
  violated,
  type ExampleChanges,
} from '../../example-run.test.support.js';
import {
  historyLines,
  historySentence,
  plainSince,
  rowClauses,
  sinceWords,
  steadinessWords,
  unreadLines,
} from '../../history.js';
import { historyByTarget } from '../../../outcome/acceptance/history.js';
import { historyPage } from './page.js';
import { readHistory } from '../../../outcome/acceptance/read-history.js';
import { ACCEPTED, emptyFolder, writeRun, historyOf, targetOf } from './history.test.support.js';

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

// Each run is a letter for the result of list-ok and, with a named build, its digit.
const nights = [
  ['always passed', 'ppppp', 'passing in all 5 runs', ''],
  ['only run', 'f', 'failing in the only run', ''],
  ['always failed', 'fff', 'failing in all 3 runs', ''],
  ['failed from night 3 on', 'ppfff', 'failing since 2026-01-03 (3 runs)', ''],
  ['failed last night', 'ppf', 'failing since 2026-01-03', ''],
  ['failed and was fixed', 'pffpp', 'fixed on 2026-01-04', 'changed 2 times'],
  ['alternated, with unnamed builds', 'pfppfp', 'fixed on 2026-01-06', 'changed 4 times'],
  ['failed, could not tell, and passed', 'pfip', 'fixed on 2026-01-04', 'changed 3 times'],
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
  ['was inconclusive on one build', 'p1i1p1', 'determined again in build 1 (2026-01-03)', 'changed 2 times'],
] as const;

for (const [name, outcomes, since, steadiness] of nights) {
  test(`the history ${name}: ${since}`, async () => {
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

test('the history says since when a requirement fails otherwise than before', async () => {
  const other = { ...exampleExchange(), operation: 'createPet' as const };
  const [listing, creation] = [
    { findings: [violated('list-ok')] },
    { findings: [violated('list-ok')], exchanges: [other] },
  ];
  const { row, lines } = await rowOf({}, listing, listing, creation);
  assert.ok(rowClauses(row).map(plainSince).includes('otherwise since 2026-01-04'));
  assert.match(lines.join('\n'), /list-ok +failing since 2026-01-02 \(3 runs\); otherwise since 2026-01-04/);
  assert.equal((await rowOf(listing, listing)).row.otherwise, null);
  assert.equal((await rowOf(listing, {}, creation)).row.otherwise, null, 'it passed in between');
});

test('the history calls no requirement steady that no run judged', async () => {
  const dir = await emptyFolder();
  await writeRun(dir, 'a', 0, { obstacle: true });
  const page = historyPage(await readHistory(dir));
  assert.match(page, /84 requirements only observed, or not tested/);
  assert.doesNotMatch(page, /in every run that tested/);
});

test('the history says how much a run judged that was cut short', async () => {
  const dir = await emptyFolder();
  await writeRun(dir, 'a', 0, { findings: [inconclusive('list-ok')], footer: false });
  const page = historyPage(await readHistory(dir));
  assert.match(page, /all: \d+ of \d+ required behaviours judged, none fails/);
});

test('the history has one word for an accepted run', async () => {
  const dir = await emptyFolder();
  await writeRun(dir, 'a', 0, {
    header: { acceptance: { certificate: false, baseline: true, accepted: [...ACCEPTED] } },
    findings: [violated('list-ok')],
  });
  const history = await readHistory(dir);
  const [target] = historyByTarget(history);
  assert.ok(target);
  assert.match(historySentence(target), /^staging: conforms with 1 accepted deviation in the only run/);
  const page = historyPage(history);
  assert.match(page, /ink-warned">conforms with 1 accepted deviation</);
  assert.match(page, /all: 1 accepted deviation in \d+ required behaviours/);
  assert.doesNotMatch(page, /not conformant/i);
});

test('the history does not call a requirement flaky if kit, selection or plans differ', async () => {
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
      historyByTarget(await readHistory(dir))[0]?.rows.filter(({ tendency }) => tendency.flakyOn.length > 0),
      [],
    );
  }
});

test('the history does not call a requirement flaky for what a run showed that was cut short', async () => {
  const failing = { header: { label: '1' }, findings: [violated('list-ok')] };
  for (const [cut, flaky] of [
    // Its few responses passed.
    [{ header: { label: '1' }, footer: false }, 0],
    [{ header: { label: '1' } }, 1],
  ] as const) {
    const { rows } = await targetOf(cut, failing);
    assert.equal(rows.filter(({ tendency }) => tendency.flakyOn.length > 0).length, flaky);
  }
});

test('the history names runs that it could not read', async () => {
  const dir = await emptyFolder();
  await writeRun(dir, 'whole', 1);
  assert.deepEqual(unreadLines((await readHistory(dir)).damaged), []);
  await mkdir(join(dir, 'cut'));
  await writeFile(join(dir, 'cut', 'results.json'), '{"schemaVersion":1');
  assert.deepEqual(unreadLines((await readHistory(dir)).damaged), [
    '1 run could not be read:',
    '  cut: the file is not complete JSON',
  ]);
});

test('the history prints one sentence and the requirements that need attention', async () => {
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

test('the history shows own suites in a separate clause', async () => {
  const [history] = historyByTarget(await historyOf([{ letter: 'f', label: '1' }]));
  assert.ok(history);
  assert.equal(
    historySentence({ ...history, rows: history.rows.map((row) => ({ ...row, isOwn: true as const })) }),
    'staging: not conformant in the only run (build 1); own suites: 1 failing.',
  );
});

test('the history counts a row as observed after a night that could not judge it', async () => {
  assert.deepEqual(await nightsOf('inconclusive', 'inconclusive', 'observed', 'observed'), [
    'determined again on 2026-01-03',
    'staging: conformant in all 4 runs.',
  ]);
  assert.deepEqual(await nightsOf('observed', 'inconclusive'), [
    'inconclusive since 2026-01-02',
    'staging: conformant in both runs; 1 inconclusive.',
  ]);
});

test('the history forgets that a night could not judge a row that cannot be tested at all', async () => {
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
