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
import { EXIT_CODES } from '../../verdict/verdict.js';
import { startProcess, type Ended } from './support/command.js';
import { filesIn } from './support/folder.js';
import { resultsIn, idsThat } from './support/results.js';
import { reference, targetFile } from './support/targets.js';
import { execFileSync } from 'node:child_process';
import { packageRoot } from '../../contract/package.js';

/** The package as others get it: packed, and installed in an empty folder elsewhere. */

/** What npm says of a package that somebody should look at; of its user's own settings it may say what it likes. */
const WARNED = /EBADENGINE|ERESOLVE|deprecated|install-scripts|allowScripts/;

/** Packs the package into a folder; gives the tarball's path and the files in it. */
async function pack(cwd: string) {
  // What `prepack` would build is what these tests run on: it stands already, and must not change under them.
  const packed = await startProcess('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', cwd], {
    cwd: packageRoot(),
  }).ended;
  assert.equal(packed.code, 0, packed.stderr);
  const [{ files, filename } = { files: [], filename: '' }] = JSON.parse(packed.stdout) as {
    files: { path: string }[];
    filename: string;
  }[];
  return { tarball: join(cwd, filename), paths: files.map(({ path }) => path) };
}

const INSTALL = ['install', '--prefer-offline', '--no-audit', '--no-fund'];

/** npm's own script, to be run by another Node than the one that it came with. */
const npmScript = (): string => realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim());

/**
 * Nothing is wrong, and what requests one by one can tell is established. The embedded server's minute lasts two seconds, of
 * which a burst in parallel may meet the end: of that one row a run may honestly say that it is open, on any Node.
 */
function expectSound({ code, stdout, stderr }: Ended, directory: string): void {
  const results = resultsIn(directory);
  for (const outcome of ['failed', 'warned', 'error'] as const)
    assert.deepEqual(idsThat(results, outcome), [], stdout + stderr);
  const open = idsThat(results, 'inconclusive');
  assert.ok(
    open.every((id) => id === 'rate-concurrent'),
    stdout,
  );
  assert.equal(code, open.length > 0 ? EXIT_CODES.inconclusive : EXIT_CODES.conformant, stdout + stderr);
}

/** Installs the package into a new folder with some Node's npm. */
async function install(cwd: string, node: string, tarball: string) {
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), '{ "private": true }');
  return { cwd, node, installed: await startProcess(node, [npmScript(), ...INSTALL, tarball], { cwd }).ended };
}

/** What is installed, never what a registry may have under the name. */
const npx = (...words: readonly string[]) => ['--no-install', 'petstore-conformance', ...words];

/** A program of somebody who has installed the package: strict, with every declaration checked, without the types of Node. */
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

/** What is imported from the package is there, and is of the type that is promised. */
async function importsAndTypeChecks(cwd: string): Promise<void> {
  writeFileSync(join(cwd, 'consumer.mts'), CONSUMER);
  const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--types', ''];
  const tsc = join(packageRoot(), 'node_modules/typescript/bin/tsc');
  const checked = await startProcess(process.execPath, [tsc, ...strict, 'consumer.mts'], { cwd }).ended;
  assert.equal(checked.stdout, '');
  assert.equal(checked.code, 0, checked.stderr);
  const program = "import('petstore-conformance').then((kit) => console.log(Object.keys(kit).sort().join()))";
  const imported = await startProcess(process.execPath, ['-e', program], { cwd }).ended;
  assert.equal(imported.stdout.trim(), 'certify,checks,report,requirement,run,test', imported.stderr);
  // Own suites are written against the same declarations, and run by what was installed.
  cpSync(join(packageRoot(), 'examples/own-suites'), join(cwd, 'own'), { recursive: true });
  const own = await startProcess(process.execPath, [tsc, ...strict, 'own/listing.spec.ts', 'own/errors.spec.ts'], {
    cwd,
  }).ended;
  assert.equal(own.code, 0, own.stdout);
  const words = npx('run', '--suite', 'own', '--only', 'suites', '--requirement', 'own-*', '--own-decide');
  const judged = await startProcess('npx', [...words, '--report-dir', 'own-run'], { cwd }).ended;
  assert.equal(judged.code, 0, judged.stdout + judged.stderr);
  assert.equal(resultsIn(join(cwd, 'own-run')).own?.counts.passed, 3);
}

/** A tarball that is larger holds what nobody needs. */
const MOST_BYTES = 1_000_000;

/**
 * What is wrong with the types of a packed package, whichever way it is imported. It is for modules alone, and for Nodes that
 * read `exports`: how older ones would look for it, and that CommonJS gets a module, is no fault.
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
  assert.ok(paths.some((path) => path.startsWith('config/')) && paths.some((path) => path.startsWith('dist/suites/')));
  assert.deepEqual(
    paths.filter((path) => /\.test\.|src\/testing|simulated|^suites|^src|^reports|^\.|\.map$/.test(path)),
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
  expectSound(embedded, join(cwd, 'reports', run));
  assert.ok(existsSync(join(cwd, 'reports', run, 'playwright/html/index.html')));
  const after = filesIn(join(cwd, 'node_modules/petstore-conformance')).map(({ name }) => name);
  assert.deepEqual(after, before, 'nothing is written into the package');

  // Whoever stays on one machine installs nothing for several.
  assert.ok(!existsSync(join(cwd, 'node_modules/ioredis')) && !existsSync(join(cwd, 'node_modules/bullmq')));
  const agent = await startProcess('npx', npx('agent', '--redis', 'redis://127.0.0.1:6379'), { cwd }).ended;
  assert.equal(agent.code, EXIT_CODES.error);
  assert.match(agent.stderr, /needs the packages bullmq and ioredis[\s\S]*npm install bullmq ioredis/);

  const proven = await startProcess('npx', npx('selftest', '--server', 'default-limit-twenty-five'), { cwd }).ended;
  assert.equal(proven.code, 0, proven.stdout + proven.stderr);

  const server = await reference(t, { flaws: ['default-limit-twenty-five'] });
  const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
  const judged = await startProcess('npx', npx('run', '--target', file, '--only', 'suites', '--report-dir', 'here'), {
    cwd,
    env,
  }).ended;
  const results = resultsIn(join(cwd, 'here'));
  assert.equal(results.verdict, 'non-conformant');
  assert.equal(judged.code, EXIT_CODES[results.verdict], judged.stderr);
});
