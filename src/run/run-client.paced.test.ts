import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { exitCodeOf } from '../judge/verdict.js';
import { rowsOfSides } from '../base/interface/ledger.js';
import { resultsOf, type Results } from '../outcome/results/results.js';
import { verdictClause } from '../outcome/words/verdict-sentence.js';
import { MOST_MS, runClient } from './run-client.js';

/** Lists animals as it should, and ends. */
const ENDS = `
const { PETSTORE_BASE_URL: base, PETSTORE_API_KEY: key } = process.env;
const response = await fetch(base + '/pets?limit=5', { headers: { Authorization: 'Bearer ' + key } });
await response.text();
`;
const HANGS = `${ENDS} setInterval(() => {}, 1000);`;

/** Judges a client that has `mostMs` in each scenario. */
async function judged(t: TestContext, source: string, mostMs: number): Promise<Results> {
  const directory = mkdtempSync(join(tmpdir(), 'client-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const log = await runClient({
    name: 'hanging',
    scenarios: ['calm', 'empty-store'],
    words: [process.execPath, '--input-type=module', '-e', source],
    mostMs,
    directory,
    command: 'client',
    env: process.env,
    signal: new AbortController().signal,
    onListening: () => undefined,
  });
  return resultsOf(log, rowsOfSides(['client']));
}

test('a client that hangs and is ended leaves a doubt, and the sentence says so', async (t) => {
  const results = await judged(t, HANGS, 2000);
  assert.deepEqual([results.verdict, exitCodeOf(results)], ['inconclusive', 3]);
  assert.match(
    verdictClause(results),
    /has not been shown to keep .*; the client did not end in calm and empty-store, and was ended after 2 s/,
  );
  const ended = await judged(t, ENDS, MOST_MS);
  assert.deepEqual([ended.verdict, exitCodeOf(ended)], ['conformant', 0]);
});
