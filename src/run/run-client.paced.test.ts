import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { exitCodeOf } from '../judge/verdict.js';
import { rowsOfSides } from '../base/interface/ledger.js';
import { resultsOf, type Results } from '../outcome/results/results.js';
import { verdictClause } from '../outcome/words/verdict-sentence.js';
import { runClient } from './run-client.js';

/** Lists animals, waits as it should, and never ends. */
const HANGS = `
const { PETSTORE_BASE_URL: base, PETSTORE_API_KEY: key, PETSTORE_SCENARIO: scenario } = process.env;
const response = await fetch(base + '/pets?limit=5', { headers: { Authorization: 'Bearer ' + key } });
await response.text();
if (scenario !== 'calm') setInterval(() => {}, 1000);
`;

/** Judges a client that has two seconds in each scenario. */
async function judged(t: TestContext, source: string): Promise<Results> {
  const directory = mkdtempSync(join(tmpdir(), 'client-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const log = await runClient({
    name: 'hanging',
    scenarios: ['calm', 'empty-store'],
    words: [process.execPath, '--input-type=module', '-e', source],
    mostMs: 2000,
    directory,
    command: 'client',
    env: process.env,
    signal: new AbortController().signal,
    onListening: () => undefined,
  });
  return resultsOf(log, rowsOfSides(['client']));
}

test('a client that hangs and is ended leaves a doubt, and the sentence says so', async (t) => {
  const results = await judged(t, HANGS);
  assert.deepEqual([results.verdict, exitCodeOf(results)], ['inconclusive', 3]);
  assert.match(
    verdictClause(results),
    /has not been shown to keep .*; the client did not end in empty-store, and was ended after 2 s/,
  );
  const ended = await judged(t, HANGS.replace("scenario !== 'calm'", 'false'));
  assert.deepEqual([ended.verdict, exitCodeOf(ended)], ['conformant', 0]);
});
