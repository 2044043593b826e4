import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { untilEnded } from './e2e/support/processes.js';
import { until } from './e2e/support/until.js';
import { pidIn } from './test-kill.js';

const place = mkdtempSync(join(tmpdir(), 'petstore-runner-'));
after(() => rmSync(place, { recursive: true, force: true }));
const root = join(place, 'dist');
mkdirSync(join(root, 'src/testing'), { recursive: true });
for (const name of [
  'run-tests.js',
  'test-files.js',
  'test-options.js',
  'test-order.js',
  'test-process.js',
  'test-kill.js',
  'test-silence.js',
  'test-signals.js',
  'e2e/support/processes.js',
  'e2e/support/until.js',
  'repeat-tests.js',
  'file-times.js',
  'one-process.js',
  'without-test-hooks.js',
  'shared.js',
  'npm-scripts.js',
])
  cpSync(join(import.meta.dirname, name), join(root, 'src/testing', name));
writeFileSync(
  join(root, 'package.json'),
  JSON.stringify({
    type: 'module',
    scripts: { fine: 'echo nothing to say', unclean: 'echo a fault in line 7; exit 3' },
  }),
);

/** A test file each, with the runner's closing line and exit code for it. */
const CASES: Readonly<Record<string, readonly [text: string, closing: string, code: number]>> = {
  pass: [`test('fine', () => {});`, '1 passed, 0 failed, 0 skipped', 0],
  failure: [
    `test('fine', () => {}); test('broken', () => { throw new Error('as expected'); });`,
    '1 passed, 1 failed, 0 skipped',
    1,
  ],
  skips: [`test('later', { skip: 'no network' }, () => {});`, '0 passed, 0 failed, 1 skipped', 1],
  unwritten: [
    `test('fine', () => {}); test('to do', { todo: true }, () => { throw new Error('not yet'); });`,
    '1 passed, 0 failed, 1 skipped',
    0,
  ],
  suite: [
    `import { describe } from 'node:test'; describe('all', () => { test('fine', () => {}); });`,
    '1 passed, 0 failed, 0 skipped',
    0,
  ],
  inner: [
    `test('outer', async (t) => { await t.test('inner', () => { throw new Error('as expected'); }); });`,
    '0 passed, 1 failed, 0 skipped',
    1,
  ],
  cancelled: [
    `test('fine', () => {}); test('cut short', { signal: AbortSignal.abort() }, () => {});`,
    '1 passed, 1 failed, 0 skipped',
    1,
  ],
  empty: ['', '0 passed, 1 failed, 0 skipped', 1],
  breaking: [`test('fine', () => {}); throw new Error('outside');`, '0 passed, 2 failed, 0 skipped', 1],
  leaving: [
    `test('fine', () => {}); test('gone', () => process.exit(0));`,
    '0 passed, 1 failed, 0 skipped',
    1,
  ],
  stray: [
    `import { setTimeout } from 'node:timers/promises';
     test('beside', async () => { void Promise.reject(new Error('nobody looks')); await setTimeout(60_000); });
     test('fine', () => {});`,
    '0 passed, 2 failed, 0 skipped',
    1,
  ],
  littering: [`test('fine', () => { process.env.LEFT = 'behind'; });`, '1 passed, 1 failed, 0 skipped', 1],
  elsewhere: [`test('fine', () => process.chdir('..'));`, '1 passed, 1 failed, 0 skipped', 1],
};

/** Cases that leave their process as it was, so that they share one. */
const SHARED = ['pass', 'failure', 'skips', 'unwritten', 'suite', 'inner', 'cancelled', 'empty'];
/** Cases that disturb their process: each has its own, as files that wait have. */
const DISTURBING = Object.keys(CASES).filter((name) => !SHARED.includes(name));
const fileOf = (name: string): string =>
  DISTURBING.includes(name) ? `disturbs-${name}.wait.test.js` : `${name}.test.js`;

for (const [name, [text]] of Object.entries(CASES))
  writeFileSync(join(root, fileOf(name)), `import { test } from 'node:test';\n${text}`);
