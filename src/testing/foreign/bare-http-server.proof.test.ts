import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBareHttp } from './bare-http-server.js';
import { assertJudged, THRIFT } from './judged.js';

/** Enough of each status, so that the run needs to add none. */
const options = { animals: 200 };

for (const plan of ['business', 'free'] as const)
  test(`an unusual server on node:http conforms, with the ${plan} key`, async () => {
    const { keyed } = await assertJudged(startBareHttp, plan, { options });
    assert.ok(keyed <= THRIFT[plan], `${keyed} requests with the key`);
  });

for (const animals of [0, 48])
  test(`an unusual server on node:http conforms with ${animals} animals`, async () => {
    const { outcomes } = await assertJudged(startBareHttp, 'business', { options: { animals } });
    assert.equal(outcomes['list-shows-created'], 'passed');
    assert.equal(outcomes['create-rejected-leaves-nothing'], 'passed');
  });
