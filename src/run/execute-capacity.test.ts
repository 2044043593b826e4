import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { loadLedger } from '../base/interface/ledger.js';
import type { LogRecord } from '../log/record.js';
import { resultsOf } from '../outcome/results/results.js';
import { startAltered } from '../proof/index.js';
import { targetOf } from '../proof/selftest/run-trial.js';
import { parseScenario } from '../wire/scenario/scenario.js';
import { executeCapacity } from './execute-capacity.js';
import { planCapacityRun } from './plan-capacity-run.js';

const FETCHES = parseScenario(
  `
name: fetches
phases: [{ name: open, duration: 1s, rate: 20/s }]
operations: [{ operation: getPet }]
`,
  'fetches.yaml',
);

const SCENARIO = parseScenario(
  `
name: all
phases:
  - { name: open, duration: 2s, rate: 20/s }
  - { name: closed, duration: 200ms, connections: 1 }
operations:
  - { operation: createPet }
  - { operation: getPet }
overLimit: allow
`,
  'all.yaml',
);

/** Libraries that take a tenth of a second or more to load. */
const LIBRARIES = ['autocannon', 'hdr-histogram-js', 'openapi-response-validator'];

const { cache, resolve } = createRequire(import.meta.url);

const loaded = (): readonly string[] => LIBRARIES.filter((name) => cache[resolve(name)] !== undefined);

async function runOnSoundServer(
  t: TestContext,
  onRecord: (record: LogRecord) => void = () => undefined,
  { scenario = SCENARIO, animals = 48 } = {},
) {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-load-whole-'));
  const server = await startAltered({ minuteSeconds: 60, animals });
  t.after(async () => {
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const { run, capacity } = planCapacityRun({
    target: targetOf(server, { minuteSeconds: 60 }),
    scenario,
    readOnly: false,
    command: 'test',
  });
  return executeCapacity({
    ...run,
    plan: capacity,
    directory,
    signal: new AbortController().signal,
    onRecord,
  });
}

test('a load run loads its libraries before its first phase, and names only responses that never came', async (t) => {
  const before: (readonly string[])[] = [];
  const log = await runOnSoundServer(t, (record) => {
    if (record.type === 'scenario') before.push(loaded());
  });
  // A library that is loaded during a phase holds up what is due then.
  assert.deepEqual(before, [LIBRARIES]);

  const came = (log.capacity?.phases ?? []).flatMap(({ operations }) =>
    operations.flatMap(({ operation, byStatus }) =>
      Object.keys(byStatus).map((status) => `${operation} ${status}`),
    ),
  );
  const { requirements } = resultsOf(log, loadLedger().requirements);
  const missing = requirements.flatMap(({ partly = [] }) => partly).join();
  assert.deepEqual(
    came.filter((answer) => missing.includes(answer)),
    [],
  );
  assert.ok(came.includes('createPet 201') && missing.includes('createPet 401'), missing);
});

test('a scenario that only fetches animals does not start where there are none', async (t) => {
  const log = await runOnSoundServer(t, undefined, { scenario: FETCHES, animals: 0 });
  assert.equal(log.footer?.obstacle?.code, 'no-animal');
  assert.equal(log.capacity, null);
});
