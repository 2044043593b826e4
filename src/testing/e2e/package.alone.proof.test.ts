import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  mkdirSync,
  realpathSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { EXIT_CODES } from '../../judge/verdict.js';
import { startProcess, type Ended } from './support/command.js';
import { filesIn } from './support/folder.js';
import { idsThat, isOpenBySlowness, resultsIn } from './support/results.js';
import { reference, targetFile } from './support/targets.js';
import { execFileSync } from 'node:child_process';
import { packageRoot } from '../../base/kernel/package.js';

/** The package as users get it: packed, and installed in an empty folder. */

/** Warnings of npm about the package; others may concern the user's own settings. */
const WARNED = /EBADENGINE|ERESOLVE|deprecated|install-scripts|allowScripts/;

/** Packs the package into a folder; returns the tarball's path and its files. */
async function pack(cwd: string) {
  // These tests run from the build, so `prepack` must not change it.
  const packed = await startProcess(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--pack-destination', cwd],
    {
      cwd: packageRoot(),
    },
  ).ended;
  assert.equal(packed.code, 0, packed.stderr);
  const [{ files, filename } = { files: [], filename: '' }] = JSON.parse(packed.stdout) as {
    files: { path: string }[];
    filename: string;
  }[];
  return { tarball: join(cwd, filename), paths: files.map(({ path }) => path) };
}

const INSTALL = ['install', '--prefer-offline', '--no-audit', '--no-fund'];

/** Returns npm's own script, to run it with another Node. */
const npmScript = (): string =>
  realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim());

/** Most lines that the first run of a reader prints, also on a busy machine: 45 with npm's four. */
const MOST_LINES = 41;

/**
 * Expects the first run to conform, or to say that a busy machine left rows open. Its windows are short, so
 * the edge of `rate-concurrent` may meet the end of one on any machine.
 */
function expectConformant({ code, stdout, stderr }: Ended, directory: string): void {
  const results = resultsIn(directory);
  for (const outcome of ['failed', 'warned', 'error'] as const)
    assert.deepEqual(idsThat(results, outcome), [], stdout + stderr);
  const open = results.requirements.filter(({ outcome }) => outcome === 'inconclusive');
  assert.ok(
    open.every((row) => row.id === 'rate-concurrent' || isOpenBySlowness(row)),
    stdout,
  );
  const verdict = open.length > 0 ? 'inconclusive' : 'conformant';
  assert.equal(results.verdict, verdict, stdout);
  assert.equal(code, EXIT_CODES[verdict], stdout + stderr);
  assert.ok(stdout.trimEnd().split('\n').length <= MOST_LINES, stdout);
}

/** Installs the package into a new folder with some Node's npm. */
async function install(cwd: string, node: string, tarball: string) {
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), '{ "private": true }');
  return {
    cwd,
    node,
    installed: await startProcess(node, [npmScript(), ...INSTALL, tarball], { cwd }).ended,
  };
}

/** Uses only the installed package, never one of that name in a registry. */
const npx = (...words: readonly string[]) => ['--no-install', 'petstore-conformance', ...words];

/** A user's program: strict, with every declaration checked, without the types of Node. */
const CONSUMER = `import { certify, report, run } from 'petstore-conformance';
import type { App, CertifyOptions, RequirementResult, Results, Run, RunOptions } from 'petstore-conformance';

export const options: CertifyOptions & RunOptions = { keys: { free: 'a-key' }, requirements: ['list-*'] };
export const certified = (app: App): Promise<Run> => certify(app, options);
export const express = certify((_request: { url: string }, _response: object) => undefined, options);
export const hono = certify({ fetch: (_request: { method: string }) => ({ status: 200 }) }, options);
export const rows = ({ requirements }: Results): readonly RequirementResult[] => requirements;
export const again: Promise<Results> = report('reports/last');
export const code = (await run({ baseUrl: 'http://127.0.0.1/v1', keys: { pro: { file: 'key' } } })).exitCode + 1;
// @ts-expect-error: a key is needed
export const keyless = certify('http://127.0.0.1/v1', {});
`;

/** Expects every promised export, with its promised type. */
async function importsAndTypeChecks(cwd: string): Promise<void> {
  writeFileSync(join(cwd, 'consumer.mts'), CONSUMER);
  // Own suites use the same declarations, and the installed package runs them.
  cpSync(join(packageRoot(), 'examples/own-suites'), join(cwd, 'own'), { recursive: true });
  const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--types', ''];
  const tsc = join(packageRoot(), 'node_modules/typescript/bin/tsc');
  const programs = ['consumer.mts', 'own/listing.spec.ts', 'own/errors.spec.ts'];
  const checked = await startProcess(process.execPath, [tsc, ...strict, ...programs], { cwd }).ended;
  assert.equal(checked.stdout, '');
  assert.equal(checked.code, 0, checked.stderr);
  const program = "import('petstore-conformance').then((kit) => console.log(Object.keys(kit).sort().join()))";
  const imported = await startProcess(process.execPath, ['-e', program], { cwd }).ended;
  assert.equal(imported.stdout.trim(), 'certify,checks,report,requirement,run,test', imported.stderr);
  const words = npx('run', '--suite', 'own', '--only', 'suites', '--requirement', 'own-*', '--own-decide');
  const judged = await startProcess('npx', [...words, '--report-dir', 'own-run'], { cwd }).ended;
  assert.equal(judged.code, 0, judged.stdout + judged.stderr);
  assert.equal(resultsIn(join(cwd, 'own-run')).own?.counts.passed, 3);
}

