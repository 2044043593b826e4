import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { Redis } from 'ioredis';
import { start, type Running } from './support/command.js';
import { folder } from './support/folder.js';
import { wasTooSlow } from './support/loading.js';
import { redisServer } from './support/redis.js';
import { resultsIn } from './support/results.js';
import { reference } from './support/targets.js';

/** BullMQ waits for a silent Redis without an end. Neither side of a fleet may wait with it. */

/** Starts a Redis and a server, and returns how to start an agent and a run. */
async function ground(t: TestContext, duration: string) {
  const redis = await redisServer(t);
  const server = await reference(t);
  const cwd = folder(t);
  const plain = new Redis(redis.url);
  plain.on('error', () => undefined);
  const monitor = await plain.monitor();
  monitor.on('error', () => undefined);
  t.after(() => plain.disconnect());
  t.after(() => monitor.disconnect());
  writeFileSync(
    join(cwd, 't.yaml'),
    `name: t\nbaseUrl: ${server.baseUrl}\nkeys: { business: "\${BUSINESS}" }\n`,
  );
  writeFileSync(
    join(cwd, 's.yaml'),
    `name: s\nphases: [{ name: hold, duration: ${duration}, rate: 20/s }]\noperations: [{ operation: listPets }]\noverLimit: allow\nthresholds: [violations = 0]\n`,
  );
  const begin = (words: readonly string[]): Running => {
    const running = start(words, { cwd, env: { BUSINESS: server.keys.business } });
    t.after(() => running.child.kill('SIGKILL'));
    return running;
  };
  return {
    cwd,
    redis,
    agent: async () => {
      const running = begin(['agent', '--redis', redis.url, '--name', 'a1', '--allow-loopback']);
      await running.shows(/waits for work/);
      return running;
    },
    /** Does something once Redis gets commands like these, one after the other. */
    once: (commands: readonly RegExp[], what: () => void): void => {
      const left = [...commands];
      monitor.on('monitor', (_: string, words: readonly string[]) => {
        if (left[0]?.test(words.join(' ')) !== true) return;
        left.shift();
        if (left.length === 0) what();
      });
    },
    load: () => {
      const words = ['load', '--target', 't.yaml', '--scenario', 's.yaml', '--report-dir', 'out'];
      return begin([...words, '--agents', '1', '--redis', redis.url, '--wait', '60']);
    },
  };
}

describe('a Redis that responds no more', { concurrency: true }, () => {
  test('ends a run whose parts were not distributed, and is named', async (t) => {
    const { redis, load, once, cwd } = await ground(t, '1s');
    once([/"step":"gather"/], redis.freeze);
    const run = load();
    await run.shows(/Cannot start: redis:\S+ became unreachable\./);
    const { code, stdout, stderr } = await run.ended;
    assert.equal(code, 3, stdout + stderr);
    assert.equal(resultsIn(join(cwd, 'out')).obstacle?.code, 'agents');
  });

  test('ends a run that has begun, on both sides', async (t) => {
    const { redis, load, once, agent, cwd } = await ground(t, '120s');
    once([/"step":"sending"/], redis.freeze);
    const one = await agent();
    const run = load();
    // Where this machine is slow, the coordinator may have stopped the run just before.
    await one.shows(
      /part 1 of 1: ended early, because the (?:coordinator stopped responding|run was stopped); \d+ req/,
    );
    await run.shows(/INCONCLUSIVE/);
    const { code, stdout, stderr } = await run.ended;
    assert.equal(code, 3, stdout + stderr);
    assert.match(
      resultsIn(join(cwd, 'out')).capacity?.problems?.join() ?? '',
      /^redis:\S+ became unreachable and did not come back/,
    );
    one.child.kill('SIGTERM');
    assert.equal((await one.ended).code, 0);
  });

  test('does not end an agent that was about to begin', async (t) => {
    const { redis, load, once, agent } = await ground(t, '1s');
    once([/^time$/], () => void redis.stop());
    const one = await agent();
    load();
    // Where this machine is slow, the agent may have begun before Redis ended.
    await one.shows(/skips a job: Redis is unreachable|part 1 of 1: /);
    one.child.kill('SIGTERM');
    assert.equal((await one.ended).code, 0);
  });

  test('is asked again for its time if it restarts before the start', async (t) => {
    const { redis, load, once, agent, cwd } = await ground(t, '1s');
    once([/"step":"ready"/, /^time$/], () => void redis.restart());
    await agent();
    const { code, stdout, stderr } = await load().ended;
    const isSlow = wasTooSlow(join(cwd, 'out'));
    assert.equal(code, isSlow ? 3 : 0, stdout + stderr);
    // A part that this machine held up until after its start says so.
    if (!isSlow) assert.equal(resultsIn(join(cwd, 'out')).capacity?.problems, undefined);
  });
});
