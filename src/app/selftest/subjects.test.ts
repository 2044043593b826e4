import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flaws } from '../../reference/index.js';
import { trials, trialsElsewhere } from './subjects.js';

test('each mistake in limits is recorded again from further away, and in real time where it runs in it', () => {
  const elsewhere = trialsElsewhere().flat();
  for (const { name } of flaws.filter(({ needs }) => needs === 'load')) {
    const again = elsewhere.filter(({ subject, needs }) => subject.name === name && needs === 'load');
    assert.ok(
      again.some(({ isReal, latencyMs }) => isReal !== true && latencyMs !== undefined),
      name,
    );
    const isReal = trials().some((trial) => trial.subject.name === name && trial.isReal === true);
    assert.equal(
      again.some((trial) => trial.isReal === true),
      isReal,
      name,
    );
  }
});
