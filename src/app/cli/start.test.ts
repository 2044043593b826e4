import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../base/kernel/package.js';

const START = join(import.meta.dirname, 'start.cjs');

/** Runs the package's command on a Node that claims to be of a version. */
const runOn = (version: string) =>
  new Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }>((resolve) => {
    const claim = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'});Object.defineProperty(process,'version',{value:'v${version}'})`;
    execFile(process.execPath, ['--import', claim, START, '--version'], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

for (const version of ['8.17.0', '18.20.4', '20.18.3', '20.9.0'])
  test(`Node ${version} is too old: one sentence, and an exit code that is no verdict`, async () => {
    assert.deepEqual(await runOn(version), {
      code: 2,
      stdout: '',
      stderr: `petstore-conformance needs Node 20.19 or later; this is v${version}.\n`,
    });
  });

for (const version of ['20.19.0', '22.0.0', '26.1.0'])
  test(`Node ${version} starts the command`, async () => {
    const { code, stdout, stderr } = await runOn(version);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  });

test('the package starts with that file, and names the same version', () => {
  const { bin, engines } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
    readonly bin: Readonly<Record<string, string>>;
    readonly engines: { readonly node: string };
  };
  assert.equal(join(packageRoot(), bin['petstore-conformance'] ?? ''), START);
  assert.equal(engines.node, '>=20.19');
});
