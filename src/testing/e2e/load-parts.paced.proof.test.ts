import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, openToOthers } from './support/folder.js';
import { petstore, petstoreHere, type Ended } from './support/command.js';
import { wasTooSlow } from './support/loading.js';
import { resultsIn } from './support/results.js';
import { reference } from './support/targets.js';

const SCENARIO = `
name: small
phases:
  - { name: hold, duration: 2s, rate: 40/s }
  - { name: flood, duration: 1s, connections: 3 }
operations:
  - { operation: listPets, weight: 3, query: { limit: [5, 20], status: [available, pending, sold] } }
  - { operation: createPet, weight: 1 }
keys: [business, enterprise]
thresholds: [errors < 1%, violations = 0, { phase: hold, served: = 80 }]
`;

/** Time for two processes to start, ms; then twice that, and so on, on a machine that needs longer. */
const AHEAD_MS = 8000;
const MOST_AHEAD_MS = 8 * AHEAD_MS;

/** Starts both parts so that they begin together, and waits for their ends. */
async function bothParts(
  place: Parameters<typeof petstore>[1],
  aheadMs = AHEAD_MS,
): Promise<readonly Ended[]> {
  const at = new Date(Date.now() + aheadMs).toISOString();
  const load = ['load', '--target', 't.yaml', '--scenario', 's.yaml', '--start-at', at];
  const ended = await Promise.all(
    [1, 2].map((index) =>
      petstore([...load, '--slice', `${index}/2`, '--report-dir', `parts/${index}`], place),
    ),
  );
  const isTooLate = ended.some(({ stderr }) => /is in the past/.test(stderr));
  if (!isTooLate || aheadMs >= MOST_AHEAD_MS) return ended;
  rmSync(join(place.cwd, 'parts'), { recursive: true, force: true });
  return bothParts(place, 2 * aheadMs);
}

test('two parts form the whole schedule: exit code 3 each, 0 merged', async (t) => {
  const cwd = folder(t);
  const server = await reference(t, {});
  const { business, enterprise } = server.keys;
  const env = { BUSINESS: business, ENTERPRISE: enterprise };
  writeFileSync(
    join(cwd, 't.yaml'),
    `name: t\nbaseUrl: ${server.baseUrl}\nkeys: { business: "\${BUSINESS}", enterprise: "\${ENTERPRISE}" }\nplans: { enterprise: { perMinute: 2400, perDay: 500000 } }\n`,
  );
  writeFileSync(join(cwd, 's.yaml'), SCENARIO);
  const ended = await bothParts({ cwd, env });
  for (const [index, { code, stdout, stderr }] of ended.entries()) {
    assert.equal(code, 3, stdout + stderr);
    assert.match(stdout, new RegExp(`part ${index + 1} of 2`));
    const { capacity, scope } = resultsIn(join(cwd, `parts/${index + 1}`));
    assert.deepEqual(capacity?.part, { index: index + 1, count: 2 });
    assert.equal(scope.selection?.part, `${index + 1}/2`);
    assert.ok(capacity?.thresholds.every(({ outcome }) => outcome === 'inconclusive'));
    assert.doesNotMatch(readFileSync(join(cwd, `parts/${index + 1}/index.html`), 'utf8'), /small: kept/);
  }

  const whole = await petstoreHere(['merge', 'parts', '--report-dir', 'whole'], { cwd });
  const isSlow = wasTooSlow(join(cwd, 'whole'));
  assert.equal(whole.code, isSlow ? 3 : 0, whole.stdout + whole.stderr);
  const results = resultsIn(join(cwd, 'whole'));
  assert.equal(results.requests.total, server.requests());
  const outcomes = results.capacity?.thresholds.map(({ outcome }) => outcome) ?? [];
  assert.equal(outcomes.length, 3);
  assert.ok(
    outcomes.every((outcome) => outcome === 'met' || (isSlow && outcome === 'inconclusive')),
    outcomes.join(),
  );
  const [one, other] = [1, 2].map((index) => resultsIn(join(cwd, `parts/${index}`)).requests.byKey);
  assert.deepEqual(
    [one?.['enterprise'] ?? 0, other?.['business'] ?? 0],
    [0, 0],
    'each key is spent by one part alone, preflight included',
  );
  assert.match(readFileSync(join(cwd, 'whole/index.html'), 'utf8'), /<section id="agents"><h2>Parts<\/h2>/);

  // Other commands can read the merged log.
  const again = await petstoreHere(['report', 'whole'], { cwd });
  assert.equal(again.code, whole.code, again.stderr);

  assert.deepEqual([...openToOthers(join(cwd, 'parts')), ...openToOthers(join(cwd, 'whole'))], []);

  const half = await petstoreHere(['merge', 'parts/2', '--report-dir', 'half'], { cwd });
  assert.equal(half.code, 3);
  assert.match(half.stdout, /Part 1 is missing/);
  const twice = await petstoreHere(['merge', 'parts/1', 'parts/2', 'parts/2', '--report-dir', 'twice'], {
    cwd,
  });
  assert.equal(twice.code, 3);
  assert.match(twice.stdout, /Part 2 exists twice: parts\/2\s+and\s+parts\/2/);
});

test('invalid options for parts exit with 2 and send nothing', async (t) => {
  const cwd = folder(t);
  const server = await reference(t, {});
  const env = { BUSINESS: server.keys.business };
  writeFileSync(
    join(cwd, 't.yaml'),
    `name: t\nbaseUrl: ${server.baseUrl}\nkeys: { business: "\${BUSINESS}" }\n`,
  );
  writeFileSync(join(cwd, 's.yaml'), SCENARIO.replace('keys: [business, enterprise]', ''));
  const load = ['load', '--target', 't.yaml', '--scenario', 's.yaml'];
  const soon = new Date(Date.now() + 60_000).toISOString();
  for (const [words, message] of [
    [[...load, '--slice', '5/4', '--start-at', soon], /--slice takes I\/N, not "5\/4"/],
    [[...load, '--slice', '1/4'], /needs --start-at/],
    [['load', '--slice', '1/4', '--start-at', soon], /each part would start its own embedded server/],
    [[...load, '--slice', '1/4', '--start-at', '2020-01-01T00:00:00Z'], /is in the past/],
    [[...load, '--slice', '1/4', '--start-at', soon], /4 parts would share one key/],
    [['merge'], /./],
    [['merge', 'nowhere'], /does not exist/],
    [['merge', '.'], /There is no run in \./],
  ] as const) {
    const { code, stderr } = await petstoreHere(words, { cwd, env });
    assert.equal(code, 2, `${words.join(' ')}: ${stderr}`);
    assert.match(stderr, message);
    assert.match(stderr, /what to do/);
  }
  assert.equal(server.requests(), 0);
});
