import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startReference } from '../reference/index.js';
import type { Results } from '../verdict/results.js';

const main = join(import.meta.dirname, '../cli/main.js');

/** All other tests of load run with a minute of a few seconds; this one waits a real one out. */
test('the Free plan is decided within a real minute and a quarter', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-conformance-minute-'));
  const server = await startReference({ minuteSeconds: 60 });
  try {
    const keys = ['free', 'pro'].flatMap((plan) => ['--key', `${plan}=\${MINUTE_${plan.toUpperCase()}_KEY}`]);
    const code = await new Promise<number>((resolve) => {
      const child = execFile(
        process.execPath,
        [
          main,
          'run',
          '--base-url',
          server.baseUrl,
          ...keys,
          '--only',
          'load',
          '--plan',
          'free',
          '--report-dir',
          join(directory, 'run'),
        ],
        { env: { ...process.env, MINUTE_FREE_KEY: server.keys.free, MINUTE_PRO_KEY: server.keys.pro } },
        () => resolve(child.exitCode ?? -1),
      );
    });
    const results = JSON.parse(await readFile(join(directory, 'run/results.json'), 'utf8')) as Results;
    const open = results.requirements.filter(({ outcome }) =>
      ['failed', 'warned', 'error', 'inconclusive'].includes(outcome),
    );
    assert.deepEqual(
      open.map(({ id, outcome, reason, findings }) => ({ id, outcome, reason, findings })),
      [],
    );
    assert.equal(code, 0);
    assert.ok(results.requirements.some(({ id, outcome }) => id === 'rate-reset-truthful' && outcome === 'passed'));
    assert.ok(results.durationMs <= 75_000, `${results.durationMs} ms`);
  } finally {
    await server.close();
    await rm(directory, { recursive: true, force: true });
  }
});
