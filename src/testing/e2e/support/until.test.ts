import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { startProcess } from './command.js';
import { until } from './until.js';

/** Starts a process that prints two lines and then does something. */
const printing = (t: TestContext, then: string) => {
  const running = startProcess(
    process.execPath,
    ['-e', `console.log('began'); console.error('a fault'); ${then}`],
    { cwd: '.' },
  );
  t.after(() => running.child.kill('SIGKILL'));
  return running;
};

test('a wait ends with its value, even if the process did that last', async (t) => {
  const running = printing(t, '');
  assert.equal(await until('a count', () => 0, running), 0);
  await running.ended;
  assert.equal(await until('its lines', () => /began/.exec(running.output())?.[0], running), 'began');
});

test('a wait fails with all output of the process that it depends on once that has ended', async (t) => {
  const lasting = printing(t, 'setInterval(() => undefined, 60_000)');
  await lasting.shows(/began/);
  const ending = printing(t, 'process.exitCode = 7');
  await assert.rejects(
    until('what never comes', () => false, lasting, ending),
    /waited for what never comes\n[^]* runs and printed:\nbegan\n[^]* ended with 7 and printed:\nbegan\na fault/,
  );
  await assert.rejects(ending.shows(/never/), /waited for \/never\/\n[^]* ended with 7 [^]*a fault/);
});
