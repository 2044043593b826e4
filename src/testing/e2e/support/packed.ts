import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../contract/package-root.js';
import { EXIT_CODES } from '../../../verdict/verdict.js';
import { startProcess, type Ended } from './command.js';
import { idsThat, resultsIn } from './results.js';

/** The package as others get it: packed, and installed in an empty folder elsewhere. */

/** What npm says of a package that somebody should look at; of its user's own settings it may say what it likes. */
export const WARNED = /EBADENGINE|ERESOLVE|deprecated|install-scripts|allowScripts/;

/** Packs the package into a folder; gives the tarball's path and the files in it. */
export async function pack(cwd: string) {
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
export function expectSound({ code, stdout, stderr }: Ended, directory: string): void {
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
export async function install(cwd: string, node: string, tarball: string) {
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), '{ "private": true }');
  return { cwd, node, installed: await startProcess(node, [npmScript(), ...INSTALL, tarball], { cwd }).ended };
}
