import assert from 'node:assert/strict';
import { test } from 'node:test';
import { familyOf } from '../../base/interface/families.js';
import type { RequirementId } from '../../base/interface/types.js';
import { fixedFromFirst } from '../limiters/limiters.js';
import type { Behaviour } from '../limiters/server.js';
import { broken, PLAIN, simulate } from './simulate.js';
import { samplesOf } from '../../judge/limits/series.js';

const SOUND: Behaviour = { make: fixedFromFirst };

test('the same seed gives the same run, to the last request', async () => {
  const [one, other] = await Promise.all([simulate(SOUND, PLAIN), simulate(SOUND, PLAIN)]);
  assert.deepEqual(one.record, other.record);
  assert.deepEqual(one.told, other.told);
  const { record } = await simulate(SOUND, { ...PLAIN, seed: 2 });
  assert.notDeepEqual(one.record, record);
});

test('several plans run in parallel, and each request is sent once', async () => {
  const { record, seconds, requests, findings } = await simulate(SOUND, PLAIN);
  assert.deepEqual(broken(findings), []);
  // Keys that are asked one after the other would take twice as long.
  assert.ok(seconds > 4 * PLAIN.minuteSeconds && seconds < 5 * PLAIN.minuteSeconds, `${seconds} s`);
  for (const series of record.keys) assert.equal(samplesOf(series).length, requests.get(series.key));
  const [free, pro] = record.keys.map(samplesOf);
  const during = free?.filter(({ sentAt }) => pro?.some((sample) => sample.sentAt < sentAt)).length ?? 0;
  assert.ok(during > 0, 'nothing overlaps');
});

test('a flaw of a limiter is detected', async () => {
  const half: Behaviour = {
    ...SOUND,
    applied: (figures) => ({ ...figures, minuteSeconds: figures.minuteSeconds / 2 }),
  };
  const red = broken((await simulate(half, PLAIN)).findings);
  assert.ok(red.includes('rate-window'));
  assert.deepEqual([...new Set(red.map((id) => familyOf(id as RequirementId)))], [familyOf('rate-window')]);
});
