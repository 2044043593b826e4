import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { rowToSample } from '../../log/run-log.js';
import { MAIN, petstoreHere, start, startProcess } from './support/command.js';
import { folder } from './support/folder.js';
import { untilGone, untilWorkers, workersOf } from './support/processes.js';
import { recordsIn, resultsIn } from './support/results.js';
import { reference, targetFile } from './support/targets.js';
import { answering, silent } from './support/servers.js';
import { atExchange, atHeader, atPhase, reaches, type Moment } from './support/watch.js';

const MOMENTS: readonly (readonly [name: string, moment: Moment])[] = [
  ['the log’s first line', atHeader],
  ['preflight', atPhase('preflight')],
  ['the suites’ begin', atPhase('suites')],
  ['the 10th answer', atExchange(10)],
  ['the 60th answer', atExchange(60)],
];

/** Starts a run of the suites against a server that takes its time, so that the moment is not over before the signal. */
async function startRun(t: TestContext) {
  const cwd = folder(t);
  const server = await reference(t, { variants: ['slow-and-jittery'] });
  const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
  const directory = join(cwd, 'run');
  const run = start(['run', '--target', file, '--report-dir', 'run'], { cwd, env });
  t.after(() => run.child.kill('SIGKILL'));
  return { cwd, directory, run };
}

/** Starts a run against a server that has been asked and answers nothing; the run would wait for longer than a test may. */
async function startWaiting(t: TestContext) {
  const cwd = folder(t);
  const { baseUrl, asked } = await silent(t);
  const { file, env } = targetFile(cwd, baseUrl, 'pk-some-key-of-a-test', ['http: { timeoutMs: 600000 }']);
  const run = start(['run', '--target', file, '--report-dir', 'run'], { cwd, env });
  t.after(() => run.child.kill('SIGKILL'));
  await asked;
  return { cwd, run };
}

function expectCutShort(directory: string): void {
  const results = resultsIn(directory);
  assert.equal(results.complete, false);
  assert.notEqual(results.verdict, 'conformant');
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  for (const [name, moment] of MOMENTS)
    test(`${signal} at ${name} leaves a log and results that say so: 3`, async (t) => {
      const { directory, run } = await startRun(t);
      await reaches(directory, moment);
      run.child.kill(signal);
      const { code, stdout, stderr } = await run.ended;
      assert.equal(code, 3, stdout + stderr);
      assert.match(stdout, /interrupted/i);
      assert.doesNotMatch(stdout, /^CONFORMANT/m);
      const footer = recordsIn(directory).at(-1);
      assert.ok(footer?.type === 'footer' && !footer.complete && footer.reason === 'interrupted');
      expectCutShort(directory);
      assert.ok(existsSync(join(directory, 'index.html')));
    });

for (const [name, moment] of [
  ['the load’s begin', atPhase('load')],
  ['the first profile’s end', (records) => records.some(({ type }) => type === 'profile')],
] as readonly (readonly [string, Moment])[])
  test(`SIGINT at ${name}: what was found by then stands, and nothing more`, async (t) => {
    const cwd = folder(t);
    const server = await reference(t, { minuteSeconds: 3 });
    const windows = 'windows: { minute: 3, day: 86400 }';
    const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business, [windows]);
    const run = start(['run', '--target', file, '--only', 'load', '--report-dir', 'run'], { cwd, env });
    t.after(() => run.child.kill('SIGKILL'));
    await reaches(join(cwd, 'run'), moment);
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
    // Broken off on its way, a request counts as sent; whether the server ever saw it, nobody knows.
    const unknown = samples.filter(({ status }) => status === 0).length;
    const answered = suites + samples.length - unknown;
    assert.equal(sent, answered + unknown, 'every request of the log is counted');
    assert.ok(
      answered <= server.requests() && server.requests() <= sent,
      `${answered} answered, ${unknown} broken off, ${server.requests()} seen by the server`,
    );
  });

/** Far below what the runs in question would wait for, far above what ending takes. */
const AT_ONCE = { timeout: 120_000 };

