import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { rowToSample } from '../../../log/run-log.js';
import { start } from './command.js';
import { folder } from './folder.js';
import { recordsIn, resultsIn } from './results.js';
import { reference, targetFile } from './targets.js';
import { silent } from './servers.js';
import { reaches, type Moment } from './watch.js';

/** Starts a run of the suites against a slow server, so that the moment lasts until the signal. */
async function startRun(t: TestContext) {
  const cwd = folder(t);
  const server = await reference(t, { variants: ['slow-and-jittery'] });
  const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
  const directory = join(cwd, 'run');
  const run = start(['run', '--target', file, '--report-dir', 'run'], { cwd, env });
  t.after(() => run.child.kill('SIGKILL'));
  return { cwd, directory, run };
}

/**
 * Starts a run against a server that never responds, with a very long timeout; returns after the first
 * request.
 */
export async function startWaiting(t: TestContext) {
  const cwd = folder(t);
  const { baseUrl, askedBy } = await silent(t);
  const { file, env } = targetFile(cwd, baseUrl, 'pk-some-key-of-a-test', ['http: { timeoutMs: 600000 }']);
  const run = start(['run', '--target', file, '--report-dir', 'run'], { cwd, env });
  t.after(() => run.child.kill('SIGKILL'));
  await askedBy(run);
  return { cwd, run };
}

/** Fails if the results do not show that the run was cut short. */
export function expectCutShort(directory: string): void {
  const results = resultsIn(directory);
  assert.equal(results.complete, false);
  assert.notEqual(results.verdict, 'conformant');
}

/** Sends a signal to a run of the suites at a moment; expects a log and results that show it. */
export async function expectInterrupted(
  t: TestContext,
  signal: 'SIGINT' | 'SIGTERM',
  moment: Moment,
): Promise<void> {
  const { directory, run } = await startRun(t);
  await reaches(run, directory, moment);
  run.child.kill(signal);
  const { code, stdout, stderr } = await run.ended;
  assert.equal(code, 3, stdout + stderr);
  assert.match(stdout, /interrupted/i);
  assert.doesNotMatch(stdout, /^CONFORMANT/m);
  const footer = recordsIn(directory).at(-1);
  assert.ok(footer?.type === 'footer' && !footer.complete && footer.reason === 'interrupted');
  expectCutShort(directory);
  assert.ok(existsSync(join(directory, 'index.html')));
}

/** Interrupts a load run at a moment; expects only the findings up to then. */
export async function expectLoadInterrupted(t: TestContext, moment: Moment): Promise<void> {
  const cwd = folder(t);
  const server = await reference(t, { minuteSeconds: 3 });
  const windows = 'windows: { minute: 3, day: 86400 }';
  const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business, [windows]);
  const run = start(['run', '--target', file, '--only', 'load', '--report-dir', 'run'], { cwd, env });
  t.after(() => run.child.kill('SIGKILL'));
  await reaches(run, join(cwd, 'run'), moment);
  run.child.kill('SIGINT');
  const { code, stdout, stderr } = await run.ended;
  assert.equal(code, 3, stdout + stderr);
  assert.match(stdout, /interrupted/);
  expectCutShort(join(cwd, 'run'));
  assert.equal(recordsIn(join(cwd, 'run')).at(-1)?.type, 'footer');
  const sent = resultsIn(join(cwd, 'run')).requests.total;
  const samples = recordsIn(join(cwd, 'run')).flatMap((record) =>
    record.type === 'series' ? record.rows.map(rowToSample) : [],
  );
  const suites = recordsIn(join(cwd, 'run')).filter(({ type }) => type === 'exchange').length;
  // A request cut off on its way counts as sent; the server may or may not have seen it.
  const unknown = samples.filter(({ status }) => status === 0).length;
  const answered = suites + samples.length - unknown;
  assert.equal(sent, answered + unknown, 'every request of the log is counted');
  assert.ok(
    answered <= server.requests() && server.requests() <= sent,
    `${answered} answered, ${unknown} broken off, ${server.requests()} seen by the server`,
  );
}
