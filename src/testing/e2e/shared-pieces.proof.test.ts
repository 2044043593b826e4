import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import { startAltered } from '../../proof/index.js';
import { petstore, petstoreHere } from './support/command.js';
import { filesIn, folder } from './support/folder.js';
import { idsThat, resultsIn } from './support/results.js';
import { reference } from './support/targets.js';

/** An animal in the store before the run. */
interface Resident {
  readonly name: string;
  readonly categoryId: number;
  readonly status: string;
}

/**
 * Window in which a slow machine's requests come faster than the plan's refill, s, so that both runs judge
 * the same.
 */
const MINUTE_S = 600;

/** Judges a store with a key; returns each row's outcome and the kinds of its findings. */
async function judged(key: string, residents: readonly Resident[], flaws: readonly string[]) {
  const cwd = mkdtempSync(join(tmpdir(), 'petstore-shared-'));
  const server = await startAltered({
    keys: { business: key },
    animals: 12,
    flaws,
    minuteSeconds: MINUTE_S,
  });
  const windows = `windows: { minute: ${MINUTE_S}, day: 86400 }`;
  try {
    for (const resident of residents) {
      const { status } = await fetch(`${server.baseUrl}/pets`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${server.keys.enterprise}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(resident),
      });
      assert.equal(status, 201);
    }
    writeFileSync(
      join(cwd, 't.yaml'),
      `name: shared\nbaseUrl: ${server.baseUrl}\nkeys: { business: "\${KEY}" }\n${windows}\n`,
    );
    const words = ['run', '--target', 't.yaml', '--only', 'suites'];
    const { code, stdout } = await petstoreHere([...words, '--report-dir', 'run'], {
      cwd,
      env: { KEY: key },
    });
    const { requirements } = resultsIn(join(cwd, 'run'));
    return {
      stdout,
      outcome: {
        code,
        rows: requirements.map(({ id, outcome, findings }) => [id, outcome, findings.length] as const),
      },
    };
  } finally {
    await server.close();
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** A key that shares nothing with any store: no word, and no digit. */
const APART = 'QzXwVkQjYgQzXwVkQjYg';

const piece = fc.stringMatching(/^[A-Za-z0-9]{6,10}$/);
const digits = fc.integer({ min: 100_000, max: 999_999_999 });

test('for any key and any store the findings are those of a key that shares nothing', () =>
  fc.assert(
    fc.asyncProperty(
      piece,
      digits,
      fc.constantFrom('', 'default-limit-twenty-five', 'category-array-taken'),
      async (text, number, flaw) => {
        // Pieces of names, of numbers, of the moment that every Reset shows, and of what each animal of a run is called.
        const key = `${text}-${number}-${Math.floor(Date.now() / 1000)}-conformance`;
        const residents = ['available', 'pending', 'sold'].flatMap((status) => [
          { name: `a ${text} b`, categoryId: number, status },
          { name: `${number}`, categoryId: 7, status },
          { name: key.slice(3, 15), categoryId: Number(String(number).slice(0, 6)), status },
        ]);
        const flaws = flaw === '' ? [] : [flaw];
        const [shared, apart] = [await judged(key, residents, flaws), await judged(APART, residents, flaws)];
        assert.deepEqual(shared.outcome, apart.outcome, shared.stdout);
      },
    ),
    // A counterexample is shrunk by two whole runs each time.
    { numRuns: 5, endOnFailure: true },
  ));

/** A test key that shares digits with ids and categories, and with the moment that every Reset names. */
const keyOfNow = (): string => `free-key-123456-localhost-${Math.floor(Date.now() / 1000)}`;

/** Starts a server whose animals share pieces with its key: in names, as text and escaped, and in categories. */
async function sharing(t: TestContext) {
  const key = keyOfNow();
  const server = await reference(t, { keys: { business: key }, animals: 30 });
  for (const [name, categoryId] of [
    ['01234567890', 1_234_567],
    ['free-key', 9_123_456],
    ['Rex 123456', 7],
    [key.slice(-10), 123_456],
  ] as const)
    for (const status of ['available', 'pending', 'sold']) {
      const answer = await fetch(`${server.baseUrl}/pets`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${server.keys.enterprise}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name, categoryId, status }),
      });
      assert.equal(answer.status, 201);
    }
  return { server, key };
}

