import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadLedger } from '../../base/interface/ledger.js';
import { startAltered } from '../index.js';
import type { Results } from '../../outcome/results/results.js';
import { judgeWithoutPlaywright } from './judge-by-suites.js';
import { targetOf } from './run-trial.js';

const main = join(import.meta.dirname, '../../app/cli/main.js');

/** Servers: one correct; one with wrong status codes, meanings, shapes and headers. */
const SERVERS: readonly (readonly string[])[] = [
  [],
  [
    'missing-field-422',
    'default-limit-twenty-five',
    'names-cut-at-64',
    'fetch-gone',
    'no-rate-headers-on-401',
  ],
];

/** Requirements of the suites; if the two hosts disagree on one, one of them is wrong. */
const compared = loadLedger().requirements.filter(
  ({ judgedBy }) => judgedBy.kind === 'suite' || judgedBy.kind === 'passive',
);

const outcomes = ({ requirements }: Results): Readonly<Record<string, string>> =>
  Object.fromEntries(
    requirements
      .filter(({ id }) => compared.some((row) => row.id === id))
      .map(({ id, outcome }) => [id, outcome]),
  );

for (const flaws of SERVERS)
  test(`both hosts give the same outcomes: ${flaws.join(', ') || 'a correct server'}`, async () => {
    const directory = await mkdtemp(join(tmpdir(), 'petstore-conformance-parity-'));
    const [one, other] = [await startAltered({ flaws }), await startAltered({ flaws })];
    try {
      const plain = await judgeWithoutPlaywright(targetOf(one, { minuteSeconds: 60 }));
      await new Promise<void>((resolve) => {
        // The exit code depends on the verdict; the test reads the results.
        execFile(
          process.execPath,
          [
            main,
            'run',
            '--base-url',
            other.baseUrl,
            '--key',
            'business=${PARITY_KEY}',
            '--only',
            'suites',
            '--report-dir',
            join(directory, 'run'),
          ],
          { env: { ...process.env, PARITY_KEY: other.keys.business } },
          () => resolve(),
        );
      });
      const playwright = JSON.parse(await readFile(join(directory, 'run/results.json'), 'utf8')) as Results;
      assert.deepEqual(outcomes(playwright), outcomes(plain));
      assert.equal(Object.keys(outcomes(plain)).length, compared.length);
    } finally {
      await Promise.all([one.close(), other.close()]);
      await rm(directory, { recursive: true, force: true });
    }
  });
