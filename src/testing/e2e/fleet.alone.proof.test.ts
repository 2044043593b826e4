import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { startReference, type Reference } from '../../reference/index.js';
import { CERTIFICATE_KEY, CERTIFICATES } from '../certificates.js';
import { petstore, petstoreHere, start, type Running } from './support/command.js';
import { wasTooSlow } from './support/loading.js';
import { redisServer, type RedisServer } from './support/redis.js';
import { resultsIn } from './support/results.js';
import { answering, closedPort } from './support/servers.js';
import { until } from './support/until.js';

/** The last one shares a piece with a key: an agent's name is the user's own, and is not cut. */
const NAMES = ['a1', 'a2', 'a3', 'rack-123456'] as const;
const KEY = 'enterprise-123456';
type Name = (typeof NAMES)[number];
const PAIR = NAMES.slice(0, 2);

/** Output of a run when all of its agents are ready. */
const BEGINS = /waiting until .* when all parts begin/;

/** Agents in separate processes, with their own Redis and server. */
interface Fleet {
  readonly cwd: string;
  readonly redis: RedisServer;
  readonly server: Reference;
  readonly watch: Redis;
  /** All commands to Redis. */
  readonly heard: readonly string[];
  /** Environment of agents and runs, with the keys. */
  readonly variables: Readonly<Record<string, string>>;
  agent(name: Name): Running;
  /** Starts an agent, or restarts it under the same name. */
  startAgent(name: Name): Promise<void>;
  /** Starts a run of this many agents; all by default. */
  startRun(directory: string, scenario: string, count?: number): Running;
  /** Waits until the server has got this many requests more than at the start of a run. */
  middleOf(run: Running, more?: number): Promise<void>;
  end(): Promise<void>;
}

/** Starts a fleet whose agents wait for work. */
async function startFleet(names: readonly Name[] = NAMES): Promise<Fleet> {
  const endings: (() => unknown)[] = [];
  const cwd = mkdtempSync(join(tmpdir(), 'petstore-fleet-'));
  endings.push(() => rmSync(cwd, { recursive: true, force: true }));
  const redis = await redisServer({ after: (end) => endings.push(end as () => unknown) });
  const server = await startReference({ keys: { enterprise: KEY } });
  endings.push(() => server.close());
  writeFileSync(
    join(cwd, 't.yaml'),
    `name: t\nbaseUrl: ${server.baseUrl}\nkeys: { free: "\${FREE}", pro: "\${PRO}", business: "\${BUSINESS}", enterprise: "\${ENTERPRISE}" }\nplans: { enterprise: { perMinute: 2400, perDay: 500000 } }\n`,
  );
  const watch = new Redis(redis.url, { lazyConnect: true });
  watch.on('error', () => undefined);
  const heard: string[] = [];
  const monitor = await watch.monitor();
  monitor.on('error', () => undefined);
  monitor.on('monitor', (_: string, words: readonly string[]) => heard.push(words.join(' ')));
  endings.push(() => watch.disconnect());
  endings.push(() => monitor.disconnect());
  const { free, pro, business, enterprise } = server.keys;
  const variables = { FREE: free, PRO: pro, BUSINESS: business, ENTERPRISE: enterprise };
  const agents = new Map<Name, Running>();
  const begin = (words: readonly string[]): Running => {
    const running = start(words, { cwd, env: variables });
    endings.push(() => running.child.kill('SIGKILL'));
    return running;
  };
  const fleet: Fleet = {
    cwd,
    redis,
    server,
    watch,
    heard,
    variables,
    agent(name) {
      const found = agents.get(name);
      assert.ok(found);
      return found;
    },
    async startAgent(name) {
      const running = begin(['agent', '--redis', redis.url, '--name', name, '--allow-loopback']);
      agents.set(name, running);
      await running.shows(/waits for work/);
    },
    startRun(directory, scenario, count = names.length) {
      writeFileSync(join(cwd, `${directory}.yaml`), scenario);
      const load = [
        'load',
        '--target',
        't.yaml',
        '--scenario',
        `${directory}.yaml`,
        '--report-dir',
        directory,
      ];
      return begin([...load, '--agents', String(count), '--redis', redis.url]);
    },
    async middleOf(run, more = 15) {
      await run.shows(BEGINS);
      const from = server.requests();
      await until(`${more} requests`, () => server.requests() >= from + more, run);
    },
    async end() {
      for (const each of endings.toReversed()) await each();
    },
  };
  await Promise.all(names.map((name) => fleet.startAgent(name)));
  return fleet;
}

