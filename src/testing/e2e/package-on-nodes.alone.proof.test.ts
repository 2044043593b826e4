import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pLimit from 'p-limit';
import { startProcess } from './support/command.js';
import { expectSound, install, pack, WARNED } from './support/packed.js';
import { resultsIn } from './support/results.js';

/** The newer ones that are promised (`engines`); the oldest is what these tests run on. */
const NEWER_NODES = [22, 24, 26];

/** Other versions of Node, as npm has them; the path of each one's executable. */
async function otherNodes(cwd: string): Promise<ReadonlyMap<number, string>> {
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), '{ "private": true }');
  const name = `node-${process.platform}-${process.arch}`;
  const wanted = NEWER_NODES.map((version) => `node${version}@npm:${name}@${version}`);
  const words = ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', ...wanted];
  const installed = await startProcess('npm', words, { cwd }).ended;
  assert.equal(installed.code, 0, installed.stderr);
  return new Map(NEWER_NODES.map((version) => [version, join(cwd, 'node_modules', `node${version}`, 'bin/node')]));
}

/** What all of these tests look at: made once, and before anything that a busy machine would disturb is measured. */
async function installedEverywhere(cwd: string) {
  const [{ tarball }, nodes] = await Promise.all([pack(cwd), otherNodes(join(cwd, 'nodes'))]);
  const side = pLimit(2);
  return Promise.all(
    NEWER_NODES.map((version) => side(() => install(join(cwd, `on-${version}`), nodes.get(version) ?? '', tarball))),
  );
}

const place = mkdtempSync(join(tmpdir(), 'petstore-nodes-'));
after(() => rmSync(place, { recursive: true, force: true }));
const everywhere = installedEverywhere(place);
// Each test that asks for it hears of its failure.
everywhere.catch(() => undefined);

for (const [at, version] of NEWER_NODES.entries())
  test(`the packed package installs on Node ${version} without a warning, and a whole run is sound there`, async () => {
    const { cwd, node, installed } = (await everywhere)[at] ?? assert.fail();
    assert.equal(installed.code, 0, installed.stderr);
    assert.doesNotMatch(installed.stderr, WARNED);
    const program = 'node_modules/petstore-conformance/dist/src/cli/main.js';
    const run = await startProcess(node, [program, 'run', '--report-dir', 'run'], { cwd }).ended;
    expectSound(run, join(cwd, 'run'));
    assert.doesNotMatch(run.stderr, /Warning/);
    assert.ok(resultsIn(join(cwd, 'run')).load.length > 0, 'load was sent, too');
  });