test('a run that waits for an answer ends at once when it is interrupted', AT_ONCE, async (t) => {
  const { cwd, run } = await startWaiting(t);
  run.child.kill('SIGINT');
  const { code, stdout, stderr } = await run.ended;
  assert.equal(code, 3, stdout);
  assert.equal(stderr, '', 'nothing is said about the target');
  assert.match(stdout, /interrupted/);
  expectCutShort(join(cwd, 'run'));
});

test('so does one that waits for a Retry-After', AT_ONCE, async (t) => {
  const cwd = folder(t);
  let asked = 0;
  const baseUrl = await answering(t, (_request, response) => {
    asked += 1;
    // A target that refuses the first request as well cannot be started with.
    if (asked === 1) response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]');
    else response.writeHead(429, { 'Retry-After': '30' }).end();
  });
  const { file, env } = targetFile(cwd, baseUrl, 'pk-some-key-of-a-test');
  const run = start(['run', '--target', file, '--report-dir', 'run'], { cwd, env });
  t.after(() => run.child.kill('SIGKILL'));
  await reaches(join(cwd, 'run'), (records) => records.some(({ type }) => type === 'waiting'));
  run.child.kill('SIGTERM');
  const { code, stdout } = await run.ended;
  // The refusal carries no rate headers, which is a violation whatever else is known.
  assert.equal(code, 1, stdout);
  assert.match(stdout, /interrupted/);
  expectCutShort(join(cwd, 'run'));
});

test('killed before the suites begin, a run leaves no Playwright process behind either', async (t) => {
  const { run } = await startWaiting(t);
  const pid = run.child.pid ?? 0;
  await untilWorkers(pid, 2);
  const workers = workersOf(pid);
  run.child.kill('SIGKILL');
  await run.ended;
  await untilGone(workers);
});

test('killed, a run leaves no Playwright process behind, a log without footer, and results that say so', async (t) => {
  const { cwd, directory, run } = await startRun(t);
  await reaches(directory, atExchange(10));
  const pid = run.child.pid ?? 0;
  const workers = workersOf(pid);
  assert.ok(workers.length >= 2, 'Playwright and its worker');
  run.child.kill('SIGKILL');
  await run.ended;
  await untilGone(workers);
  assert.ok(recordsIn(directory).every(({ type }) => type !== 'footer'));
  expectCutShort(directory);

  const again = await petstoreHere(['report', 'run'], { cwd });
  assert.equal(again.code, 3);
  assert.match(again.stdout, /CUT SHORT/);
  for (const name of ['index.html', 'summary.md'])
    assert.match(readFileSync(join(directory, name), 'utf8'), /cut short/i, name);
});

/** util-linux's, which runs a command on a terminal of its own. */
const SCRIPT = '/usr/bin/script';

test(
  'a terminal that closes during the suites ends the run in order',
  { skip: existsSync(SCRIPT) ? false : 'needs `script` of util-linux for a terminal' },
  async (t) => {
    const cwd = folder(t);
    const server = await reference(t, { variants: ['slow-and-jittery'] });
    const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
    const directory = join(cwd, 'run');
    // The system tells the shell alone that its terminal is gone: it hands that on, and writes down how the command ended.
    const words = `${process.execPath} ${MAIN} run --target ${file} --report-dir run`;
    const command = `${words} & run=$!; trap 'kill -HUP $run' HUP; wait $run; wait $run; echo $? > code`;
    const terminal = startProcess(SCRIPT, ['-qfc', command, '/dev/null'], { cwd, env });
    await reaches(directory, atExchange(10));
    const pids = workersOf(terminal.child.pid ?? 0);
    terminal.child.kill('SIGKILL');
    await untilGone(pids);
    expectCutShort(directory);
    const footer = recordsIn(directory).find(({ type }) => type === 'footer');
    assert.equal(footer?.type === 'footer' && footer.reason, 'interrupted');
    assert.ok(existsSync(join(directory, 'index.html')));
    // And not 134, as Node ends where it cannot give a terminal back.
    assert.equal(readFileSync(join(cwd, 'code'), 'utf8'), '3\n');
    // The key is free again.
    const again = await petstoreHere(['run', '--target', file, '--requirement', 'list-ok', '--report-dir', 'again'], {
      cwd,
      env,
    });
    assert.equal(again.code, 0, again.stderr);
  },
);
