import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { loadLedger } from '../base/interface/ledger.js';
import type { LogRecord } from '../log/record.js';
import type { RunLog } from '../log/run-log.js';
import { startReference } from '../reference/index.js';
import { FILES } from '../log/files.js';
import { targetFromOptions } from '../wire/targets/target-options.js';
import { resultsOf } from '../outcome/results/results.js';
import { execute } from './judge-target.js';
import { planRun } from './plan-run.js';

const KEY = 'pk-of-a-run-that-breaks-down';

/** Runs against a correct server; the kit fails at a record. */
async function brokenAt(
  t: TestContext,
  isThere: (record: LogRecord) => boolean,
  thrown: unknown,
): Promise<{ log: RunLog; file: string }> {
  const server = await startReference({ keys: { free: KEY } });
  t.after(server.close);
  const directory = mkdtempSync(join(tmpdir(), 'petstore-fault-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const target = targetFromOptions({ baseUrl: server.baseUrl, keys: [`free=${KEY}`], env: {} });
  const plan = planRun({
    target,
    only: 'suites',
    readOnly: false,
    command: 'run',
    now: Date.now(),
  });
  let once = true;
  const log = await execute({
    ...plan,
    directory,
    estimate: async () => ({ requests: 1, seconds: 1 }),
    most: async () => 60,
    signal: new AbortController().signal,
    onRecord: (record) => {
      if (!once || !isThere(record)) return;
      once = false;
      throw thrown;
    },
  });
  return { log, file: join(directory, FILES.log) };
}

test('an error of the kit ends the run without verdict and fails no requirement', async (t) => {
  const { log } = await brokenAt(t, ({ type }) => type === 'preflight', new TypeError('x is undefined'));
  assert.equal(log.footer?.complete, false);
  assert.equal(log.footer?.reason, 'a kit fault: TypeError: x is undefined');
  assert.match(log.footer?.fault ?? '', /^TypeError: x is undefined\n +at /);
  const results = resultsOf(log, loadLedger().requirements);
  assert.equal(results.verdict, 'error');
  assert.equal(results.fault, log.footer?.fault);
  assert.equal(results.counts.error, 0);
  assert.equal(results.requirements.find(({ id }) => id === 'list-ok')?.reason?.code, 'interrupted');
});

/** True for findings from the suites' traffic, judged after them. */
const isOfTraffic = (record: LogRecord): boolean =>
  record.type === 'finding' && record.finding.requirement === 'rate-limit-value';

test('requirements judged before the error keep their outcome', async (t) => {
  const { log } = await brokenAt(t, isOfTraffic, 'out of luck');
  assert.equal(log.footer?.fault, 'out of luck');
  const results = resultsOf(log, loadLedger().requirements);
  assert.equal(results.verdict, 'error');
  assert.equal(results.requirements.find(({ id }) => id === 'list-ok')?.outcome, 'passed');
});

test('a key in an error of the kit is not logged', async (t) => {
  const { log, file } = await brokenAt(t, ({ type }) => type === 'preflight', new Error(`bad ${KEY}`));
  assert.match(log.footer?.fault ?? '', /^Error: bad \[key\]/);
  assert.match(log.footer?.reason ?? '', /bad \[key\]$/);
  assert.ok(!readFileSync(file, 'utf8').includes(KEY));
});
