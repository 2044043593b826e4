import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { RUNS_FOLDER } from '../../shared.js';
import { startProcess } from './command.js';
import { folder } from './folder.js';

const MODULE = new URL('./made-once.js', import.meta.url).href;

/** Starts a process that asks for a thing; a line of `makers` is a process that made it. */
function asking(runs: string, make: string) {
  const script = `import { madeOnce } from ${JSON.stringify(MODULE)};
    import { appendFileSync } from 'node:fs';
    import { setTimeout } from 'node:timers/promises';
    const made = await madeOnce('a thing', async (folder) => {
      appendFileSync(${JSON.stringify(join(runs, 'makers'))}, process.pid + '\\n');
      ${make}
    });
    console.log(JSON.stringify(made));`;
  return startProcess(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: runs,
    env: { [RUNS_FOLDER]: runs },
  }).ended;
}

const makers = (runs: string) => readFileSync(join(runs, 'makers'), 'utf8').trim().split('\n');

async function twoAsk(t: TestContext, make: string) {
  const runs = folder(t);
  const ended = await Promise.all([asking(runs, make), asking(runs, make)]);
  assert.equal(makers(runs).length, 1);
  return { runs, ended };
}

test('what two processes ask for at once is made by one of them, and a later one finds it', async (t) => {
  const { runs, ended } = await twoAsk(t, 'await setTimeout(300); return process.pid;');
  ended.push(await asking(runs, 'return 0;'));
  const [one, ...others] = ended.map(({ stdout, stderr }) => stdout + stderr);
  assert.match(one ?? '', new RegExp(`^\\{"folder":".*","value":${makers(runs)[0]}\\}\\n$`));
  assert.deepEqual(others, [one, one]);
});

test('a failure to make it fails all that ask, with its cause', async (t) => {
  const { ended } = await twoAsk(t, "await setTimeout(100); throw new Error('no disk');");
  for (const { code, stderr } of ended) {
    assert.notEqual(code, 0);
    assert.match(stderr, /a thing could not be made: Error: no disk/);
  }
});

test('who waits for a process that ended says so', async (t) => {
  const { runs } = await twoAsk(t, 'process.exit(0);');
  assert.match((await asking(runs, 'return 0;')).stderr, /The process that was making a thing ended/);
});
