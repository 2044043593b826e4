import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import {
  exampleExchange,
  exampleLog,
  exampleProfile,
  exampleResults,
  HOSTILE,
  inconclusive,
  violated,
} from '../example-run.test.support.js';
import type { ExampleChanges } from '../example-run.test.support.js';
import { resultsJson } from '../machine/results-json.js';
import { historyByTarget } from './history.js';
import { historyPage } from './history-page.js';
import { ResultsError } from './parse-results.js';
import { readHistory } from './read-history.js';

const folders: string[] = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'history-'));
  folders.push(folder);
  return folder;
}

const night = (index: number): string => new Date(Date.UTC(2026, 0, 1 + index, 3)).toISOString();

async function writeRun(dir: string, name: string, index: number, changes: ExampleChanges = {}): Promise<void> {
  await mkdir(join(dir, name), { recursive: true });
  const results = exampleResults({ ...changes, header: { ...changes.header, startedAt: night(index) } });
  await writeFile(join(dir, name, 'results.json'), resultsJson(results));
}

/** The requirements that stand open on the page of a history of such runs. */
const openRows = async (...runs: readonly Parameters<typeof writeRun>[3][]) => {
  const dir = await emptyFolder();
  for (const [index, changes] of runs.entries()) await writeRun(dir, `run-${index}`, index, changes);
  const html = historyPage(await readHistory(dir)).replaceAll(/<details>.*?<\/details>/gs, '');
  return [...html.matchAll(/<th scope="row" title="[^"]*">([a-z-]+)</g)].map(([, id]) => id);
};

describe('a history', () => {
  test('is read oldest first, with what each run found', async () => {
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
        ['b', 'conformant', true, { p50: 5, p99: 15 }],
        ['a', 'non-conformant', true, null],
      ],
    );
    assert.equal(runs[2]?.outcomes.get('list-ok'), 'failed');
    assert.equal(requirements.length, exampleResults().requirements.length);
  });

  test('lists what is damaged and passes over what no run wrote', async () => {
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
  });

  test('a folder that is not there is an error', async () => {
    await assert.rejects(
      readHistory(join(await emptyFolder(), 'nowhere')),
      (error) => error instanceof ResultsError && error.code === 'results-unreadable',
    );
  });

  test('an empty folder makes a page that says so', async () => {
    assert.match(historyPage(await readHistory(await emptyFolder())), /There is no run in this folder/);
  });

  const nights = [
    ['always passed', 'ppppp', 0, false],
    ['broke once', 'ppfff', 1, false],
    ['broke and was mended', 'pffpp', 2, false],
    ['to and fro', 'pfppfp', 4, true],
    ['sometimes not established', 'pippip', 4, true],
    ['a cut run does not count', 'pppcp', 0, false],
  ] as const;
  for (const [name, outcomes, switches, flaky] of nights) {
    test(name, async () => {
      const dir = await emptyFolder();
      for (const [index, letter] of outcomes.split('').entries())
        await writeRun(dir, `run-${index}`, index, {
          findings: letter === 'f' ? [violated('list-ok')] : letter === 'p' ? [] : [inconclusive('list-ok')],
          footer: letter !== 'c',
        });
      const [target] = historyByTarget(await readHistory(dir));
      const row = target?.rows.find(({ id }) => id === 'list-ok');
      assert.deepEqual([row?.switches, row?.flaky, row?.cells.length], [switches, flaky, outcomes.length]);
    });
  }

  test('only what changed or was bad stands open; a run that was cut off makes nothing of it', async () => {
    assert.deepEqual(await openRows({}, {}), []);
    assert.deepEqual(await openRows({}, { findings: [violated('list-ok')] }), ['list-ok']);
    assert.deepEqual(await openRows({ findings: [violated('list-ok')] }), ['list-ok']);
    assert.deepEqual(await openRows({}, { findings: [inconclusive('list-ok')] }), ['list-ok']);
    assert.deepEqual(await openRows({}, { findings: [inconclusive('list-ok')], footer: false }), []);
  });

  test('targets are kept apart', async () => {
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

  test('400 runs on one page under 3 MB', async () => {
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
    assert.ok(html.includes('1 requirement changes to and fro'));
    assert.ok(html.includes('58 failed, 342 passed'));
  });

  test('whatever a target is called, the page has the same elements', async () => {
    const { target } = exampleLog().header;
    const skeleton = async (name: string) => {
      const dir = await emptyFolder();
      await writeRun(dir, 'run', 1, { header: { target: { ...target, name } } });
      return [...historyPage(await readHistory(dir)).matchAll(/<\/?[a-z0-9]+/g)].map(([tag]) => tag);
    };
    const shape = await skeleton('plain');
    for (const name of HOSTILE) assert.deepEqual(await skeleton(name), shape);
  });
});
