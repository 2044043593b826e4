import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { whileCommandRuns, withoutProxy } from './command-under-test.js';

const PLACE = { baseUrl: 'http://127.0.0.1:4010/v1', key: undefined, scenario: 'calm' };

/** Starts a process in a group of its own, which keeps the output open for two minutes. */
const DAEMON = `
const { spawn } = require('node:child_process');
const daemon = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 120000)'], { detached: true, stdio: 'inherit' });
console.log('daemon', daemon.pid);
daemon.unref();
`;

test('a daemon that holds the output of the command keeps nobody', (t) => {
  const here = pathToFileURL(join(import.meta.dirname, 'command-under-test.js')).href;
  const run = `
    const { whileCommandRuns } = await import(${JSON.stringify(here)});
    const words = [process.execPath, '-e', ${JSON.stringify(DAEMON)}];
    const signal = new AbortController().signal;
    const { command } = await whileCommandRuns({ words, env: process.env, signal }, ${JSON.stringify(PLACE)});
    console.log(command.output);
  `;
  // The time is that of the daemon; it passes only where the pipes are not let go.
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', run], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  const pid = Number(/daemon (\d+)/.exec(stdout)?.[1]);
  t.after(() => process.kill(pid, 'SIGKILL'));
  assert.equal(status, 0, stdout);
});

test('of a long output no part of a word is kept, nor of a letter', async () => {
  const printed =
    "process.stdout.write('é'.repeat(7990) + ' begun-' + 'x'.repeat(20000) + '-ended ' + 'é'.repeat(7990))";
  const under = {
    words: [process.execPath, '-e', printed],
    env: process.env,
    signal: new AbortController().signal,
  };
  const { command } = await whileCommandRuns(under, PLACE);
  const letters = 'é'.repeat(7990);
  assert.equal(command?.output, `${letters} \n… (20012 characters left out)\n ${letters}`);
});

test('the command sends nothing for its server to the machine’s proxy, in either spelling', async () => {
  const asked = ['-e', 'console.log(JSON.stringify([process.env.NO_PROXY, process.env.no_proxy]))'];
  for (const [given, expected] of [
    [{}, '127.0.0.1'],
    [{ NO_PROXY: 'internal.example' }, 'internal.example,127.0.0.1'],
    [{ NO_PROXY: 'a.example', no_proxy: 'b.example, 127.0.0.1' }, 'a.example,b.example,127.0.0.1'],
    [{ no_proxy: '*' }, '*'],
  ] as const) {
    const env = { PATH: process.env['PATH'], HTTP_PROXY: 'http://proxy.example:3128', ...given };
    const under = { words: [process.execPath, ...asked], env, signal: new AbortController().signal };
    const { command } = await whileCommandRuns(under, PLACE);
    assert.deepEqual(JSON.parse(command?.output ?? ''), [expected, expected]);
  }
  assert.equal(withoutProxy({}, 'http://[::1]:4010/v1').NO_PROXY, '[::1],::1');
});
