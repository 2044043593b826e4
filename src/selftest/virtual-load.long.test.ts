import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowOf } from './matrix.js';
import { complaint } from './present.js';
import { judgeTrial } from './run-trial.js';
import { trials } from './subjects.js';

/** A day takes 500 requests of 60 a minute: of whole minutes too many to be judged here. */
const isOfDay = ({ includes }: { readonly includes: readonly string[] }): boolean => includes.includes('day-quota');

/** A race for a small bucket, of which too little comes at once in a longer minute. */
const RACE = 'leaky-bucket-checks-before-it-counts';

test('in minutes of 60 s each limiter turns the same rows red as in those of a few seconds', async () => {
  const virtual = trials().filter(
    (each) => each.needs === 'load' && each.isReal !== true && !isOfDay(each) && each.subject.name !== RACE,
  );
  for (const trial of virtual) {
    const row = rowOf(trial.subject, await judgeTrial({ ...trial, minuteSeconds: 60 }, ''), 0);
    assert.deepEqual([row.missed, row.wronged], [[], []], complaint(row));
  }
});