/** A target whose name, host and command share a piece with the key. */
function target(cwd: string, baseUrl: string): string {
  const file = join(cwd, 'localhost-123456.yaml');
  const address = baseUrl.replace('127.0.0.1', 'localhost');
  writeFileSync(
    file,
    `name: localhost-123456\nbaseUrl: ${address}\nkeys: { business: "\${SHARED_123456}" }\n`,
  );
  return 'localhost-123456.yaml';
}

test('a sound store that shares pieces with the key passes suites, exploring and a further run', async (t) => {
  const { server, key } = await sharing(t);
  const cwd = folder(t);
  const file = target(cwd, server.baseUrl);
  const place = { cwd, env: { SHARED_123456: key } };
  const run = ['run', '--target', file, '--only', 'suites', '--explore', '60', '--seed', '3'];
  for (const [nth, words] of [[], ['--read-only']].entries()) {
    const { code, stdout, stderr } = await (nth === 0 ? petstore : petstoreHere)([...run, ...words], place);
    assert.equal(code, 0, stdout + stderr);
    assert.ok(stdout.includes(` run --target ${file}`), stdout);
    assert.doesNotMatch(stdout, /(?:localhost|petstore|run --target [^ ]*)\S*\[key\]/);
  }
  const directories = readdirSync(join(cwd, 'reports')).filter((name) => name.endsWith('localhost-123456'));
  assert.equal(directories.length, 2);
  for (const directory of directories) {
    const results = resultsIn(join(cwd, 'reports', directory));
    assert.equal(results.target.name, 'localhost-123456');
    assert.equal(results.target.baseUrl, server.baseUrl.replace('127.0.0.1', 'localhost'));
    assert.deepEqual(idsThat(results, 'failed'), []);
    const log = readFileSync(join(cwd, 'reports', directory, 'log.ndjson'), 'utf8');
    assert.ok(log.includes('[key]'), 'the log is redacted');
    assert.ok(!existsSync(join(cwd, 'reports', directory, 'log.ndjson.received')));
  }
  for (const { name, bytes } of filesIn(join(cwd, 'reports'))) assert.ok(!bytes.includes(key), name);

  const again = await petstoreHere([...run.slice(0, 5), '--last-failed'], place);
  assert.match(
    again.stdout.replaceAll(/\s+/g, ' '),
    /The earlier runs of localhost-123456 left nothing open/,
  );
});

test('a load run on a store that shares pieces with the key finds no violation', async (t) => {
  const { server, key } = await sharing(t);
  const cwd = folder(t);
  writeFileSync(
    join(cwd, 's.yaml'),
    `name: small-123456\nphases: [{ name: "123456-hold", duration: 2s, rate: 40/s }]
operations: [{ operation: listPets, weight: 1 }, { operation: getPet, weight: 2 }]\n`,
  );
  const words = [
    'load',
    '--target',
    target(cwd, server.baseUrl),
    '--scenario',
    's.yaml',
    '--report-dir',
    'out',
  ];
  const { stdout, stderr } = await petstoreHere(words, { cwd, env: { SHARED_123456: key } });
  const results = resultsIn(join(cwd, 'out'));
  assert.deepEqual(idsThat(results, 'failed'), [], stdout + stderr);
  const [phase] = results.capacity?.phases ?? [];
  assert.equal(phase?.name, '123456-hold');
  assert.ok(
    phase.operations.some(({ operation, sent }) => operation === 'getPet' && sent > 0),
    stdout,
  );
});
