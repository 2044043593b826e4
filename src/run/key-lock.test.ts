import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { secret } from '../wire/targets/secret.js';
import { lockKeys } from './key-lock.js';
import { UsageError } from '../base/kernel/errors.js';

const MODULE = new URL('./key-lock.js', import.meta.url).href;
const SECRET = new URL('../wire/targets/secret.js', import.meta.url).href;

const targetOf = (baseUrl: string) => ({ baseUrl, keys: { free: secret('pk-some-key-of-a-test') } });
const isInUse = (error: unknown) =>
  error instanceof UsageError && error.code === 'key-in-use' && error.message.includes('the free key');

test('a key is locked until its lock is disposed of, and only on its address', async () => {
  const target = targetOf(`http://127.0.0.1:1/${process.pid}`);
  const held = await lockKeys(target);
  await assert.rejects(lockKeys(target), isInUse);
  (await lockKeys(targetOf(`http://127.0.0.1:2/${process.pid}`)))[Symbol.dispose]();
  held[Symbol.dispose]();
  (await lockKeys(target))[Symbol.dispose]();
});

test('a killed process leaves no lock, and a lock keeps no process alive', async (t) => {
  const baseUrl = `http://127.0.0.1:3/${process.pid}`;
  const script = `
    const { lockKeys } = await import('${MODULE}');
    const { secret } = await import('${SECRET}');
    await lockKeys({ baseUrl: '${baseUrl}', keys: { free: secret('pk-some-key-of-a-test') } });
    console.log('locked');`;
  const start = (more: string) =>
    spawn(process.execPath, ['--input-type=module', '-e', script + more], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const waiting = start('setInterval(() => {}, 1000);');
  t.after(() => waiting.kill('SIGKILL'));
  await once(waiting.stdout, 'data');
  await assert.rejects(lockKeys(targetOf(baseUrl)), isInUse);
  waiting.kill('SIGKILL');
  await once(waiting, 'close');
  const ending = start('');
  const [code] = (await once(ending, 'close')) as [number];
  assert.equal(code, 0);
  (await lockKeys(targetOf(baseUrl)))[Symbol.dispose]();
});
