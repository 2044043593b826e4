import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowOf } from './matrix.js';
import { complaint } from './present.js';
import { judgeTrial } from './run-trial.js';
import { trials } from './subjects.js';

/** True for a day's trial: it takes 500 requests at 60 a minute, too many whole minutes for this test. */
const isOfDay = ({ includes }: { readonly includes: readonly string[] }): boolean =>
  includes.includes('day-quota');

/** Race for a small bucket: in a longer minute too few requests come together. */
const RACE = 'leaky-bucket-checks-before-it-counts';

test('every second limiter violates the same requirements with 60-second minutes as with short ones', async () => {
  const virtual = trials()
    .filter(
      (each) => each.needs === 'load' && each.isReal !== true && !isOfDay(each) && each.subject.name !== RACE,
    )
    .filter((_, place) => place % 2 === 0);
  for (const trial of virtual) {
    const row = rowOf(trial.subject, await judgeTrial({ ...trial, minuteSeconds: 60 }), 0);
    assert.deepEqual([row.missed, row.wronged], [[], []], complaint(row));
  }
});
