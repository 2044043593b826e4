import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';

/** Returns the output and the exit code of a process that runs the given expression. */
function run(work: string) {
  const url = new URL('process-end.js', import.meta.url).href;
  const script = `import { untilDone } from ${JSON.stringify(url)};
    await untilDone(() => ${work}, () => { console.log('not done'); process.exit(2); });`;
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  return [stdout.trim(), status];
}

test('a process with a promise that never settles reports it and exits with 2', () => {
  assert.deepEqual(run('new Promise(() => undefined)'), ['not done', 2]);
});

test('a resolved or rejected promise ends the process as usual', () => {
  assert.deepEqual(run('Promise.resolve()'), ['', 0]);
  assert.deepEqual(run('Promise.reject(new Error("thrown"))'), ['', 1]);
});

/** Sends signals to a process that takes a while to end after the first one; returns its exit code. */
async function endedBy(first: readonly NodeJS.Signals[], later?: NodeJS.Signals): Promise<number | null> {
  const url = new URL('process-end.js', import.meta.url).href;
  const script = `import { interruption } from ${JSON.stringify(url)};
    const { signal } = interruption();
    const goesOn = setInterval(() => undefined, 1000);
    signal.addEventListener('abort', () => {
      setTimeout(() => console.log('late'), 1500);
      setTimeout(() => process.exit(3), ${later ? 60_000 : 2_000});
    });
    console.log('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  for (const signal of first) child.kill(signal);
  const ended = once(child, 'exit');
  if (later) {
    await once(child.stdout, 'data');
    child.kill(later);
  }
  const [code] = (await ended) as [number | null];
  return code;
}

test('signals within a second are one wish to stop, and a later one ends the process', async () => {
  assert.deepEqual(
    await Promise.all([
      endedBy(['SIGINT', 'SIGTERM']),
      endedBy(['SIGTERM', 'SIGINT', 'SIGINT']),
      endedBy(['SIGINT'], 'SIGTERM'),
      endedBy(['SIGINT', 'SIGTERM'], 'SIGINT'),
    ]),
    [3, 3, 130, 130],
  );
});
