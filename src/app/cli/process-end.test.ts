import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
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