// Two files of one process, imported in any order, of which the second is elsewhere for a while meanwhile.
writeFileSync(
  join(root, 'moves-first.alone.test.js'),
  `import { test } from 'node:test'; import { setTimeout } from 'node:timers/promises';
test('stays', async () => { await setTimeout(100); if (process.cwd() !== import.meta.dirname) throw new Error('moved'); });`,
);
writeFileSync(
  join(root, 'moves-second.alone.test.js'),
  `import { test } from 'node:test'; import { setTimeout } from 'node:timers/promises';
const before = process.cwd(); process.chdir('..'); await setTimeout(200); process.chdir(before); test('fine', () => {});`,
);
// Ten samples of what it waits for, of which the first may fall anywhere.
writeFileSync(
  join(root, 'waits-for-a-timer.alone.test.js'),
  `import { test } from 'node:test'; import { setTimeout } from 'node:timers/promises';
test('waits', async () => { await setTimeout(1000); });`,
);
// Where it is asked to fail, it ends long after.
writeFileSync(
  join(root, 'once.alone.test.js'),
  `import { test } from 'node:test';
const fails = 'FAILS_ONCE' in process.env;
test('fails once', () => { if (fails) throw new Error('as expected'); });
test('the rest', async () => { if (fails) await new Promise((resolve) => setTimeout(resolve, 60_000)); });`,
);
for (const kind of ['wait', 'background', 'long.proof'])
  writeFileSync(
    join(root, `pass.${kind}.test.js`),
    `import { test } from 'node:test';\ntest('fine', () => {});`,
  );

// One in each lane that ends when the proof has begun, which fills what they leave idle. Minutes are for a busy machine.
const LANES = ['a.alone', 'b.long', 'c', 'd', 'e'];
const mark = JSON.stringify(join(place, 'filled'));
for (const [name, text] of [
  ['idle-filled.background.proof', `test('fills', () => writeFileSync(${mark}, ''));`],
  ...LANES.map((lane) => [
    `idle-until-${lane}`,
    `test('is next to it', async () => {
  for (const until = Date.now() + 180_000; !existsSync(${mark}); await setTimeout(20))
    if (Date.now() > until) throw new Error('nothing filled');
});`,
  ]),
])
  writeFileSync(
    join(root, `${name}.test.js`),
    `import { existsSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
${text}`,
  );

const PID_FILE = join(place, 'pid-of-stubborn');
writeFileSync(
  join(root, 'stubborn.wait.test.js'),
  `import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
test('ends only by force', async () => {
  process.on('SIGTERM', () => {});
  writeFileSync(${JSON.stringify(PID_FILE)}, String(process.pid));
  await new Promise((resolve) => setTimeout(resolve, 600_000));
});`,
);

// In a process of its own, because a test cannot run tests. It prints what the runner shows of the file.
writeFileSync(
  join(root, 'watch-hanging.js'),
  `import { runGroup } from './src/testing/test-process.js';
const [file, silentMs] = process.argv.slice(2);
await runGroup(
  { files: [file], manner: { isInBackground: false, times: null } },
  {
    onEnd: (_, { failed, output }, failures) => console.log(JSON.stringify({ failed, output, failures })),
    silentMsOf: () => Number(silentMs),
    endsAtFailure: false,
    signal: new AbortController().signal,
  },
);`,
);
const HANGING = `import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'node:test';
console.log('says something');
describe('a suite', { concurrency: 2 }, () => {
  test('fine', () => {});
  test('waits for a program', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)']);
    const [, signal] = await once(child, 'close');
    throw new Error('it ended with ' + signal);
  });
  test('waits for nothing', () => new Promise((resolve) => setTimeout(resolve, FOREVER)));
});`;
for (const [name, forever] of [
  ['hangs-for-a-program', 1],
  ['hangs', 600_000],
] as const)
  writeFileSync(join(root, `${name}.js`), HANGING.replace('FOREVER', String(forever)));

const { NODE_TEST_CONTEXT: _, CI: __, ...given } = process.env;
const env = { ...given, XDG_CACHE_HOME: join(place, 'cache') };
const start = (words: readonly string[], more: object = {}) =>
  spawnSync(process.execPath, [join(root, 'src/testing/run-tests.js'), ...words], {
    cwd: root,
    encoding: 'utf8',
    env: { ...env, ...more },
  });
