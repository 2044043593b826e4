import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { startReference, type Reference } from '../../../reference/index.js';
import { start, type Running } from './command.js';
import { redisServer, type RedisServer } from './redis.js';

/** The agents of a fleet. */
export const NAMES = ['a1', 'a2', 'a3', 'a4'] as const;
type Name = (typeof NAMES)[number];

/** What a run says when all of its agents are ready. */
export const BEGINS = /waits until .* when all parts begin/;

/** Four agents, as processes of their own, at a Redis and a server of theirs. */
export interface Fleet {
  readonly cwd: string;
  readonly redis: RedisServer;
  readonly server: Reference;
  readonly watch: Redis;
  /** All that was said to Redis. */
  readonly heard: readonly string[];
  /** The environment of agents and runs: the keys. */
  readonly variables: Readonly<Record<string, string>>;
  agent(name: Name): Running;
  /** Starts an agent, also one in the place of another. */
  startAgent(name: Name): Promise<void>;
  /** Starts a run of all agents, or of fewer. */
  startRun(directory: string, scenario: string, count?: number): Running;
  /** Waits until the server has had so many more requests than when a run was about to begin. */
  middleOf(run: Running, more?: number): Promise<void>;
  end(): Promise<void>;
}

/** A fleet whose agents wait for work. */
export async function startFleet(): Promise<Fleet> {
  const endings: (() => unknown)[] = [];
  const cwd = mkdtempSync(join(tmpdir(), 'petstore-fleet-'));
  endings.push(() => rmSync(cwd, { recursive: true, force: true }));
  const redis = await redisServer({ after: (end) => endings.push(end as () => unknown) });
  const server = await startReference({});
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
    startRun(directory, scenario, count = NAMES.length) {
      writeFileSync(join(cwd, `${directory}.yaml`), scenario);
      const load = ['load', '--target', 't.yaml', '--scenario', `${directory}.yaml`, '--report-dir', directory];
      return begin([...load, '--agents', String(count), '--redis', redis.url]);
    },
    async middleOf(run, more = 15) {
      await run.shows(BEGINS);
      const from = server.requests();
      while (server.requests() < from + more) await sleep(20);
    },
    async end() {
      for (const each of endings.toReversed()) await each();
    },
  };
  await Promise.all(NAMES.map((name) => fleet.startAgent(name)));
  return fleet;
}
