import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { parseScenario } from '../wire/scenario/scenario.js';
import { loadLedger } from '../base/interface/ledger.js';
import type { Target } from '../wire/targets/target.js';
import { targetFromOptions } from '../wire/targets/target-options.js';
import { resultsOf } from '../outcome/results/results.js';
import { EXIT_CODES } from '../judge/verdict.js';
import { withTimeLimit, mostLoadSeconds, mostSeconds } from './time-limits.js';
import { executeCapacity } from './execute-capacity.js';
import { execute } from './judge-target.js';
import { planCapacityRun } from './plan-capacity-run.js';
import { planRun } from './plan-run.js';
import { rateHeadersWith } from '../base/interface/rate-headers.js';

test('a run ends after its maximum time and reports that time', async () => {
  const time = withTimeLimit(new AbortController().signal);
  assert.equal(time.over(), null);
  const ended = once(time.signal, 'abort');
  // The timer under test does not keep a process alive by itself.
  const alive = setInterval(() => undefined, 1000);
  time.within(0.01);
  await ended;
  clearInterval(alive);
  assert.equal(time.over(), 0.01);
  time.release();
});

test('an interruption before that is not reported as the maximum time', () => {
  for (const already of [true, false]) {
    const controller = new AbortController();
    if (already) controller.abort();
    const time = withTimeLimit(controller.signal);
    time.within(1e9);
    controller.abort();
    assert.equal(time.signal.aborted, true);
    assert.equal(time.over(), null);
    time.release();
  }
});

test('the maximum time exceeds the plan by several minutes and the time of slow responses', () => {
  assert.equal(mostSeconds(3, { windows: { minute: 60, day: 86_400 } }), 906);
  assert.equal(mostSeconds(2000, { windows: { minute: 60, day: 86_400 } }), 4900);
  assert.equal(mostSeconds(3, { windows: { minute: 2, day: 60 } }), 326);
});

test('the maximum time of a load run is its scenario plus slow responses', () => {
  const http = { timeoutMs: 10_000, maxBodyBytes: 1_000_000 };
  assert.equal(mostLoadSeconds(120_000, { windows: { minute: 60, day: 86_400 }, http }), 290);
  assert.equal(mostLoadSeconds(20_000, { windows: { minute: 60, day: 86_400 }, http }), 190);
  assert.equal(
    mostLoadSeconds(0, { windows: { minute: 2, day: 60 }, http: { ...http, timeoutMs: 1000 } }),
    18,
  );
});

/** The wait that these servers demand, ms: a run that ends before did not wait, however slow the machine. */
const DEMANDED_MS = 55_000;

/**
 * Starts a server that answers with `answer`, and makes a target and a folder for it; removes all after the
 * test.
 */
async function targetThat(
  t: TestContext,
  answer: RequestListener,
): Promise<{ target: Target; directory: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-bound-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const target = targetFromOptions({
    baseUrl: `http://127.0.0.1:${port}/v1`,
    keys: ['free=pk-some-key-of-a-test'],
    env: {},
  });
  return { target, directory };
}

test('a target that demands long waits cannot exceed the maximum time', async (t) => {
  let asked = 0;
  const { target, directory } = await targetThat(t, (_request, response) => {
    asked += 1;
    // Every second response demands a wait of nearly the plan's minute.
    response
      .writeHead(asked % 2 === 0 ? 429 : 200, { 'Content-Type': 'application/json', 'Retry-After': '55' })
      .end('[]');
  });
  const plan = planRun({
    target,
    only: 'suites',
    readOnly: true,
    command: 'run',
    now: Date.now(),
  });
  const log = await execute({
    ...plan,
    directory,
    estimate: async () => ({ requests: 1, seconds: 1 }),
    most: async () => 4,
    signal: new AbortController().signal,
    onRecord: () => undefined,
  });
  assert.equal(log.footer?.complete, false);
  assert.equal(log.footer?.reason, 'its time limit of 4 s was reached');
  assert.equal(log.header.mostSeconds, 4);
  const results = resultsOf(log, loadLedger().requirements);
  // Earlier failures count; rows not judged are inconclusive.
  assert.equal(EXIT_CODES[results.verdict], 1);
  assert.ok(results.requirements.some(({ reason }) => reason?.code === 'interrupted'));
  assert.ok(results.durationMs < DEMANDED_MS, String(results.durationMs));
});

const SCENARIO = parseScenario(
  'name: some\nphases: [{ name: only, duration: 2s, rate: 5/s }]\noperations: [{ operation: listPets }]',
  'scenario.yaml',
);

test('a first response that demands a wait cannot exceed it in a load run', async (t) => {
  const { target, directory } = await targetThat(t, (_request, response) => {
    response
      .writeHead(429, {
        'Content-Type': 'application/json',
        'Retry-After': '55',
        ...Object.fromEntries(
          rateHeadersWith({ limit: 60, remaining: 0, reset: Math.ceil(Date.now() / 1000) + 55 }),
        ),
      })
      .end('{}');
  });
  const { run, capacity } = planCapacityRun({ target, scenario: SCENARIO, readOnly: true, command: 'load' });
  const log = await executeCapacity({
    ...run,
    plan: capacity,
    directory,
    most: async () => 1,
    signal: new AbortController().signal,
    onRecord: () => undefined,
  });
  assert.deepEqual(
    [log.footer?.complete, log.footer?.reason, log.header.mostSeconds],
    [false, 'its time limit of 1 s was reached', 1],
  );
  const { verdict, durationMs } = resultsOf(log, loadLedger().requirements);
  assert.equal(EXIT_CODES[verdict], 3);
  assert.ok(durationMs < DEMANDED_MS, String(durationMs));
});