const ran = new Map<string, ReturnType<typeof start>>();
const runner = (...words: readonly string[]) => {
  const result = ran.get(words.join(' ')) ?? start(words);
  ran.set(words.join(' '), result);
  return result;
};
const closing = (output: string): string | undefined => output.trimEnd().split('\n').at(-1);

/** Returns the counts in a closing line. */
const counts = (line: string): readonly number[] =>
  [...line.matchAll(/\d+/g)].map(([number]) => Number(number));

const sharing = () => runner(...SHARED.map(fileOf));
const disturbing = () => runner('disturbs-');

for (const [what, cases, start] of [
  ['share a process', SHARED, sharing],
  ['disturb their process', DISTURBING, disturbing],
] as const)
  test(`counts the results of files that ${what}`, () => {
    const { stdout, status } = start();
    const lines = cases.map((name) => CASES[name]?.[1] ?? '');
    const total = [0, 1, 2].map((at) => lines.reduce((sum, line) => sum + (counts(line)[at] ?? 0), 0));
    assert.deepEqual(counts(closing(stdout) ?? ''), total, stdout);
    for (const [at, name] of cases.entries()) {
      const file = fileOf(name).replaceAll('.', '\\.');
      const [, passed = '0', failed = '0', skipped = '0'] =
        new RegExp(`^[✓✗] ${file} {2}(\\d+) passed(?:, (\\d+) FAILED)?(?:, (\\d+) skipped)? `, 'm').exec(
          stdout,
        ) ?? [];
      // Such a file counts as failed only in the closing line.
      const isCut = new RegExp(`^✗ ${file} {2}(?:holds no test|was not run to its end)$`, 'm').test(stdout);
      const told = [Number(passed), Number(failed) + Number(isCut), Number(skipped)];
      assert.deepEqual(told, counts(lines[at] ?? ''), `${name}: ${stdout}`);
    }
    assert.equal(status, 1);
  });

// A green one, and one without a passed test.
for (const name of ['pass', 'skips'])
  test(`counts the results of ${name}.test.js`, () => {
    const [, line, code] = CASES[name] ?? assert.fail();
    const { stdout, status } = runner(`${name}.test`);
    assert.equal(closing(stdout), line, stdout);
    assert.equal(status, code);
  });

test('shows failures in full, names empty or unfinished files, and reports unmatched names', () => {
  assert.match(sharing().stdout, /broken[^]*as expected/);
  assert.match(sharing().stdout, /empty\.test\.js {2}holds no test/);
  assert.match(disturbing().stdout, /leaving\.wait\.test\.js {2}was not run to its end/);
  assert.match(disturbing().stdout, /other than it was[^]*LEFT/);
  const none = runner('nowhere');
  assert.equal(closing(none.stdout), '0 passed, 0 failed, 0 skipped');
  assert.equal(none.status, 1);
});

test('runs only quick tests with --unit', () => {
  assert.equal(closing(runner('pass').stdout), '4 passed, 0 failed, 0 skipped');
  assert.equal(closing(runner('--unit', 'pass').stdout), '1 passed, 0 failed, 0 skipped');
});

test('runs the proofs with --proofs', () => {
  const proofs = runner('--proofs');
  assert.match(proofs.stdout, /pass\.long\.proof\.test\.js {2}1 passed/);
  assert.equal(closing(proofs.stdout), '2 passed, 0 failed, 0 skipped');
  assert.equal(proofs.status, 0);
});

test('a proof that only computes fills what all others leave idle, from the first second', () => {
  const { stdout } = runner('idle-');
  assert.equal(closing(stdout), '6 passed, 0 failed, 0 skipped', stdout);
});

test('runs no test of a shared process before all of its files are imported', () => {
  const { stdout } = runner('moves-');
  assert.equal(closing(stdout), '2 passed, 0 failed, 0 skipped', stdout);
});

test('ends at the first failure if asked to, and names it in the last lines', () => {
  const { stdout, status } = runner('--bail', 'failure.test', 'littering', 'pass.long.proof');
  // Which of the two fails first is open, and whether the third has ended by then.
  assert.match(
    stdout,
    /^✗ (?:failure|disturbs-littering\.wait)\.test\.js {2}failed\n[^]*Not run after the first failure: [12] files?$/m,
  );
  assert.match(closing(stdout) ?? '', /, 1 failed, /);
  assert.equal(status, 1);
});

