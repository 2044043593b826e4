import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchangeOf, judging, list } from '../../judge/checks/exchange.test.support.js';
import { worldOf } from '../../judge/world/world-after.js';
import { requestsForUnfetched, unfetched } from './unfetched-animals.js';

const world = worldOf(
  [
    exchangeOf({
      text: list(
        ...Array.from({ length: 100 }, (_, at) => `{"id":${at + 1},"name":"Rex ${at}","categoryId":1}`),
      ),
    }),
  ],
  judging,
);

test('the end of exploring fetches each animal that no request fetched', () => {
  const fetched = new Set(['2', '50']);
  const ids = unfetched(world, fetched, 200);
  assert.equal(ids.length, 98);
  assert.ok(!ids.some((id) => fetched.has(id)));
  assert.equal(new Set(ids).size, 98);
});

test('too few requests are spread evenly over what listings showed', () => {
  for (const most of [1, 3, 10, 40]) {
    const ids = unfetched(world, new Set(), most).map(Number);
    assert.equal(ids.length, most);
    const part = 100 / most;
    ids.forEach((id, nth) => assert.equal(Math.floor((id - 1) / part), nth, `${id} of ${most}`));
  }
  assert.deepEqual(unfetched(world, new Set(), 0), []);
});

test('most requests are left to stories, and a large store takes 200 of them at most', () => {
  assert.deepEqual([1, 40, 400, 5000].map(requestsForUnfetched), [0, 5, 50, 200]);
});
