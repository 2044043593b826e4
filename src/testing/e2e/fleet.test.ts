import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { startReference } from '../../reference/index.js';
import type { Reference } from '../../reference/index.js';
import { CERTIFICATE_KEY, CERTIFICATES } from '../certificates.js';
import { petstore, start } from './support/command.js';
import type { Running } from './support/command.js';
import { redisServer } from './support/redis.js';
import type { RedisServer } from './support/redis.js';
import { resultsIn } from './support/results.js';
import { answering, closedPort } from './support/servers.js';

/** Four agents at one Redis, for one run after the other. */

const SECRET = 'a-secret-of-the-agents';
const NAMES = ['a1', 'a2', 'a3', 'a4'] as const;
type Name = (typeof NAMES)[number];

let cwd: string;
let redis: RedisServer;
let server: Reference;
let watch: Redis;
const endings: (() => unknown)[] = [];
const agents = new Map<Name, Running>();
const heard: string[] = [];

const variables = (): Record<string, string> => ({
  FREE: server.keys.free,
  PRO: server.keys.pro,
  BUSINESS: server.keys.business,
  ENTERPRISE: server.keys.enterprise,
});

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

async function startAgent(name: Name): Promise<void> {
  const running = start(['agent', '--redis', redis.url, '--name', name], { cwd, env: variables() });
  agents.set(name, running);
  endings.push(() => running.child.kill('SIGKILL'));
  await running.shows(/waits for work/);
}

const agent = (name: Name): Running => {
  const found = agents.get(name);
  assert.ok(found);
  return found;
};

/** Starts a run of all agents; gives it and its folder. */
function startRun(directory: string, text: string, words: readonly string[] = []): Running {
  writeFileSync(join(cwd, `${directory}.yaml`), text);
  const load = ['load', '--target', 't.yaml', '--scenario', `${directory}.yaml`, '--report-dir', directory];
  const running = start([...load, '--agents', '4', '--redis', redis.url, ...words], { cwd, env: variables() });
  endings.push(() => running.child.kill('SIGKILL'));
  return running;
}

const BEGINS = /waits until .* when all parts begin/;

before(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'petstore-fleet-'));
  endings.push(() => rmSync(cwd, { recursive: true, force: true }));
  redis = await redisServer({ after: (end) => endings.push(end as () => unknown) });
  server = await startReference({});
  endings.push(() => server.close());
  writeFileSync(
    join(cwd, 't.yaml'),
    `name: t\nbaseUrl: ${server.baseUrl}\nkeys: { free: "\${FREE}", pro: "\${PRO}", business: "\${BUSINESS}", enterprise: "\${ENTERPRISE}" }\nplans: { enterprise: { perMinute: 2400, perDay: 500000 } }\n`,
  );
  watch = new Redis(redis.url, { lazyConnect: true });
  watch.on('error', () => undefined);
  const monitor = await watch.monitor();
  monitor.on('error', () => undefined);
  monitor.on('monitor', (_: string, words: readonly string[]) => heard.push(words.join(' ')));
  endings.push(() => monitor.disconnect());
  endings.push(() => watch.disconnect());
  await Promise.all(NAMES.map(startAgent));
});

after(async () => {
  for (const end of endings.toReversed()) await end();
});

test('all well: four agents, each with its own key, are one run; a second coordinator at once is refused', async () => {
  const sentBefore = server.requests();
  const text = scenario('60/s', '2s', '').replace('[enterprise]', '[free, pro, business, enterprise]');
  const run = startRun('well', text);
  await run.shows(BEGINS);
  const second = await startRun('second', text).ended;
  assert.equal(second.code, 2, second.stdout);
  assert.match(second.stderr, /Another run has the agents[\s\S]*Nothing was sent/);
  const { code, stdout, stderr } = await run.ended;
  assert.equal(code, 0, stdout + stderr);
  const { capacity, requests } = resultsIn(join(cwd, 'well'));
  assert.equal(requests.total, server.requests() - sentBefore);
  assert.deepEqual(
    capacity?.phases.map(({ intended, sent, dropped, violations }) => [intended, sent + dropped, violations]),
    [[120, 120, 0]],
  );
  assert.deepEqual(capacity.agents.map(({ name }) => name).toSorted(), NAMES);
  assert.ok(
    capacity.agents.every(({ problem, offsetMs }) => problem === null && Math.abs(offsetMs ?? Infinity) < 1000),
  );
  for (const part of [1, 2, 3, 4])
    assert.equal(
      new Set(
        [...readFileSync(join(cwd, `well/parts/${part}/log.ndjson`), 'utf8').matchAll(/"plan":"(\w+)"/g)]
          .map(([, plan]) => plan)
          .filter((plan) => plan !== 'capacity'),
      ).size,
      1,
      'each spends one key alone',
    );
  assert.match(readFileSync(join(cwd, 'well/index.html'), 'utf8'), /<h3>Agents<\/h3>/);
  for (const name of NAMES) assert.match(stdout, new RegExp(`${name} +\\d+ sent +clock .*kept up`));
});

