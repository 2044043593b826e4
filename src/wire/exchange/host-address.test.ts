import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeWords, newHostAddress } from './host-address.js';

test('a name is asked again after a connection that failed, once a second at most', async () => {
  const asked: string[] = [];
  const answers = ['10.0.0.4', '10.0.0.7'];
  const host = newHostAddress('pets.test', 80, '10.0.0.4', 1000, async (name, port) => {
    asked.push(`${name}:${port}`);
    return answers.shift() ?? null;
  });
  assert.equal(await host.hasMoved('reset', '10.0.0.4'), false);
  assert.deepEqual(asked, []);
  const [one, other] = await Promise.all([
    host.hasMoved('refused', '10.0.0.4'),
    host.hasMoved('unreachable', '10.0.0.4'),
  ]);
  assert.deepEqual([one, other, asked.length], [false, false, 1]);
  assert.equal(await host.hasMoved('timeout', '10.0.0.4'), false);
  assert.equal(asked.length, 1);
  assert.deepEqual(host.changes(), []);
});

test('all connections go to the new address of a name, and the change is reported', async () => {
  const host = newHostAddress('pets.test', 80, '10.0.0.4', 1000, async () => '10.0.0.7');
  assert.equal(await host.hasMoved('refused', '10.0.0.4'), true);
  assert.equal(host.current(), '10.0.0.7');
  // A connection that was opened before.
  assert.equal(await host.hasMoved('timeout', '10.0.0.4'), true);
  assert.deepEqual(host.changes().map(changeWords), [
    'pets.test got another address: 10.0.0.7 in place of 10.0.0.4',
  ]);
});

test('a resolver that fails changes nothing', async () => {
  const host = newHostAddress('pets.test', 80, '10.0.0.4', 1000, async () => {
    throw new Error('no resolver');
  });
  assert.equal(await host.hasMoved('refused', '10.0.0.4'), false);
  assert.equal(host.current(), '10.0.0.4');
});
