import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samplesOf } from '../../limits/samples-of.js';
import { flawed, oneOver } from './flaws.js';
import { fixedFromFirst } from '../limiters/limiters.js';
import { broken, PLAIN, simulate } from './simulate.js';
import { virtualTime } from '../../selftest/virtual-time.js';

test('one seed is one run, to the last request', async () => {
  const [one, other] = await Promise.all([simulate(flawed({}), PLAIN), simulate(flawed({}), PLAIN)]);
  assert.deepEqual(one.record, other.record);
  assert.deepEqual(one.told, other.told);
  const { record } = await simulate(flawed({}), { ...PLAIN, seed: 2 });
  assert.notDeepEqual(one.record, record);
});

test('the keys of several plans are driven side by side, and each request is asked once', async () => {
  const { record, seconds, requests, findings } = await simulate(flawed({}), PLAIN);
  assert.deepEqual(broken(findings), []);
  // A window and what is around it: were the keys driven one after the other, it would be two.
  assert.ok(seconds > 60 && seconds < 70, `${seconds} s`);
  for (const series of record.keys) assert.equal(samplesOf(series).length, requests.get(series.key));
  const [free, pro] = record.keys.map(samplesOf);
  const during = free?.filter(({ sentAt }) => pro?.some((sample) => sample.sentAt < sentAt)).length ?? 0;
  assert.ok(during > 0, 'nothing overlaps');
});

test('what is wrong with a limiter shows', async () => {
  assert.deepEqual(broken((await simulate(oneOver(fixedFromFirst), PLAIN)).findings), ['rate-429']);
});

test('time passes in the order of what is due, and only while all wait', async () => {
  const time = virtualTime(1000);
  const { signal } = new AbortController();
  const seen: string[] = [];
  const waits = async (name: string, ...until: readonly number[]): Promise<void> => {
    for (const at of until) {
      assert.equal(await time.sleepUntil(at, signal), true);
      // However long the way from one promise to the next, no time passes on it.
      for (let step = 0; step < 50; step += 1) await Promise.resolve();
      seen.push(`${name} ${time.now()}`);
    }
  };
  await time.passing(async () => {
    await Promise.all([waits('a', 1010, 1030), waits('b', 1010, 1020, 1030), waits('c', 900)]);
  });
  assert.deepEqual(seen, ['c 1000', 'a 1010', 'b 1010', 'b 1020', 'a 1030', 'b 1030']);
});

test('work that waits for what never comes is told apart from work that waits', async () => {
  const time = virtualTime(0);
  await assert.rejects(
    time.passing(() => new Promise(() => undefined)),
    /nothing is due/,
  );
});