test('one killed in the middle is named, and leaves the run open', async () => {
  const run = startRun('killed', scenario('40/s', '3s'));
  await run.shows(BEGINS);
  agent('a2').child.kill('SIGKILL');
  const { code, stdout } = await run.ended;
  assert.equal(code, 3, stdout);
  const { capacity } = resultsIn(join(cwd, 'killed'));
  assert.match(capacity?.problems?.join() ?? '', /^a2 \(part \d\) was lost: nothing was heard of it for 5 s/);
  assert.ok(capacity?.thresholds.every(({ outcome }) => outcome === 'inconclusive'));
  await startAgent('a2');
});

test('one that begins late is named, and leaves the run open', async () => {
  const run = startRun('late', scenario('40/s', '4s'));
  await run.shows(BEGINS);
  agent('a3').child.kill('SIGSTOP');
  // Beyond the beginning, and not so long that it is lost.
  await sleep(4000);
  agent('a3').child.kill('SIGCONT');
  const { code, stdout } = await run.ended;
  assert.equal(code, 3, stdout);
  const { capacity } = resultsIn(join(cwd, 'late'));
  const late = capacity?.agents.find(({ name }) => name === 'a3');
  assert.ok(late && (late.problem !== null || late.saturated), JSON.stringify(late));
  assert.match(stdout, /a3/);
  assert.ok(capacity?.thresholds.every(({ outcome }) => outcome === 'inconclusive'));
});

test('a Redis that is started anew in the middle changes nothing: agents go on, and their results come', async () => {
  const run = startRun('restarted', scenario('40/s', '3s'));
  await run.shows(BEGINS);
  await redis.restart();
  const { code, stdout, stderr } = await run.ended;
  assert.equal(code, 0, stdout + stderr);
  const { capacity } = resultsIn(join(cwd, 'restarted'));
  const [phase] = capacity?.phases ?? [];
  assert.equal((phase?.sent ?? 0) + (phase?.dropped ?? 0), 120);
  assert.deepEqual(capacity?.problems, undefined);
});

test('agents that outlive their coordinator stop by themselves, and are there for the next', async () => {
  const run = startRun('orphaned', scenario('40/s', '60s'));
  await run.shows(BEGINS);
  run.child.kill('SIGKILL');
  await Promise.all(NAMES.map((name) => agent(name).shows(/because the coordinator is gone; \d+ requests/)));
  const sent = server.requests();
  const next = startRun('next', scenario('40/s', '1s'));
  const { code, stdout, stderr } = await next.ended;
  assert.equal(code, 0, stdout + stderr);
  assert.equal(server.requests() - sent, resultsIn(join(cwd, 'next')).requests.total, 'nobody sends for the dead one');
});

test('an interrupt reaches all agents within a second, with a report of what there was: 3', async () => {
  const run = startRun('interrupted', scenario('40/s', '60s'));
  await run.shows(BEGINS);
  const before = server.requests();
  while (server.requests() < before + 20) await sleep(20);
  run.child.kill('SIGINT');
  const { code, stdout } = await run.ended;
  assert.equal(code, 3, stdout);
  const results = resultsIn(join(cwd, 'interrupted'));
  assert.equal(results.complete, false);
  const [phase] = results.capacity?.phases ?? [];
  assert.ok(phase && phase.sent > 0 && phase.sent < 1200);
});

test('no key stood in Redis, whole or in part: all that was said to it was heard', () => {
  const all = heard.join('\n');
  assert.match(all, /petstore-conformance:run/);
  assert.match(all, /listPets/);
  for (const key of Object.values(variables())) {
    assert.ok(!all.includes(key.slice(0, 12)));
    assert.ok(!all.includes(Buffer.from(key).toString('base64').slice(0, 12)));
  }
});