/** It has 1.24 MB: a much larger tarball holds files that nobody needs, such as tests. */
const MOST_BYTES = 1_300_000;

/**
 * Returns the type problems of a packed package for each way to import it. The package is for modules and for
 * Nodes that read `exports`. So failures of older resolution, and a module for CommonJS, do not count.
 */
async function typeProblems(tarball: string): Promise<readonly string[]> {
  const checked = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  assert.ok(checked.types, 'it has types');
  return checked.problems.flatMap((problem) => {
    const how = 'resolutionKind' in problem ? problem.resolutionKind : 'any';
    return how === 'node10' || (how === 'node16-cjs' && problem.kind === 'CJSResolvesToESM')
      ? []
      : [`${problem.kind} (${how})`];
  });
}

const place = mkdtempSync(join(tmpdir(), 'petstore-package-'));
after(() => rmSync(place, { recursive: true, force: true }));

test('the packed package installs in another folder, runs there and writes reports there', async (t) => {
  const { tarball, paths } = await pack(place);
  const { cwd, installed } = await install(join(place, 'here'), process.execPath, tarball);
  assert.match(basename(tarball), /^petstore-conformance-\d+\.\d+\.\d+\.tgz$/);
  assert.ok(paths.includes('LICENSE') && paths.includes('README.md') && paths.includes('CHANGELOG.md'));
  assert.ok(
    paths.some((path) => path.startsWith('config/')) && paths.some((path) => path.startsWith('dist/suites/')),
  );
  assert.deepEqual(
    // The documents link to the examples, which are tests themselves, and to what reports are.
    paths.filter((path) => {
      const isOfKit = !path.startsWith('examples/') && path !== 'reports/README.md';
      return isOfKit && /\.test\.|src\/testing|simulated|^suites|^src|^reports|^\.|\.map$/.test(path);
    }),
    [],
    'nothing of the tests, the sources and the runs',
  );

  assert.equal(installed.code, 0, installed.stderr);
  assert.ok(statSync(join(cwd, 'node_modules/.bin/petstore-conformance')).mode & 0o100, 'it can be executed');

  assert.doesNotMatch(installed.stderr, WARNED);

  await importsAndTypeChecks(cwd);
  const problems = await typeProblems(tarball);
  assert.deepEqual(problems, [], 'what an import of the package gets');
  assert.ok(statSync(tarball).size < MOST_BYTES);

  const before = filesIn(join(cwd, 'node_modules/petstore-conformance')).map(({ name }) => name);
  const embedded = await startProcess('npx', npx('run'), { cwd }).ended;
  assert.doesNotMatch(embedded.stderr, /Warning/);
  const [run] = readdirSync(join(cwd, 'reports')).filter((name) => name.endsWith('-embedded'));
  assert.ok(run !== undefined && existsSync(join(cwd, 'reports', run, 'index.html')));
  expectConformant(embedded, join(cwd, 'reports', run));
  assert.ok(existsSync(join(cwd, 'reports', run, 'playwright/html/index.html')));
  const after = filesIn(join(cwd, 'node_modules/petstore-conformance')).map(({ name }) => name);
  assert.deepEqual(after, before, 'nothing is written into the package');

  // The parts for several machines are optional installs.
  assert.ok(!existsSync(join(cwd, 'node_modules/ioredis')) && !existsSync(join(cwd, 'node_modules/bullmq')));
  const agent = await startProcess('npx', npx('agent', '--redis', 'redis://127.0.0.1:6379'), { cwd }).ended;
  assert.equal(agent.code, EXIT_CODES.error);
  assert.match(agent.stderr, /needs the packages bullmq and ioredis[\s\S]*npm install bullmq ioredis/);

  const proven = await startProcess('npx', npx('selftest', '--server', 'default-limit-twenty-five'), { cwd })
    .ended;
  assert.equal(proven.code, 0, proven.stdout + proven.stderr);

  const server = await reference(t, { flaws: ['default-limit-twenty-five'] });
  const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
  const judged = await startProcess(
    'npx',
    npx('run', '--target', file, '--only', 'suites', '--report-dir', 'here'),
    {
      cwd,
      env,
    },
  ).ended;
  const results = resultsIn(join(cwd, 'here'));
  assert.equal(results.verdict, 'non-conformant');
  assert.equal(judged.code, EXIT_CODES[results.verdict], judged.stderr);
});
