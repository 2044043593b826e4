import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { start } from './support/command.js';
import { folder } from './support/folder.js';
import { memoryOf, workersOf } from './support/processes.js';
import { resultsIn } from './support/results.js';
import { answering } from './support/servers.js';
import { targetFile } from './support/targets.js';

/** A megabyte: as much as the kit reads of a body. */
const MEGABYTE = 1_000_000;
/** A long list of numbers, and one long name. */
const BODIES = [
  `[${'1,'.repeat(MEGABYTE / 2)}1]`,
  `[{"id":1,"categoryId":1,"status":"sold","name":"${'x'.repeat(MEGABYTE)}"}]`,
] as const;

/** Memory of the process tree with shared pages counted once; resident sizes would count Node three times. */
const MOST_BYTES = 400e6;
/** Limit for all files of a run with 29 exchanges. A single file with their whole bodies would have 29 MB. */
const MOST_ON_DISK = 12e6;
const EVERY_MS = 200;

const WITHOUT_PROC = existsSync('/proc/self/smaps_rollup')
  ? false
  : 'what processes share is read from Linux’s /proc';

test('one-megabyte responses need limited memory and disk space', { skip: WITHOUT_PROC }, async (t) => {
  const cwd = folder(t);
  let answered = 0;
  const baseUrl = await answering(t, (_request, response) =>
    response
      .writeHead(200, {
        'Content-Type': 'application/json',
        'X-RateLimit-Limit': 1000,
        'X-RateLimit-Remaining': 900,
        'X-RateLimit-Reset': Math.ceil(Date.now() / 1000) + 30,
      })
      .end(BODIES[(answered += 1) % BODIES.length]),
  );
  const { file, env } = targetFile(cwd, baseUrl, 'pk-some-key-of-a-test-1234567890');
  const words = [
    '--only',
    'suites',
    '--requirement',
    'list-*',
    '--requirement',
    'get-*',
    '--report-dir',
    'run',
  ];
  const { child, ended } = start(['run', '--target', file, ...words], { cwd, env });
  const { pid = 0 } = child;
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(
      most,
      [pid, ...workersOf(pid)].reduce((sum, each) => sum + memoryOf(each), 0),
    );
  }, EVERY_MS);
  const { code, stderr } = await ended.finally(() => clearInterval(watch));
  assert.equal(code, 1, stderr);
  assert.ok(most < MOST_BYTES, `${Math.round(most / 1e6)} MB`);
  const run = join(cwd, 'run');
  const written = readdirSync(run).map((name) => statSync(join(run, name)).size);
  assert.ok(written.reduce((sum, size) => sum + size, 0) < MOST_ON_DISK, String(written));
  assert.equal(resultsIn(run).complete, true);
  // Truncated, with a remark.
  assert.match(readFileSync(join(run, 'exchanges.har'), 'utf8'), /the beginning of 1,0\d\d,\d{3} bytes/);
});
