import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { petstoreHere } from './support/command.js';
import { folder } from './support/folder.js';
import { resultsIn } from './support/results.js';
import { reference } from './support/targets.js';

/** Files written on Windows, or changed by a checkout. */

const crlf = (lines: readonly string[]): string => lines.map((line) => `${line}\r\n`).join('');

test('files with Windows line ends are read', async (t) => {
  const cwd = folder(t);
  const server = await reference(t, {});
  const write = (name: string, ...lines: readonly string[]) =>
    writeFileSync(join(cwd, name), crlf(lines), { mode: 0o600 });
  write('key', server.keys.free);
  write(
    'target.yaml',
    '# mine',
    'name: t',
    `baseUrl: ${server.baseUrl}`,
    'keys:',
    '  free: file:key',
    'writes: false',
  );
  write(
    'target.json',
    '{',
    `"name": "t", "baseUrl": "${server.baseUrl}",`,
    '"keys": { "free": { "file": "key" } }',
    '}',
  );
  write(
    'scenario.yaml',
    'name: s',
    'phases:',
    '  - { name: p, duration: 1s, rate: 1/s }',
    'operations:',
    '  - { operation: listPets, weight: 1 }',
    'keys: [free]',
  );
  write(
    'baseline.yaml',
    'schemaVersion: 1',
    'accepted:',
    '  - requirement: list-order',
    '    outcome: failed',
    '    reason: agreed',
    '    link: https://tracker.example.com/1',
    '    expires: 2099-01-01',
  );

  const run = ['run', '--only', 'suites', '--requirement', 'list-ok'];
  for (const target of ['target.yaml', 'target.json']) {
    const { code, stdout, stderr } = await petstoreHere(
      [...run, '--target', target, '--report-dir', `on-${target}`],
      {
        cwd,
      },
    );
    assert.equal(code, 0, stdout + stderr);
  }
  const based = await petstoreHere(
    [...run, '--target', 'target.yaml', '--baseline', 'baseline.yaml', '--dry-run'],
    {
      cwd,
    },
  );
  assert.equal(based.code, 0, based.stderr);
  const load = await petstoreHere(
    ['load', '--target', 'target.yaml', '--scenario', 'scenario.yaml', '--dry-run'],
    {
      cwd,
    },
  );
  assert.equal(load.code, 0, load.stderr);

  for (const name of ['log.ndjson', 'results.json']) {
    const file = join(cwd, 'on-target.yaml', name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('\n', '\r\n'));
  }
  const compared = await petstoreHere(['compare', 'on-target.json', 'on-target.yaml'], { cwd });
  assert.equal(compared.code, 0, compared.stdout + compared.stderr);
  const again = await petstoreHere(['report', 'on-target.yaml'], { cwd });
  assert.equal(again.code, 0, again.stderr);
  assert.equal(resultsIn(join(cwd, 'on-target.yaml')).verdict, 'conformant');
});
