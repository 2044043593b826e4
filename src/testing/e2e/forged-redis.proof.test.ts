import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { petstore, start, type Running } from './support/command.js';
import { folder } from './support/folder.js';
import { wasTooSlow } from './support/loading.js';
import { redisServer } from './support/redis.js';
import { whileRepeating } from './support/repeating.js';
import { resultsIn } from './support/results.js';
import { reference } from './support/targets.js';
import { until } from './support/until.js';

/** Any Redis client can write anything. Agents still send only what they were given, and no entry ends a run. */

const SECRET = 'a-secret-of-the-agents';
/** Name of the coordinator's state in Redis. */
const RUN = 'petstore-conformance:run';

/** 6 MB of zeros, packed. */
const PACKED = gzipSync(Buffer.alloc(6_000_000));

/** Starts a Redis and a server, writes a target and a scenario, and returns helpers to write to that Redis. */
async function ground(t: TestContext, duration = '1s') {
  const redis = await redisServer(t);
  const server = await reference(t);
  const cwd = folder(t);
  const client = new Redis(redis.url);
  t.after(() => client.disconnect());
  writeFileSync(
    join(cwd, 't.yaml'),
    `name: t\nbaseUrl: ${server.baseUrl}\nkeys: { business: "\${BUSINESS}" }\n`,
  );
  writeFileSync(
    join(cwd, 's.yaml'),
    `name: s\nphases: [{ name: hold, duration: ${duration}, rate: 20/s }]\noperations: [{ operation: listPets }]\noverLimit: allow\nthresholds: [violations = 0]\n`,
  );
  const env = { BUSINESS: server.keys.business };
  const begin = (words: readonly string[], more: Readonly<Record<string, string>>): Running => {
    const running = start(words, { cwd, env: { ...env, ...more } });
    t.after(() => running.child.kill('SIGKILL'));
    return running;
  };
  return {
    cwd,
    server,
    client,
    agent: async (
      words: readonly string[] = ['--name', 'a1', '--allow-loopback'],
      more: Readonly<Record<string, string>> = {},
    ) => {
      const running = begin(['agent', '--redis', redis.url, ...words], more);
      await running.shows(/waits for work/);
      return running;
    },
    load: (count: number, more: Readonly<Record<string, string>> = {}) =>
      begin(
        [
          'load',
          '--target',
          't.yaml',
          '--scenario',
          's.yaml',
          '--report-dir',
          'out',
          '--wait',
          '20',
          '--agents',
          String(count),
          '--redis',
          redis.url,
        ],
        more,
      ),
    /** Returns the id of a run that has begun. */
    idOf: async (whole: Running): Promise<string> => {
      const state = await until('a state of the run', () => client.get(RUN), whole);
      return (JSON.parse(state) as { run: string }).run;
    },
    /** Waits until a run reaches a step, and returns its state. */
    step: async (whole: Running, name: string): Promise<string> => {
      const stateThen = async () => {
        const state = await client.get(RUN);
        return state?.includes(`"${name}"`) === true && state;
      };
      return until(`step ${name} of the run`, stateThen, whole);
    },
    key: (kind: string, run: string, index: number) => `petstore-conformance:${kind}:${run}:${index}`,
  };
}

const stateOf = (change: object = {}): string =>
  JSON.stringify({
    instance: 'forged',
    name: 'forged',
    step: 'joined',
    beat: 1,
    reason: null,
    offsetMs: 0,
    errorMs: 0,
    startAt: 0,
    ...change,
  });