test('ends with the first failed test of a file, and starts with that file the next time', () => {
  const words = ['once', 'moves-'];
  const { stdout, status } = start(['--bail', ...words], { FAILS_ONCE: '1' });
  assert.match(stdout, /fails once[^]*as expected[^]*^✗ once\.alone\.test\.js {2}failed$/m);
  assert.match(closing(stdout) ?? '', /, 1 failed, /, stdout);
  assert.equal(status, 1);
  const [first] = start(words).stdout.match(/^[✓✗] \S+/m) ?? [];
  assert.equal(first, '✓ once.alone.test.js');
});

const watched = async (name: string): Promise<string> => {
  const words = [join(root, 'watch-hanging.js'), join(root, `${name}.js`), '4000'];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: root, env });
  return stdout;
};

test('ends a file in which no test begins or ends any more, and shows what it was doing', async () => {
  const cases = [
    ['hangs-for-a-program', /Error: it ended with SIGKILL/],
    ['hangs', /a suite\n +waits for nothing\n[^]*SIGKILL/],
  ] as const;
  // Side by side, because both only wait.
  const printed = await Promise.all(cases.map(([name]) => watched(name)));
  for (const [at, [, shown]] of cases.entries()) {
    const { failed, output, failures } = JSON.parse(printed[at] ?? '') as Record<string, string>;
    assert.ok(Number(failed) > 0, printed[at]);
    assert.equal(output, 'says something\n');
    assert.match(failures ?? '', /no test began or ended for 4 s; these ran:\n {2}a suite\n/);
    assert.match(failures ?? '', shown);
  }
});

test('ends at a signal, with the processes of its files', async () => {
  for (const [signal, code, words] of [
    ['SIGTERM', 143, []],
    ['SIGINT', 130, []],
    ['SIGHUP', 129, []],
    ['SIGTERM', 143, ['--repeat', '2']],
  ] as const) {
    rmSync(PID_FILE, { force: true });
    const child = spawn(process.execPath, [join(root, 'src/testing/run-tests.js'), 'stubborn', ...words], {
      cwd: root,
      env,
      stdio: 'ignore',
    });
    const ended = once(child, 'close');
    const pid = await until('a test that runs', () => pidIn(PID_FILE));
    child.kill(signal);
    assert.deepEqual(await ended, [code, null]);
    await untilEnded([pid]);
  }
});

test('shows the time of each file, and what it waited for', () => {
  const { stdout } = runner('--times', 'waits-for-a-timer', 'pass.test');
  assert.match(
    stdout,
    /seconds {2}processor {2}file[^]* {2}waits-for-a-timer\.alone\.test\.js {2}\(timers (?!0\.0)\d+\.\d\)/,
  );
  assert.match(stdout, /^\d+ s, \d+ % of \d+ cores used$/m);
});

test('repeats the tests next to busy processes, and lists what failed ever', () => {
  const failing = runner('--repeat', '2', '--busy', '1', 'failure.test', 'pass.test');
  assert.equal(closing(failing.stdout), '✗ failure.test.js  2 of 2 times', failing.stdout);
  assert.equal(failing.status, 1);
  const fine = runner('--repeat', '2', 'pass.test');
  assert.equal(closing(fine.stdout), 'Nothing failed in 2 repetitions');
  assert.equal(fine.status, 0);
  assert.match(runner('--repeat', 'often').stderr, /--repeat needs a whole number/);
  assert.match(runner('--repeats').stderr, /unknown option --repeats/);
});

test('runs npm scripts next to the tests, and fails with one of them', () => {
  const fine = runner('pass.test', '--with=fine');
  assert.match(fine.stdout, /^✓ npm run fine {2}/m);
  assert.deepEqual([closing(fine.stdout), fine.status], ['1 passed, 0 failed, 0 skipped', 0]);
  const unclean = runner('pass.test', '--with=unclean,fine');
  assert.match(unclean.stdout, /^✗ npm run unclean {2}[^]*a fault in line 7[^]*✓ npm run fine/m);
  assert.deepEqual([closing(unclean.stdout), unclean.status], ['1 passed, 1 failed, 0 skipped', 1]);
});
