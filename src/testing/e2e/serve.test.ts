import assert from 'node:assert/strict';
import { test } from 'node:test';
import { start } from './support/command.js';
import { folder } from './support/folder.js';

const PLANS = ['free', 'pro', 'business', 'enterprise', 'sacrificial'];

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  test(`serve says where it listens and with which keys, serves, and ends on ${signal}`, async (t) => {
    const server = start(['serve', '--minute', '1.5'], { cwd: folder(t) });
    t.after(() => server.child.kill('SIGKILL'));
    const [, address = ''] = await server.shows(/^listening (http:\/\/127\.0\.0\.1:\d+\/v1)$/m);
    const keys: string[] = [];
    for (const plan of PLANS) keys.push((await server.shows(new RegExp(`^${plan} +(\\S+)$`, 'm')))[1] ?? '');
    assert.equal(new Set(keys).size, PLANS.length);

    const get = (headers: Record<string, string>) => fetch(`${address}/pets?limit=1`, { headers });
    const served = await get({ Authorization: `Bearer ${keys[0]}` });
    assert.equal(served.status, 200);
    assert.equal(served.headers.get('X-RateLimit-Limit'), '60');
    assert.equal(((await served.json()) as unknown[]).length, 1);
    assert.equal((await get({})).status, 401);

    server.child.kill(signal);
    const { code, stderr } = await server.ended;
    assert.equal(code, 0, stderr);
    assert.equal(stderr, '');
  });

test('serve makes the mistake that it is told to make', async (t) => {
  const server = start(['serve', '--flaw', 'default-limit-twenty-five'], { cwd: folder(t) });
  t.after(() => server.child.kill('SIGKILL'));
  const [, address = ''] = await server.shows(/^listening (\S+)$/m);
  const [, key = ''] = await server.shows(/^business +(\S+)$/m);
  const response = await fetch(`${address}/pets`, { headers: { Authorization: `Bearer ${key}` } });
  assert.equal(((await response.json()) as unknown[]).length, 25);
});