test('with a secret that all share, keys come sealed, also one that was given in clear', async (t) => {
  const own = await redisServer(t, ['--requirepass', 'a-password']);
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
  writeFileSync(join(cwd, 's.yaml'), scenario('20/s', '1s').replace('enterprise', 'business'));
  const clear = ['--base-url', server.baseUrl, '--key', `business=${server.keys.business}`];
  const load = ['load', '--scenario', 's.yaml', ...clear, '--agents', '1', ...words, '--wait', '20'];

  const unsealed = await petstore([...load, '--report-dir', 'unsealed'], { cwd, env: { REDIS_URL: url } });
  assert.equal(unsealed.code, 2, unsealed.stdout);
  assert.match(unsealed.stderr, /given in clear, and agents take keys from their own environment/);
  const { code, stdout, stderr } = await petstore([...load, '--report-dir', 'sealed'], {
    cwd,
    env: { REDIS_URL: url, PETSTORE_AGENT_SECRET: SECRET },
  });
  assert.equal(code, 0, stdout + stderr);
  assert.ok(said.some((text) => text.includes('mine:')));
  assert.ok(!said.join('\n').includes(server.keys.business.slice(0, 12)));
  assert.ok(!(stdout + stderr + sealed.child.spawnargs.join(' ')).includes('a-password'));

  const other = await petstore([...load, '--report-dir', 'other'], {
    cwd,
    env: { REDIS_URL: url, PETSTORE_AGENT_SECRET: 'another-secret-of-agents' },
  });
  assert.equal(other.code, 3, other.stderr);
  assert.match(other.stdout, /Cannot start: sealed has another PETSTORE_AGENT_SECRET/);
});

test('over TLS an agent speaks with a Redis whose certificate is trusted, and with no other', async (t) => {
  const [certificate, key] = [join(cwd, 'redis.pem'), join(cwd, 'redis-key.pem')];
  writeFileSync(certificate, CERTIFICATES.trusted);
  writeFileSync(key, CERTIFICATE_KEY);
  const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate];
  const over = await redisServer(t, [...files, '--tls-auth-clients', 'no'], 'tls-port');
  const url = over.url.replace('redis:', 'rediss:');
  const stranger = await petstore(['agent', '--redis', url], { cwd });
  assert.equal(stranger.code, 2, stranger.stdout);
  assert.match(stranger.stderr, /has a certificate that is not trusted[\s\S]*NODE_EXTRA_CA_CERTS/);
  const trusting = start(['agent', '--redis', url], { cwd, env: { NODE_EXTRA_CA_CERTS: certificate } });
  t.after(() => trusting.child.kill('SIGKILL'));
  await trusting.shows(/waits for work at rediss:/);
});

test('a Redis that is not there, refuses the password or is none, and agents that are not there, are said', async (t) => {
  const refusing = await redisServer(t, ['--requirepass', 'a-password']);
  const web = new URL(await answering(t, (_, response) => response.end('hello')));
  const closed = new URL(await closedPort());
  const load = ['load', '--target', 't.yaml', '--scenario', 's.yaml', '--agents', '2'];
  writeFileSync(join(cwd, 's.yaml'), scenario('20/s', '1s'));
  const sentBefore = server.requests();
  const cases = [
    [['--redis', `redis://127.0.0.1:${closed.port}`], 2, /has nobody who listens[\s\S]*Start Redis there/],
    [['--redis', `redis://:wrong@127.0.0.1:${refusing.port}`], 2, /refuses the password/],
    [['--redis', `redis://127.0.0.1:${refusing.port}`], 2, /refuses the password/],
    [['--redis', `redis://127.0.0.1:${web.port}`], 2, /does not answer as a Redis does/],
    [['--redis', 'http://127.0.0.1:1'], 2, /takes the address of a Redis/],
    [
      ['--redis', `redis://:a-password@127.0.0.1:${refusing.port}`, '--wait', '1', '--report-dir', 'alone'],
      3,
      /Cannot start: 0 of 2 agents were there within 1 s/,
    ],
    [[], 2, /no Redis that they are at/],
    [['--redis', redis.url, '--slice', '1/2'], 2, /do not go together/],
  ] as const;
  const all = await Promise.all(cases.map(([words]) => petstore([...load, ...words], { cwd, env: variables() })));
  for (const [at, [words, code, message]] of cases.entries()) {
    const ended = all[at];
    assert.ok(ended);
    assert.equal(ended.code, code, `${words.join(' ')}: ${ended.stdout}${ended.stderr}`);
    assert.match(ended.stdout + ended.stderr, message);
    assert.ok(!(ended.stdout + ended.stderr).includes('a-password'));
    assert.ok(!(ended.stdout + ended.stderr).includes('wrong'));
  }
  const lonely = await petstore(['agent', '--redis', `redis://127.0.0.1:${closed.port}`], { cwd });
  assert.equal(lonely.code, 2);
  assert.match(lonely.stderr, /has nobody who listens/);
  assert.equal(server.requests(), sentBefore);
});
