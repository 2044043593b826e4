import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { startAltered } from '../../proof/index.js';
import { petstoreHere } from './support/command.js';
import { resultsIn } from './support/results.js';

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
