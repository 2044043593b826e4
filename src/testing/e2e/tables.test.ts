import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { loadLedger } from '../../base/interface/ledger.js';
import { petstoreHere } from './support/command.js';
import { folder } from './support/folder.js';
import { resultsIn } from './support/results.js';
import { reference } from './support/targets.js';

const readCsv = (text: string): readonly (readonly string[])[] => parse(text);

test('requirements --format csv and json hold the whole ledger', async (t) => {
  const cwd = folder(t);
  const { rows: all } = loadLedger();
  const csv = await petstoreHere(['requirements', '--format', 'csv'], { cwd });
  const [head, ...rows] = readCsv(csv.stdout);
  assert.deepEqual(head?.slice(0, 5), ['id', 'level', 'part', 'place', 'statement']);
  assert.deepEqual(
    rows.map(([id, level, , , statement]) => [id, level, statement]),
    all.map(({ id, level, statement }) => [id, level, statement]),
  );
  const json = await petstoreHere(['requirements', 'get-ok', '--format', 'json'], { cwd });
  assert.deepEqual(JSON.parse(json.stdout), [loadLedger().byId('get-ok')]);
  const wrong = await petstoreHere(['requirements', 'get-okay', '--format', 'json'], { cwd });
  assert.equal(wrong.code, 2);
});

test('report --format csv traces each requirement to its outcome and its exchanges', async (t) => {
  const cwd = folder(t);
  const server = await reference(t, { flaws: ['default-limit-twenty-five'] });
  const run = [
    'run',
    '--base-url',
    server.baseUrl,
    '--key',
    'business=${KEY}',
    '--only',
    'suites',
    '--report-dir',
    'run',
  ];
  const env = { KEY: server.keys.business };
  assert.equal((await petstoreHere(run, { cwd, env })).code, 1);
  const { code, stdout } = await petstoreHere(['report', 'run', '--format', 'csv'], { cwd });
  assert.equal(code, 1);
  const [head = [], ...rows] = readCsv(stdout);
  const results = resultsIn(`${cwd}/run`);
  assert.equal(rows.length, results.requirements.length);
  const cells = (id: string) =>
    new Map(head.map((name, at) => [name, rows.find(([one]) => one === id)?.[at]]));
  const failed = cells('list-limit-default');
  assert.equal(failed.get('outcome'), 'failed');
  const named =
    results.requirements.find(({ id }) => id === 'list-limit-default')?.findings[0]?.exchanges ?? [];
  for (const id of named) assert.ok(failed.get('evidence')?.split(' ').includes(id), id);
  // A passed row has evidence too, also where the tests of other rows sent its requests.
  for (const id of ['get-ok', 'list-ok', 'pet-int64', 'auth-challenge'])
    assert.match(cells(id).get('evidence') ?? '', /^x\d+/, id);
  assert.match(cells('json-media-type').get('responses') ?? '', /^\d+$/);
  assert.equal(failed.get('date'), results.startedAt.slice(0, 10));
});
