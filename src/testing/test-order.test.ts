import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { SECONDS } from './test-files.js';
import {
  changedSources,
  failedLast,
  fillsIdleCores,
  memoryOf,
  mostUrgentFirst,
  mostUrgentGroups,
  rememberFailed,
  urgencyOf,
  type Urgent,
} from './test-order.js';

const place = mkdtempSync(join(tmpdir(), 'petstore-order-'));
after(() => rmSync(place, { recursive: true, force: true }));

const LONGEST = `src/testing/${Object.keys(SECONDS).find((name) => !name.endsWith('.proof'))}.test.js`;
const URGENT: Urgent = {
  failed: new Set(['src/run/lock.test.js']),
  changed: ['src/judge/limits/left.ts', 'src/report/pages/page.test.tsx', 'README.md'],
};
const urgency = (name: string): number => urgencyOf(name, URGENT);

test('what failed last starts first, then what the change touches, then the longest, then proofs', () => {
  const files = [
    LONGEST.replace('.test', '.proof.test'),
    'src/judge/limits/left.proof.test.js',
    'src/log/a.test.js',
    LONGEST,
    'src/judge/limits/left.test.js',
    'src/report/pages/page.test.js',
    'src/run/lock.test.js',
  ];
  assert.deepEqual(mostUrgentFirst(files, urgency), [
    'src/run/lock.test.js',
    'src/report/pages/page.test.js',
    'src/judge/limits/left.proof.test.js',
    'src/judge/limits/left.test.js',
    LONGEST,
    'src/log/a.test.js',
    LONGEST.replace('.test', '.proof.test'),
  ]);
  assert.deepEqual(
    mostUrgentGroups(
      [['src/log/a.test.js'], [LONGEST], ['src/log/b.test.js', 'src/run/lock.test.js']],
      urgency,
    ),
    [['src/log/b.test.js', 'src/run/lock.test.js'], [LONGEST], ['src/log/a.test.js']],
  );
});

test('only proofs that just compute, and that nothing makes urgent, fill idle cores', () => {
  const proof = 'src/drive/suite/suites.background.proof.test.js';
  assert.ok(fillsIdleCores([proof, 'src/testing/matrix.background.proof.test.js'], urgency));
  for (const other of [
    proof.replace('.proof', ''),
    proof.replace('.background', '.long'),
    proof.replace('drive/suite', 'judge/limits'),
  ])
    assert.ok(!fillsIdleCores([proof, other], urgency), other);
});

test('what failed is remembered until it passes, also if it did not run meanwhile', () => {
  const path = memoryOf('/kit/dist', { XDG_CACHE_HOME: join(place, 'cache') });
  assert.notEqual(path, memoryOf('/other/dist', { XDG_CACHE_HOME: join(place, 'cache') }));
  assert.deepEqual(failedLast(path), new Set());
  const run = (...ran: readonly (readonly [string, boolean])[]): readonly string[] => {
    rememberFailed(path, ran);
    return [...failedLast(path)];
  };
  assert.deepEqual(run(['a', true], ['b', true], ['c', false]), ['a', 'b']);
  assert.deepEqual(run(['b', false], ['c', true]), ['a', 'c']);
  assert.deepEqual(run(['a', false], ['c', false]), []);
  assert.ok(!existsSync(path));
  run(['a', true]);
  writeFileSync(path, 'no JSON');
  assert.deepEqual(failedLast(path), new Set());
});

test('a change is what is new since the main branch, or since the last commit there', () => {
  const folder = join(place, 'clone');
  mkdirSync(folder);
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.org', ...words], {
      cwd: folder,
      stdio: 'pipe',
    });
  const commit = (name: string): void => {
    writeFileSync(join(folder, name), '');
    git('add', '.');
    git('commit', '--message', name);
  };
  assert.deepEqual(changedSources(folder), []);
  git('init', '--initial-branch', 'main');
  commit('first.ts');
  assert.deepEqual(changedSources(folder), []);
  commit('second.ts');
  assert.deepEqual(changedSources(folder), ['second.ts']);
  git('checkout', '-b', 'branch');
  commit('third.ts');
  commit('fourth.ts');
  writeFileSync(join(folder, 'first.ts'), 'changed');
  writeFileSync(join(folder, 'new.ts'), '');
  assert.deepEqual(changedSources(folder), ['first.ts', 'fourth.ts', 'third.ts', 'new.ts']);
});
