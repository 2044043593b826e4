import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeKey } from '../../testing/limiters/free-key.js';
import { sampleWith } from '../../testing/limiters/sample-with.js';
import type { Asked } from './asked.js';
import { readKey } from './question-rows.js';

const FIGURES = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };

test('a key is read once, and each of its rows judged once, until its samples or the clock change', () => {
  const lone: Asked = { ...sampleWith({}), question: 'whole', part: 'lone' };
  const key = { ...freeKey(FIGURES), asked: [lone] };
  const reading = readKey(key, null, ['listPets']);
  assert.equal(readKey(key, null, ['listPets']), reading);
  assert.notEqual(readKey({ ...key }, null, ['listPets']), reading);
  assert.notEqual(readKey(key, { lowMs: 0, highMs: 0 }, ['listPets']).run.clock, null);
  assert.notEqual(readKey(key, null, ['listPets', 'getPet']), reading);
  let judged = 0;
  const judge = (): null => {
    judged += 1;
    return null;
  };
  reading.shows(judge);
  assert.equal(reading.shows(judge), null);
  assert.equal(judged, 1);
  assert.equal(readKey({ ...key, asked: [] }, null, ['listPets']).shows(judge), null);
  assert.equal(judged, 1, 'a key that was not asked shows nothing');
});