/** Longer than any machine stands still: something happens in the middle of such a phase. */
const LASTING = '6s';

/** Two fleets, and tests with their own Redis, in parallel: most of the time is waiting. */

const SECRET = 'a-secret-of-the-agents';

const scenario = (rate: string, duration = '2s', more = 'overLimit: allow'): string => `
name: evening
phases: [{ name: hold, duration: ${duration}, rate: ${rate} }]
operations:
  - { operation: listPets, weight: 3, query: { limit: [5, 20] } }
  - { operation: createPet, weight: 1 }
keys: [enterprise]
thresholds: [errors < 1%, violations = 0]
${more}
`;

describe('agents on one Redis', { concurrency: true }, () => {
  describe('four agents that run to the end', { concurrency: false }, () => {
    let fleet: Fleet;
    before(async () => {
      fleet = await startFleet();
    });
    after(() => fleet.end());

    test('four agents with their own keys form one run', async () => {
      const sentBefore = fleet.server.requests();
      const text = scenario('60/s', '2s', '').replace('[enterprise]', '[free, pro, business, enterprise]');
      const { code, stdout, stderr } = await fleet.startRun('well', text).ended;
      const isSlow = wasTooSlow(join(fleet.cwd, 'well'));
      assert.equal(code, isSlow ? 3 : 0, stdout + stderr);
      const { capacity, requests } = resultsIn(join(fleet.cwd, 'well'));
      assert.equal(requests.total, fleet.server.requests() - sentBefore);
      assert.deepEqual(
        capacity?.phases.map(({ intended, sent, dropped, violations }) => [
          intended,
          sent + dropped,
          violations,
        ]),
        [[120, 120, 0]],
      );
      assert.deepEqual(capacity.agents.map(({ name }) => name).toSorted(), NAMES);
      assert.ok(
        capacity.agents.every(
          ({ problem, offsetMs, errorMs }) =>
            (problem === null || isSlow) && Math.abs(offsetMs ?? Infinity) < 1000 + (errorMs ?? 0),
        ),
      );
      for (const part of [1, 2, 3, 4])
        assert.equal(
          new Set(
            [
              ...readFileSync(join(fleet.cwd, `well/parts/${part}/log.ndjson`), 'utf8').matchAll(
                /"plan":"(\w+)"/g,
              ),
            ]
              .map(([, plan]) => plan)
              .filter((plan) => plan !== 'capacity'),
          ).size,
          1,
          'each spends one key alone',
        );
      assert.match(
        readFileSync(join(fleet.cwd, 'well/index.html'), 'utf8'),
        /<section id="agents"><h2>Agents<\/h2>/,
      );
      const pace = isSlow ? '(kept up|was saturated)' : 'kept up';
      for (const name of NAMES)
        assert.match(stdout, new RegExp(`^ +${name} +\\S+ ±\\S+ ms +\\d+ +${pace}`, 'm'));
    });

    test('a Redis restart does not affect the run', async () => {
      const run = fleet.startRun('restarted', scenario('40/s', '3s'));
      await fleet.middleOf(run);
      await fleet.redis.restart();
      const { code, stdout, stderr } = await run.ended;
      const isSlow = wasTooSlow(join(fleet.cwd, 'restarted'));
      assert.equal(code, isSlow ? 3 : 0, stdout + stderr);
      const { capacity } = resultsIn(join(fleet.cwd, 'restarted'));
      const [phase] = capacity?.phases ?? [];
      assert.equal((phase?.sent ?? 0) + (phase?.dropped ?? 0), 120);
      // A part that this machine held up until after its start says so.
      if (!isSlow) assert.deepEqual(capacity?.problems, undefined);
    });

    test('a second coordinator is rejected; an interruption reaches all agents quickly, with exit code 3', async () => {
      const run = fleet.startRun('interrupted', scenario('40/s', '60s'));
      await fleet.middleOf(run, 20);
      const second = await fleet.startRun('second', scenario('40/s')).ended;
      assert.equal(second.code, 2, second.stdout);
      assert.match(second.stderr, /Another run uses the agents[\s\S]*Nothing was sent/);
      run.child.kill('SIGINT');
      const { code, stdout } = await run.ended;
      assert.equal(code, 3, stdout);
      const results = resultsIn(join(fleet.cwd, 'interrupted'));
      assert.equal(results.complete, false);
      const [phase] = results.capacity?.phases ?? [];
      assert.ok(phase && phase.sent > 0 && phase.sent < 2400);
    });

    test('a job delivered twice by Redis is executed once', async (t) => {
      const from = fleet.server.requests();
      const run = fleet.startRun('twice', scenario('40/s', LASTING), 1);
      await fleet.middleOf(run);
      const queue = new Queue('slices', {
        connection: fleet.watch,
        prefix: 'petstore-conformance',
        skipMetasUpdate: true,
      });
      t.after(() => queue.close());
      const [job] = await queue.getActive();
      assert.ok(job?.id);
      await fleet.watch.lpush('petstore-conformance:slices:wait', job.id);
      await queue.add('slice', job.data, { jobId: 'the-same-again' });
      const shown = (pattern: RegExp) => Promise.any(NAMES.map((name) => fleet.agent(name).shows(pattern)));
      await Promise.all([
        shown(/skips a job: it was assigned before/),
        shown(/skips a job: another agent has begun it/),
      ]);
      const { code, stdout } = await run.ended;
      assert.equal(code, wasTooSlow(join(fleet.cwd, 'twice')) ? 3 : 0, stdout);
      assert.equal(fleet.server.requests() - from, resultsIn(join(fleet.cwd, 'twice')).requests.total);
    });

    test('no key appears in Redis, whole or in part', () => {
      const all = fleet.heard.join('\n');
      assert.match(all, /petstore-conformance:run/);
      assert.match(all, /listPets/);
      for (const key of Object.values(fleet.variables)) {
        assert.ok(!all.includes(key.slice(0, 12)));
        assert.ok(!all.includes(Buffer.from(key).toString('base64').slice(0, 12)));
      }
    });
  });

  describe('two agents of which some fail', { concurrency: false }, () => {
    let fleet: Fleet;
    before(async () => {
      fleet = await startFleet(PAIR);
    });
    after(() => fleet.end());

    test('a killed agent is named, and the run is inconclusive', async () => {
      const run = fleet.startRun('killed', scenario('40/s', LASTING));
      await fleet.middleOf(run);
      fleet.agent('a2').child.kill('SIGKILL');
      const { code, stdout } = await run.ended;
      assert.equal(code, 3, stdout);
      const { capacity } = resultsIn(join(fleet.cwd, 'killed'));
      // Silence begins anew where this machine stood still: then the end of the schedule ends the wait.
      assert.match(
        capacity?.problems?.join() ?? '',
        /^part \d \(a2\) was (?:lost: it was silent for 5 s|too slow and returned no log)/,
      );
      assert.ok(capacity?.thresholds.every(({ outcome }) => outcome === 'inconclusive'));
      await fleet.startAgent('a2');
    });

    test('a late agent is named, and the run is inconclusive', async () => {
      const run = fleet.startRun('late', scenario('40/s', LASTING));
      await run.shows(BEGINS);
      fleet.agent('a1').child.kill('SIGSTOP');
      // After the run begins, but before the agent counts as lost.
      await fleet.middleOf(run, 20);
      fleet.agent('a1').child.kill('SIGCONT');
      const { code, stdout } = await run.ended;
      assert.equal(code, 3, stdout);
      const { capacity } = resultsIn(join(fleet.cwd, 'late'));
      const late = capacity?.agents.find(({ name }) => name === 'a1');
      assert.ok(late && (late.problem !== null || late.saturated), JSON.stringify(late));
      assert.match(stdout, /a1/);
      assert.ok(capacity?.thresholds.every(({ outcome }) => outcome === 'inconclusive'));
    });

    test('agents stop without their coordinator and accept the next run', async () => {
      const before = fleet.server.requests();
      const run = fleet.startRun('orphaned', scenario('40/s', '60s'));
      await fleet.middleOf(run);
      run.child.kill('SIGKILL');
      const stopped = await Promise.all(
        PAIR.map((name) =>
          fleet.agent(name).shows(/because the coordinator stopped responding; ([\d,]+) requests/),
        ),
      );
      const next = fleet.startRun('next', scenario('40/s', '1s'));
      const { code, stdout, stderr } = await next.ended;
      const isSlow = wasTooSlow(join(fleet.cwd, 'next'));
      assert.equal(code, isSlow ? 3 : 0, stdout + stderr);
      const { capacity, requests } = resultsIn(join(fleet.cwd, 'next'));
      // Each of both runs sends as many before its load.
      const beforeLoad = requests.total - (capacity?.phases[0]?.sent ?? 0);
      // By the agents' own counts: the server may still read what they had sent when they stopped.
      const sent = stopped.reduce(
        (all, [, count = '']) => all + Number(count.replaceAll(',', '')),
        beforeLoad,
      );
      const arrived = fleet.server.requests() - before;
      if (!isSlow)
        assert.ok(
          arrived <= sent + requests.total,
          `nobody sends for the dead one: ${arrived} arrived of ${sent} and ${requests.total}`,
        );
    });
  });

  let cwd: string;
  before(() => {
    cwd = mkdtempSync(join(tmpdir(), 'petstore-fleet-'));
  });
  after(() => rmSync(cwd, { recursive: true, force: true }));

  test('with a shared secret keys are encrypted, even literal keys', async (t) => {
    const own = await redisServer(t, ['--requirepass', 'a-password']);
    const target = await startReference({});
    t.after(() => target.close());
    const url = `redis://:a-password@127.0.0.1:${own.port}`;
    const words = ['--redis', '${REDIS_URL}', '--redis-prefix', 'mine'];
    const sealed = start(['agent', ...words, '--name', 'sealed'], {
      cwd,
      env: { REDIS_URL: url, PETSTORE_AGENT_SECRET: SECRET },
    });
    t.after(() => sealed.child.kill('SIGKILL'));
    await sealed.shows(/waits for work/);
    const client = new Redis(url);
    t.after(() => client.disconnect());
    const monitor = await client.monitor();
    t.after(() => monitor.disconnect());
    const said: string[] = [];
    monitor.on('monitor', (_: string, each: readonly string[]) => said.push(each.join(' ')));
    writeFileSync(join(cwd, 'sealed.yaml'), scenario('20/s', '1s').replace('enterprise', 'business'));
    const clear = ['--base-url', target.baseUrl, '--key', `business=${target.keys.business}`];
    const load = ['load', '--scenario', 'sealed.yaml', ...clear, '--agents', '1', ...words, '--wait', '20'];

    const unsealed = await petstoreHere([...load, '--report-dir', 'unsealed'], {
      cwd,
      env: { REDIS_URL: url },
    });
    assert.equal(unsealed.code, 2, unsealed.stdout);
    assert.match(unsealed.stderr, /is plain text in the target\. Keys are never put into Redis/);
    const { code, stdout, stderr } = await petstore([...load, '--report-dir', 'sealed'], {
      cwd,
      env: { REDIS_URL: url, PETSTORE_AGENT_SECRET: SECRET },
    });
    assert.equal(code, wasTooSlow(join(cwd, 'sealed')) ? 3 : 0, stdout + stderr);
    assert.match(readFileSync(join(cwd, 'sealed/log.ndjson'), 'utf8'), /--redis-prefix mine --wait 20/);
    assert.ok(said.some((text) => text.includes('mine:')));
    assert.ok(!said.join('\n').includes(target.keys.business.slice(0, 12)));
    assert.ok(!(stdout + stderr + sealed.child.spawnargs.join(' ')).includes('a-password'));

    const other = await petstoreHere([...load, '--report-dir', 'other'], {
      cwd,
      env: { REDIS_URL: url, PETSTORE_AGENT_SECRET: 'another-secret-of-agents' },
    });
    assert.equal(other.code, 3, other.stderr);
    assert.match(other.stdout, /Cannot start: sealed has another PETSTORE_AGENT_SECRET/);
  });

  test('an agent accepts only a Redis with a trusted TLS certificate', async (t) => {
    const [certificate, key] = [join(cwd, 'redis.pem'), join(cwd, 'redis-key.pem')];
    writeFileSync(certificate, CERTIFICATES.trusted);
    writeFileSync(key, CERTIFICATE_KEY);
    const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate];
    const over = await redisServer(t, [...files, '--tls-auth-clients', 'no'], 'tls-port');
    const url = over.url.replace('redis:', 'rediss:');
    const stranger = await petstoreHere(['agent', '--redis', url], { cwd });
    assert.equal(stranger.code, 2, stranger.stdout);
    assert.match(stranger.stderr, /has an untrusted certificate[\s\S]*NODE_EXTRA_CA_CERTS/);
    const trusting = start(['agent', '--redis', url], { cwd, env: { NODE_EXTRA_CA_CERTS: certificate } });
    t.after(() => trusting.child.kill('SIGKILL'));
    await trusting.shows(/waits for work at rediss:/);
  });

  test('Redis connection errors and missing agents have clear messages', async (t) => {
    const refusing = await redisServer(t, ['--requirepass', 'a-password']);
    const web = new URL(await answering(t, (_, response) => response.end('hello')));
    const closed = new URL(await closedPort());
    const asked: unknown[] = [];
    const target = await answering(t, (request, response) => response.end(String(asked.push(request.url))));
    writeFileSync(
      join(cwd, 'unasked.yaml'),
      `name: t\nbaseUrl: ${target}\nkeys: { enterprise: "\${ENTERPRISE}" }\nplans: { enterprise: { perMinute: 2400, perDay: 500000 } }\n`,
    );
    const load = ['load', '--target', 'unasked.yaml', '--scenario', 's.yaml', '--agents', '2'];
    writeFileSync(join(cwd, 's.yaml'), scenario('20/s', '1s'));
    const cases = [
      [['--redis', `redis://127.0.0.1:${closed.port}`], 2, /refuses connections[\s\S]*Start Redis there/],
      [['--redis', `redis://:wrong@127.0.0.1:${refusing.port}`], 2, /rejects the password/],
      [['--redis', `redis://127.0.0.1:${refusing.port}`], 2, /rejects the password/],
      [['--redis', `redis://127.0.0.1:${web.port}`], 2, /does not respond like a Redis server/],
      [['--redis', 'http://127.0.0.1:1'], 2, /needs the address of a Redis server/],
      [
        ['--redis', `redis://:a-password@127.0.0.1:${refusing.port}`, '--wait', '1', '--report-dir', 'alone'],
        3,
        /Cannot start: 0 of 2 agents connected within 1 s/,
      ],
      [[], 2, /--agents needs --redis/],
    ] as const;
    const all = await Promise.all(
      cases.map(([words]) =>
        petstoreHere([...load, ...words], { cwd, env: { ENTERPRISE: 'pk-some-key-of-nobody' } }),
      ),
    );
    for (const [at, [words, code, message]] of cases.entries()) {
      const ended = all[at];
      assert.ok(ended);
      assert.equal(ended.code, code, `${words.join(' ')}: ${ended.stdout}${ended.stderr}`);
      assert.match(ended.stdout + ended.stderr, message);
      assert.ok(!(ended.stdout + ended.stderr).includes('a-password'));
      assert.ok(!(ended.stdout + ended.stderr).includes('wrong'));
    }
    const lonely = await petstoreHere(['agent', '--redis', `redis://127.0.0.1:${closed.port}`], { cwd });
    assert.equal(lonely.code, 2);
    assert.match(lonely.stderr, /refuses connections/);
    assert.deepEqual(asked, []);
  });
});