describe('forged entries in Redis', { concurrency: 2 }, () => {
  test('an agent without a secret or allowed addresses sends nothing, not even to loopback', async (t) => {
    const { agent, load, server } = await ground(t);
    const alone = await agent(['--name', 'a1']);
    await alone.shows(/a1 has no permitted target: set the same PETSTORE_AGENT_SECRET .*--allow-loopback/);
    const before = server.requests();
    const { code, stdout } = await load(1).ended;
    assert.equal(code, 3, stdout);
    assert.match(stdout, /Cannot start: a1 may not send to http:\/\/127\.0\.0\.1/);
    assert.equal(server.requests(), before);
  });

  test('no agent executes an encrypted job again, even if its mark is deleted', async (t) => {
    const { agent, cwd, load, server, client, idOf, step, key } = await ground(t, '3s');
    const first = await agent(['--name', 'a1'], { PETSTORE_AGENT_SECRET: SECRET });
    const whole = load(1, { PETSTORE_AGENT_SECRET: SECRET });
    const id = await idOf(whole);
    const queue = new Queue('slices', {
      connection: client,
      prefix: 'petstore-conformance',
      skipMetasUpdate: true,
    });
    t.after(() => queue.close());
    const ofParts = `petstore-conformance:parts:${id}`;
    await until('an accepted agent', async () => (await client.hlen(ofParts)) > 0, whole, first);
    const [job] = await queue.getActive();
    assert.ok(job);
    const parts = await client.hgetall(ofParts);
    const go = JSON.parse(await step(whole, 'go')) as { beat: number };
    const { code, stdout, stderr } = await whole.ended;
    assert.equal(code, wasTooSlow(join(cwd, 'out')) ? 3 : 0, stdout + stderr);
    // Only then it takes another job.
    await first.shows(/part 1 of 1: /);
    const before = server.requests();
    /** Replays the old coordinator's messages until something is seen. */
    const again = async (jobId: string, isSeen: () => Promise<unknown>) => {
      // With them goes their expiry, which an agent that has just started may not see the end of.
      await client.del(key('mark', id, 0), ofParts);
      await client.hset(ofParts, parts);
      let beat = go.beat;
      const tell = () => {
        beat += 1;
        const state = { ...go, beat, beginsAt: Date.now() + 500 };
        return client.set(RUN, JSON.stringify(state));
      };
      await client.set(RUN, JSON.stringify(go));
      await queue.add('slice', job.data, { jobId });
      await whileRepeating(tell, isSeen);
    };
    await again('again', () => first.shows(/skips a job: this agent has already begun it/));
    first.child.kill('SIGKILL');
    await first.ended;
    const second = await agent(['--name', 'a2'], { PETSTORE_AGENT_SECRET: SECRET });
    // The latter if this process stood still meanwhile.
    await again('once-more', () =>
      second.shows(
        /nothing was sent, because (?:another agent has this part|the coordinator stopped responding)/,
      ),
    );
    assert.equal(server.requests(), before);
  });

  const BROKEN: readonly [
    what: string,
    write: (client: Redis, key: (kind: string) => string) => Promise<unknown>,
  ][] = [
    ['a state that is not JSON', (client, key) => client.set(key('slice'), '{')],
    ['a state of another type', (client, key) => client.lpush(key('slice'), 'x')],
    [
      'a rejection of 200,000 characters',
      (client, key) => client.set(key('slice'), stateOf({ step: 'refused', reason: 'x'.repeat(200_000) })),
    ],
    [
      'a name with an escape sequence',
      (client, key) => client.set(key('slice'), stateOf({ name: '\u001B]0;owned\u0007' })),
    ],
  ];
  for (const [what, write] of BROKEN)
    test(`${what} counts as a lost part, named with exit code 3`, async (t) => {
      const { load, client, idOf, key, cwd } = await ground(t);
      const whole = load(1);
      const id = await idOf(whole);
      await write(client, (kind) => key(kind, id, 0));
      const { code, stdout, stderr } = await whole.ended;
      assert.equal(code, 3, stdout + stderr);
      assert.equal(resultsIn(join(cwd, 'out')).obstacle?.code, 'agents');
      assert.match(stdout, /Cannot start: part 1 was lost: its entry in Redis was not written by an agent/);
      assert.ok(!stdout.includes('\u001B'));
    });

  const RESULTS: readonly ((log: string) => string)[] = [
    // A histogram that cannot be read.
    (log) => packed(log.replaceAll(/"latency":"[^"]*"/g, '"latency":"H4sI"')),
    // A count that is not a number.
    (log) => packed(log.replaceAll(/"sent":\d+/g, '"sent":"9"')),
    // A complete run, but not of a scenario.
    (log) => packed(log.replaceAll(/^.*"type":"(?:scenario|second|capacity-phase)".*\n/gm, '')),
    // 600 KB that unpack to 600 MB: a hundred members of one archive, because packing it whole takes seconds.
    () => Buffer.concat(Array<Buffer>(100).fill(PACKED)).toString('base64'),
  ];
  test('parts with unreadable results count as lost, and the other part is reported', async (t) => {
    // Longer than a machine stands still: the log of a part that sent nothing cannot be made unreadable.
    const { agent, load, client, idOf, step: reached, key, cwd } = await ground(t, '6s');
    await agent();
    const slots = Array.from({ length: RESULTS.length + 1 }, (_, slot) => slot);
    const whole = load(slots.length);
    const id = await idOf(whole);
    const taken = async () => {
      const there = await Promise.all(slots.map((slot) => client.exists(key('slice', id, slot))));
      return there.includes(1) && there.indexOf(1);
    };
    const real = await until('the part of the agent', taken, whole);
    const forged = slots.filter((slot) => slot !== real);
    let step = 'joined';
    let beat = 0;
    const tell = () => {
      beat += 1;
      return Promise.all(
        forged.map((slot) => {
          const name = `forged-${slot + 1}`;
          const state = stateOf({ instance: name, name, step, beat, startAt: Date.now() });
          return client.set(key('slice', id, slot), state);
        }),
      );
    };
    const { code, stdout, stderr } = await whileRepeating(tell, async () => {
      await reached(whole, 'prepare');
      step = 'ready';
      for (const slot of forged) await client.set(key('seconds', id, slot), '[]');
      const part = join(cwd, `out/parts/${real + 1}/log.ndjson`);
      await until(
        'the log of the real part',
        () => existsSync(part) && readFileSync(part, 'utf8').includes('"footer"'),
        whole,
      );
      for (const [nth, slot] of forged.entries()) {
        const log = readFileSync(part, 'utf8').replaceAll(`"index":${real}`, `"index":${slot}`);
        await client.set(key('result', id, slot), RESULTS[nth]?.(log) ?? '');
      }
      step = 'done';
      return whole.ended;
    });
    assert.equal(code, 3, stdout + stderr);
    const { capacity, requests } = resultsIn(join(cwd, 'out'));
    for (const slot of forged)
      assert.match(
        capacity?.problems?.join('\n') ?? '',
        new RegExp(`^part ${slot + 1} \\(forged-${slot + 1}\\) returned an unreadable log`, 'm'),
      );
    assert.ok(requests.total > 0, 'what the other part sent is in the report');
  });

  test('seconds that are not a list count as a lost part in the report', async (t) => {
    const { agent, load, client, idOf, step, key, cwd } = await ground(t, '20s');
    const { child } = await agent();
    const whole = load(1);
    const id = await idOf(whole);
    await step(whole, 'go');
    // A stopped agent cannot write its own seconds over these.
    child.kill('SIGSTOP');
    await client.set(key('seconds', id, 0), '{"length":3}');
    const { code, stdout, stderr } = await whole.ended;
    assert.equal(code, 3, stdout + stderr);
    assert.match(
      resultsIn(join(cwd, 'out')).capacity?.problems?.join() ?? stdout,
      /its entry in Redis was not written by an agent/,
    );
  });
});

test('foreign data under the Redis prefix is reported with exit code 3', async (t) => {
  const { load, client } = await ground(t);
  await client.set('petstore-conformance:slices:wait', 'x');
  await client.set('petstore-conformance:slices:meta', 'x');
  const { code, stdout, stderr } = await load(1).ended;
  assert.equal(code, 3, stdout + stderr);
  assert.match(stdout, /Cannot start: Redis rejects the parts \(.*WRONGTYPE/);
});

const packed = (log: string): string => gzipSync(log).toString('base64');

test('no environment variable or URL disables the certificate check of Redis', async (t) => {
  const { CERTIFICATES, CERTIFICATE_KEY } = await import('../certificates.js');
  const cwd = folder(t);
  const [certificate, key] = [join(cwd, 'redis.pem'), join(cwd, 'redis-key.pem')];
  writeFileSync(certificate, CERTIFICATES.trusted);
  writeFileSync(key, CERTIFICATE_KEY);
  const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate];
  const redis = await redisServer(t, [...files, '--tls-auth-clients', 'no'], 'tls-port');
  const url = redis.url.replace('redis:', 'rediss:');
  for (const [address, code] of [
    [url, /has an untrusted certificate/],
    [url.replace('rediss:', 'REDISS:'), /has an untrusted certificate/],
    [`${url}?rejectUnauthorized=false`, /needs the address of a Redis server/],
  ] as const) {
    const {
      code: ended,
      stdout,
      stderr,
    } = await petstore(['agent', '--redis', address], {
      cwd,
      env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    });
    assert.equal(ended, 2, stdout);
    assert.match(stderr, code);
  }
});
