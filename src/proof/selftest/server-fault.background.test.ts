import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeTrial } from './run-trial.js';
import { trials } from './subjects.js';

test('a server error now and then is one finding with its share, and ends no question', async () => {
  const trial = trials().find(({ subject }) => subject.name === 'one-in-hundreds-falls-over');
  assert.ok(trial);
  for (const minuteSeconds of [3, 6, 60]) {
    const { requirements } = await judgeTrial({ ...trial, minuteSeconds });
    const red = requirements.filter(({ outcome }) => outcome === 'failed');
    assert.deepEqual(
      red.map(({ id }) => id),
      ['declared-status'],
    );
    assert.match(red[0]?.findings[0]?.actual ?? '', /^500 on [1-9] of [\d,]{3,} responses under load$/);
    assert.equal(red[0]?.findings.length, 1);
    assert.deepEqual(
      requirements.flatMap(({ id, outcome }) => (outcome === 'inconclusive' ? [id] : [])),
      [],
    );
  }
});
