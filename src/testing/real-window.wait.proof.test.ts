import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { petstore, petstoreHere } from './e2e/support/command.js';
import { folder } from './e2e/support/folder.js';
import { idsThat, isOpenBySlowness, resultsIn } from './e2e/support/results.js';
import { reference } from './e2e/support/targets.js';

const MINUTE_MS = 60_000;

/**
 * Two keys one after the other would take nine minutes. How long both take side by side,
 * `slow-network.background.proof` tells in virtual time: a slow machine adds some.
 */
const MOST_MINUTES = 8;

/** Other load tests use a minute of a few seconds; this one waits for real ones, which a certificate needs. */
test('a run with real minutes decides two plans side by side and is certified', async (t) => {
  const cwd = folder(t);
  const server = await reference(t, { minuteSeconds: 60 });
  const keys = ['free', 'business'].flatMap((plan) => [
    '--key',
    `${plan}=\${MINUTE_${plan.toUpperCase()}_KEY}`,
  ]);
  const env = { MINUTE_FREE_KEY: server.keys.free, MINUTE_BUSINESS_KEY: server.keys.business };
  const words = ['run', '--base-url', server.baseUrl, ...keys, '--certify', '--report-dir', 'run'];
  const { code, stdout, stderr } = await petstore(words, { cwd, env });
  const results = resultsIn(join(cwd, 'run'));
  for (const outcome of ['failed', 'warned', 'error'] as const)
    assert.deepEqual(idsThat(results, outcome), [], stdout + stderr);
  assert.ok(results.durationMs < MOST_MINUTES * MINUTE_MS, `${results.durationMs} ms`);
  const open = results.requirements.filter(({ outcome }) => outcome === 'inconclusive');
  // A busy machine may leave a row of limits open, and says so. Then no certificate is due.
  for (const row of open) assert.ok(row.id.startsWith('rate-') && isOpenBySlowness(row), stdout + stderr);
  if (open.length > 0) return assert.equal(code, 3, stdout + stderr);
  assert.equal(code, 0, stdout + stderr);
  assert.ok(idsThat(results, 'passed').includes('rate-reset-truthful'));

  assert.match(stdout.replaceAll(/\s+/g, ' '), /certified for the plans Free and Business only/);
  for (const name of ['certificate.json', 'certificate.intoto.json']) {
    const holds = await petstoreHere(['verify', `run/${name}`], { cwd });
    assert.equal(holds.code, 0, holds.stdout + holds.stderr);
    const said = holds.stdout.replaceAll(/\s+/g, ' ');
    assert.match(
      said,
      /^holds .* is certified for \d+ of \d+ required behaviours of Pet Store Service Interface 1\.0\.0/,
    );
    assert.match(said, /; not for the plans Pro and Enterprise, bans, the day's quota, /);
    const written = readFileSync(join(cwd, 'run', name), 'utf8') + holds.stdout + stderr;
    for (const key of Object.values(server.keys)) assert.ok(!written.includes(key));
  }

  const log = join(cwd, 'run/log.ndjson');
  writeFileSync(log, readFileSync(log, 'utf8').replace('"status":200', '"status":201'));
  const altered = await petstoreHere(['verify', 'run/certificate.json'], { cwd });
  assert.equal(altered.code, 1, altered.stdout + altered.stderr);
  assert.match(altered.stdout, /^does not hold/);
  assert.match(altered.stdout, /^log\.sha256: the log is not the certified one$/m);
});
