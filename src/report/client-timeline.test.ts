import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordOf, refused, sent } from '../judge/clients/traffic.test.support.js';
import { timelineOf } from './client-timeline.js';

/** Returns the remarks on a refused listing and a later request. */
function remarksOn(target: string): readonly string[] {
  const record = recordOf([refused('2', [0, 10]), sent({ target, at: [210, 220] })]);
  return timelineOf({ ...record, command: null, leftOut: null }).remarks;
}

test('a remark says whether a request too early repeats the refused one', () => {
  assert.deepEqual(remarksOn('/v1/pets'), ['sent again after 200 ms of 2 s: 1.8 s too early']);
  assert.deepEqual(remarksOn('/v1/pets?limit=7'), ['used the key after 200 ms of 2 s: 1.8 s too early']);
});
