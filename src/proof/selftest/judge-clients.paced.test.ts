import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientRows } from '../../base/interface/requirement-ids.js';
import { flawedClients, soundClients } from '../index.js';
import { complaintOn, judgeClients } from './judge-clients.js';

test('each flawed client turns exactly its rows red, each sound one none, and every row has a client for either', async () => {
  const judged = await judgeClients([...flawedClients, ...soundClients]);
  assert.deepEqual(judged.filter(({ ok }) => !ok).map(complaintOn), []);
  const red = new Set(judged.flatMap((each) => each.red));
  const kept = new Set(
    judged.filter(({ client }) => client.turns.length === 0).flatMap(({ shown }) => shown),
  );
  assert.deepEqual(
    clientRows.filter((row) => !red.has(row)),
    [],
  );
  assert.deepEqual(
    clientRows.filter((row) => !kept.has(row)),
    [],
  );
  assert.ok(flawedClients.length >= 25 && soundClients.length >= 25);
  assert.equal(new Set(judged.map(({ client }) => client.name)).size, judged.length);
});
