import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadLedger } from '../../base/interface/ledger.js';
import { startAltered } from '../../proof/index.js';
import { targetOf } from '../../proof/selftest/run-trial.js';
import { runWithoutPlaywright } from '../../drive/suite/plain-host.js';
import { resultsOf } from '../results/results.js';
import { coverageOf } from './coverage.js';

test('what is not covered names the digits beyond 2^53 that the server rejects', async () => {
  await using server = await startAltered({ variants: ['categories-within-int32'], minuteSeconds: 2 });
  const log = await runWithoutPlaywright(targetOf(server, { minuteSeconds: 2 }), { selected: ['pet-int64'] });
  const results = resultsOf(log, loadLedger().requirements);
  const row = results.requirements.find(({ id }) => id === 'pet-int64');
  assert.equal(row?.outcome, 'passed', row?.reason?.text);
  assert.match(row.partly?.join('\n') ?? '', /digits of a category beyond 2\^53/);
  assert.match(coverageOf(results).notCovered.join('\n'), /digits of a category beyond 2\^53/);
});
