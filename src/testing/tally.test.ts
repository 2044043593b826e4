import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { addEvent, closingLine, emptyTally, exitCodeOf } from './tally.js';
import type { TestEvent } from './tally.js';

const FILE = '/tests/some.test.js';
const event = (type: string, data: TestEvent['data'] = {}): TestEvent => ({
  type,
  data: { name: 'a test', file: FILE, nesting: 0, ...data },
});
const tallyOf = (...events: readonly TestEvent[]) => events.reduce(addEvent, emptyTally(FILE));
const failure = (failureType: string) => ({
  details: { error: Object.assign(new Error(failureType), { failureType }) },
});

const CASES: readonly (readonly [title: string, events: readonly TestEvent[], line: string, code: number])[] = [
  ['nothing ran', [], '0 passed, 0 failed, 0 skipped', 1],
  ['a pass', [event('test:pass')], '1 passed, 0 failed, 0 skipped', 0],
  [
    'a failure',
    [event('test:pass'), event('test:fail', failure('testCodeFailure'))],
    '1 passed, 1 failed, 0 skipped',
    1,
  ],
  ['only skips', [event('test:pass', { skip: 'no network' })], '0 passed, 0 failed, 1 skipped', 1],
  ['an empty reason to skip', [event('test:pass', { skip: '' })], '0 passed, 0 failed, 1 skipped', 1],
  ['still to be written', [event('test:pass'), event('test:fail', { todo: true })], '1 passed, 0 failed, 1 skipped', 0],
  [
    'a suite',
    [event('test:pass'), event('test:pass', { details: { type: 'suite' } })],
    '1 passed, 0 failed, 0 skipped',
    0,
  ],
  [
    'an inner failure counts once',
    [event('test:fail', { nesting: 1, ...failure('testCodeFailure') }), event('test:fail', failure('subtestsFailed'))],
    '0 passed, 1 failed, 0 skipped',
    1,
  ],
  [
    'a cancelled test',
    [event('test:pass'), event('test:fail', failure('cancelledByParent'))],
    '1 passed, 1 failed, 0 skipped',
    1,
  ],
  ['a file without tests', [event('test:pass', { name: FILE })], '0 passed, 1 failed, 0 skipped', 1],
  ['a file that breaks', [event('test:pass'), event('test:fail', { name: FILE })], '1 passed, 1 failed, 0 skipped', 1],
];

for (const [title, events, line, code] of CASES)
  test(`counts ${title}`, () => {
    const tally = tallyOf(...events);
    assert.equal(closingLine([tally]), line);
    assert.equal(exitCodeOf([tally]), code);
  });

test('the runner ends with one closing line, and with 1 when a test fails, a file holds none or nothing ran', () => {
  const root = mkdtempSync(join(tmpdir(), 'petstore-runner-'));
  try {
    cpSync(import.meta.dirname, join(root, 'src/testing'), {
      recursive: true,
      filter: (from) => !from.includes('.test.') && !from.endsWith('e2e'),
    });
    writeFileSync(join(root, 'package.json'), '{"type":"module"}');
    const write = (name: string, text: string) =>
      writeFileSync(join(root, name), `import { test } from 'node:test';\n${text}`);
    write('a.test.js', `test('fine', () => {});`);
    write('b.test.js', `test('broken', () => { throw new Error('as expected'); });`);
    write('c.test.js', '');
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const runner = (...words: readonly string[]) =>
      spawnSync(process.execPath, [join(root, 'src/testing/run-tests.js'), ...words], { encoding: 'utf8', env });

    const fine = runner('a.test');
    assert.equal(fine.stdout.trimEnd().split('\n').at(-1), '1 passed, 0 failed, 0 skipped');
    assert.equal(fine.status, 0);

    const all = runner();
    assert.equal(all.stdout.trimEnd().split('\n').at(-1), '1 passed, 2 failed, 0 skipped');
    assert.match(all.stdout, /✗ broken\n\s+Error: as expected/);
    assert.match(all.stdout, /the file holds no test/);
    assert.equal(all.status, 1);

    const none = runner('nowhere');
    assert.equal(none.stdout.trimEnd().split('\n').at(-1), '0 passed, 0 failed, 0 skipped');
    assert.equal(none.status, 1);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
