import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { copyOf } from './support/a-run.js';
import { MAIN, petstoreHere, start, startProcess } from './support/command.js';
import { folder } from './support/folder.js';
import {
  expectCutShort,
  expectInterrupted,
  expectLoadInterrupted,
  startWaiting,
} from './support/interrupting.js';
import { killedRun } from './support/killed-run.js';
import { untilEnded, untilWorkers, workersOf } from './support/processes.js';
import { recordsIn } from './support/results.js';
import { answering } from './support/servers.js';
import { reference, targetFile } from './support/targets.js';
import { atExchange, atHeader, atPhase, reaches, type Moment } from './support/watch.js';

/** Moments with a signal each. */
const MOMENTS: readonly (readonly [name: string, signal: 'SIGINT' | 'SIGTERM', moment: Moment])[] = [
  ['the first line of the log', 'SIGTERM', atHeader],
  ['preflight', 'SIGINT', atPhase('preflight')],
  ['the 10th response', 'SIGINT', atExchange(10)],
  ['the 60th response', 'SIGTERM', atExchange(60)],
];

for (const [name, signal, moment] of MOMENTS)
  test(`${signal} at ${name} gives a log, results and exit code 3`, (t) =>
    expectInterrupted(t, signal, moment));

test('SIGINT at the start of load keeps exactly the findings so far', (t) =>
  expectLoadInterrupted(t, atPhase('load')));

test('SIGINT after the first profile keeps exactly the findings so far', (t) =>
  expectLoadInterrupted(t, (records) => records.some(({ type }) => type === 'profile')));

/** Far less than these runs would wait, far more than an end takes. */
const AT_ONCE = { timeout: 120_000 };

test('SIGTERM ends a run that waits for Retry-After', AT_ONCE, async (t) => {
  const cwd = folder(t);
  let asked = 0;
  const baseUrl = await answering(t, (_request, response) => {
    asked += 1;
    // If the first request got a 429 too, the run could not start.
    if (asked === 1) response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]');
    else response.writeHead(429, { 'Retry-After': '30' }).end();
  });
  const { file, env } = targetFile(cwd, baseUrl, 'pk-some-key-of-a-test');
  const run = start(['run', '--target', file, '--report-dir', 'run'], { cwd, env });
  t.after(() => run.child.kill('SIGKILL'));
  await reaches(run, join(cwd, 'run'), (records) => records.some(({ type }) => type === 'waiting'));
  run.child.kill('SIGTERM');
  const { code, stdout } = await run.ended;
  // The 429 has no rate headers, which is a violation in any case.
  assert.equal(code, 1, stdout);
  assert.match(stdout, /interrupted/);
  expectCutShort(join(cwd, 'run'));
});

test('a run killed before the suites leaves no Playwright process', async (t) => {
  const { run } = await startWaiting(t);
  const pid = run.child.pid ?? 0;
  await untilWorkers(pid, 2);
  const workers = workersOf(pid);
  run.child.kill('SIGKILL');
  await run.ended;
  await untilEnded(workers);
});

/** Part of util-linux: runs a command on a new terminal. */
const SCRIPT = '/usr/bin/script';

test(
  'a terminal that closes during the suites ends the run in order',
  { skip: existsSync(SCRIPT) ? false : 'needs `script` of util-linux for a terminal' },
  async (t) => {
    const cwd = folder(t);
    const server = await reference(t, { variants: ['slow-and-jittery'] });
    const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
    const directory = join(cwd, 'run');
    // The system sends SIGHUP only to the shell, so the shell forwards it and records the exit code.
    const words = `${process.execPath} ${MAIN} run --target ${file} --report-dir run`;
    const command = `${words} & run=$!; trap 'kill -HUP $run' HUP; wait $run; wait $run; echo $? > code`;
    const terminal = startProcess(SCRIPT, ['-qfc', command, '/dev/null'], { cwd, env });
    await reaches(terminal, directory, atExchange(10));
    const pids = workersOf(terminal.child.pid ?? 0);
    terminal.child.kill('SIGKILL');
    await untilEnded(pids);
    expectCutShort(directory);
    const footer = recordsIn(directory).find(({ type }) => type === 'footer');
    assert.equal(footer?.type === 'footer' && footer.reason, 'interrupted');
    assert.ok(existsSync(join(directory, 'index.html')));
    // Not 134, with which Node ends if it cannot restore a terminal.
    assert.equal(readFileSync(join(cwd, 'code'), 'utf8'), '3\n');
    // The key's lock is released.
    const again = await petstoreHere(
      ['run', '--target', file, '--requirement', 'list-ok', '--report-dir', 'again'],
      {
        cwd,
        env,
      },
    );
    assert.equal(again.code, 0, again.stderr);
  },
);

test('SIGINT immediately ends a run that waits for a response', AT_ONCE, async (t) => {
  const { cwd, run } = await startWaiting(t);
  run.child.kill('SIGINT');
  const { code, stdout, stderr } = await run.ended;
  assert.equal(code, 3, stdout);
  assert.equal(stderr, '', 'nothing is said about the target');
  assert.match(stdout, /interrupted/);
  expectCutShort(join(cwd, 'run'));
});

test('a killed run leaves no process, and its results state the interruption', async (t) => {
  const { cwd, directory, workers } = copyOf(t, await killedRun());
  assert.ok(workers >= 2, 'Playwright and its worker have ended');
  assert.ok(recordsIn(directory).every(({ type }) => type !== 'footer'));
  expectCutShort(directory);

  const again = await petstoreHere(['report', 'run'], { cwd });
  assert.equal(again.code, 3);
  assert.match(again.stdout, /CUT SHORT/);
  for (const name of ['index.html', 'summary.md'])
    assert.match(readFileSync(join(directory, name), 'utf8'), /cut short/i, name);
});
