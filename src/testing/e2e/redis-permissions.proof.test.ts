import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Redis } from 'ioredis';
import { startReference } from '../../reference/index.js';
import { petstore, petstoreHere, start } from './support/command.js';
import { folder } from './support/folder.js';
import { KEY, scenario } from './support/loading.js';
import { redisServer } from './support/redis.js';
import { resultsIn } from './support/results.js';
import { until } from './support/until.js';

const wordsFor = (url: string) => ['agent', '--redis', url, '--name', 'one'];

test('a Redis user without INFO or with other keys is told what to allow, in the kit’s own words only', async (t) => {
  const redis = await redisServer(t);
  const admin = new Redis(redis.url);
  t.after(() => admin.disconnect());
  await admin.acl('SETUSER', 'noinfo', 'on', '>word', '~*', '&*', '+@all', '-info');
  await admin.acl('SETUSER', 'other', 'on', '>word', '~elsewhere:*', '&*', '+@all');
  const cwd = folder(t);
  // One as a process, of which what libraries print is seen too.
  for (const [user, command] of [
    ['noinfo', petstore],
    ['other', petstoreHere],
  ] as const) {
    const words = wordsFor(`redis://${user}:word@127.0.0.1:${redis.port}`);
    const { code, stdout, stderr } = await command(words, { cwd });
    assert.equal(code, 2, stdout + stderr);
    assert.match(stderr, /^usage +redis:\S+ gives this user too few permissions\.$/m);
    assert.match(stderr, /ACL SETUSER NAME \+@all ~petstore-conformance\*/);
    assert.doesNotMatch(stdout + stderr, /ready check|github\.com|ReplyError|kit fault/i);
  }
});

test('the name of a host does not look like a refused password', async (t) => {
  const { code, stderr } = await petstoreHere(wordsFor('redis://auth-cache.invalid'), { cwd: folder(t) });
  assert.equal(code, 2);
  assert.match(stderr, /has an unknown host name/);
});

test('an agent prints nothing of its libraries when it has a password that Redis does not need', async (t) => {
  const redis = await redisServer(t);
  const url = `redis://:word@127.0.0.1:${redis.port}`;
  const running = start(['agent', '--redis', url, '--name', 'one'], { cwd: folder(t) });
  await running.shows(/waits for work/);
  running.child.kill('SIGTERM');
  const { stdout, stderr } = await running.ended;
  assert.doesNotMatch(stdout + stderr, /WARN|password|word/);
});

test('an agent prints nothing of its libraries when the settings of Redis are unusual', async (t) => {
  const redis = await redisServer(t, ['--maxmemory-policy', 'allkeys-lru', '--maxmemory', '50mb']);
  const running = start(['agent', '--redis', redis.url, '--name', 'one'], { cwd: folder(t) });
  await running.shows(/waits for work/);
  const probe = new Redis(redis.url);
  t.after(() => probe.disconnect());
  // BullMQ looks at the settings when it connects.
  const connections = async () => ((await probe.client('LIST')) as string).split('\n').filter(Boolean).length;
  await until('both connections of the agent', async () => (await connections()) >= 3, running);
  running.child.kill('SIGTERM');
  const { stdout, stderr } = await running.ended;
  assert.doesNotMatch(stdout + stderr, /IMPORTANT|Eviction|recommended/);
});

const UNWRITABLE: readonly (readonly [
  what: string,
  disable: (admin: Redis) => Promise<unknown>,
  told: RegExp,
])[] = [
  [
    'a read-only replica',
    (admin) => admin.replicaof('127.0.0.1', 1),
    /^usage +redis:\S+ is a read-only replica\.$/m,
  ],
  [
    'out of memory',
    (admin) => admin.config('SET', 'maxmemory', '1'),
    /^usage +redis:\S+ is out of memory\.$/m,
  ],
];

for (const [what, disable, told] of UNWRITABLE)
  test(`a Redis that is ${what} is named on both sides, and by an agent that waits for work`, async (t) => {
    const redis = await redisServer(t);
    const admin = new Redis(redis.url);
    t.after(() => admin.disconnect());
    const cwd = folder(t);
    writeFileSync(join(cwd, 's.yaml'), scenario().replace('[business, enterprise]', '[business]'));
    const keys = ['--key', `business=${KEY}`];
    const target = ['--scenario', 's.yaml', '--base-url', 'http://127.0.0.1:9/v1', ...keys];
    const waiting = start(['agent', '--redis', redis.url, '--name', 'early'], { cwd });
    t.after(() => waiting.child.kill('SIGKILL'));
    await waiting.shows(/waits for work/);
    await disable(admin);
    for (const [command, ...words] of [
      [petstore, 'agent', '--redis', redis.url],
      [petstoreHere, 'load', '--redis', redis.url, '--agents', '1', ...target],
    ] as const) {
      const { code, stdout, stderr } = await command(words, { cwd });
      assert.equal(code, 2, stdout + stderr);
      assert.match(stderr, told);
      assert.doesNotMatch(stdout + stderr, /kit fault|ReplyError/i);
    }
    await waiting.shows(new RegExp(`waits, because redis:\\S+ is ${what}`));
    waiting.child.kill('SIGTERM');
    await waiting.ended;
  });

for (const [what, disable] of UNWRITABLE)
  test(`a Redis that becomes ${what} during a run ends it within seconds, and is named on both sides`, async (t) => {
    const redis = await redisServer(t);
    const admin = new Redis(redis.url);
    t.after(() => admin.disconnect());
    const cwd = folder(t);
    const server = await startReference({});
    t.after(() => server.close());
    writeFileSync(
      join(cwd, 's.yaml'),
      scenario()
        .replace('duration: 2s, rate: 40/s', 'duration: 60s, rate: 10/s')
        .replace('[business, enterprise]', '[business]'),
    );
    const env = { BUSINESS: server.keys.business };
    const agent = start(['agent', '--redis', redis.url, '--name', 'one', '--allow-loopback'], { cwd, env });
    t.after(() => agent.child.kill('SIGKILL'));
    await agent.shows(/waits for work/);
    writeFileSync(
      join(cwd, 't.yaml'),
      `name: t\nbaseUrl: ${server.baseUrl}\nkeys: { business: "\${BUSINESS}" }\n`,
    );
    const words = ['--target', 't.yaml', '--scenario', 's.yaml', '--report-dir', 'run'];
    const run = start(['load', ...words, '--redis', redis.url, '--agents', '1'], { cwd, env });
    t.after(() => run.child.kill('SIGKILL'));
    await run.shows(/when all parts begin/);
    await Promise.all([
      disable(admin),
      agent.shows(new RegExp(`part 1 of 1: .*because redis:\\S+ is ${what}`)),
    ]);
    const { code, stdout, stderr } = await run.ended;
    assert.equal(code, 3, stdout + stderr);
    const { capacity } = resultsIn(join(cwd, 'run'));
    assert.match(capacity?.problems?.join() ?? '', new RegExp(`redis:\\S+ is ${what} and did not come back`));
    assert.match(stdout.replaceAll(/\s+/g, ' '), new RegExp(`is ${what}`));
    assert.doesNotMatch(stdout + stderr, /kit fault|ReplyError/i);
    assert.ok(server.requests() < 300, `${server.requests()} requests`);
  });
