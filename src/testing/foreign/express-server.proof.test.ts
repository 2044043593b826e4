import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startExpress } from './express-server.js';
import { assertJudged, THRIFT } from './judged.js';

for (const plan of ['business', 'free'] as const)
  test(`Express with express-rate-limit conforms, with the ${plan} key`, async () => {
    const { keyed } = await assertJudged(startExpress, plan);
    assert.ok(keyed <= THRIFT[plan], `${keyed} requests with the key`);
  });

test('Express conforms with 1,000 animals, of which a listing shows 100', async () => {
  const { keyed, outcomes } = await assertJudged(startExpress, 'business', { options: { animals: 1000 } });
  assert.ok(keyed <= THRIFT.business, `${keyed} requests with the key`);
  // Rows that need a listing of all animals cannot be judged here; the target is not at fault.
  assert.equal(outcomes['list-shows-created'], 'not-applicable');
  assert.equal(outcomes['create-rejected-leaves-nothing'], 'not-applicable');
});

test('Express conforms with an empty store', async () => {
  const { outcomes } = await assertJudged(startExpress, 'business', { options: { animals: 0 } });
  for (const id of ['list-limit-default', 'list-status-filter', 'list-shows-created', 'list-page-full'])
    assert.equal(outcomes[id], 'passed', id);
});

test('Express conforms with an empty store within one Free minute', async () => {
  const { keyed } = await assertJudged(startExpress, 'free', { options: { animals: 0 } });
  assert.ok(keyed <= THRIFT.free, `${keyed} requests with the key`);
});
