import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../base/kernel/package.js';

const built = join(packageRoot(), 'dist');

/** Returns what modules import before they run, as files of the build and names of libraries. */
function importsOf(entries: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [...entries];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(join(built, file), 'utf8');
    for (const [, name = ''] of text.matchAll(/^(?:import|export)\b[^'"\n]*?['"]([^'"]+)['"];/gm)) {
      const next = join(dirname(file), name);
      if (!name.startsWith('.')) seen.add(name);
      else if (existsSync(join(built, next))) open.push(next);
    }
  }
  return seen;
}

/** Libraries that take long to load, and that most runs do not need. */
const LATE = [
  'ajv/dist/2020.js',
  'autocannon',
  'd3-scale',
  'diff',
  'fast-check',
  'hdr-histogram-js',
  'preact',
  'yaml',
  'yargs',
  'yargs/helpers',
];

test('the command of a run loads no library that only some runs need', () => {
  const loaded = importsOf(['src/app/cli/main.js', 'src/app/cli/run-command.js']);
  assert.ok(loaded.has('src/run/phases/index.js'));
  assert.deepEqual(
    LATE.filter((name) => loaded.has(name)),
    [],
  );
});

test('a run loads a reference server only to rehearse a selection or to judge it, and nothing of the proof', () => {
  const ofEveryRun = importsOf(['src/app/cli/run-command.js', 'src/run/cost.js', 'src/run/finish.js']);
  assert.ok(!ofEveryRun.has('src/reference/server.js'));
  const withServer = importsOf(['src/run/embedded.js', 'src/run/rehearse.js']);
  assert.ok(withServer.has('src/reference/server.js'));
  assert.deepEqual(
    [...ofEveryRun, ...withServer, ...importsOf(['src/app/cli/serve-command.js'])].filter((file) =>
      file.startsWith('src/proof/'),
    ),
    [],
  );
});

test('a run without the load knows its questions and their costs, but neither who asks nor who judges them', () => {
  const loaded = importsOf(['run-command', 'finish-judged'].map((name) => `src/app/cli/${name}.js`));
  const drive = [...loaded].filter((file) => /^src\/drive\/(?:limits|load)\//.test(file));
  assert.deepEqual(drive.map((file) => basename(file, '.js')).sort(), [
    'cost',
    'question-costs',
    'question-numbers',
    'questions',
    'select',
  ]);
  const judge = ['account', 'bursts', 'key-run', 'other-use', 'question-rows'];
  assert.deepEqual(
    judge.filter((name) => loaded.has(`src/judge/limits/${name}.js`)),
    [],
  );
});

test('the process that lists the tests loads neither connections nor logs', () => {
  const files = readdirSync(join(built, 'suites')).filter((name) => name.endsWith('.spec.js'));
  const loaded = importsOf([
    'playwright.config.js',
    'src/drive/suite/playwright-host.js',
    ...files.map((name) => join('suites', name)),
  ]);
  assert.ok(loaded.has('src/drive/suite/host.js'));
  const late = [
    ...LATE,
    'openapi-response-validator',
    'src/wire/exchange/connection.js',
    'src/log/journal.js',
  ];
  assert.deepEqual(
    late.filter((name) => loaded.has(name)),
    [],
  );
});
