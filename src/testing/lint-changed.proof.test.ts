import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../base/kernel/package.js';
import { startProcess } from './e2e/support/command.js';
import { folder } from './e2e/support/folder.js';

/** A fault that only types show. */
const FLOATING = 'export function later(): void {\n  Promise.resolve(1);\n}\n';

test('a change is linted with types, and what it does not touch without', async (t) => {
  const cwd = folder(t);
  const git = (...words: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...words], { cwd, encoding: 'utf8' });
  const lint = async (): Promise<string> => {
    const script = join(import.meta.dirname, 'lint-changed.js');
    const { code, stdout } = await startProcess(process.execPath, [script], { cwd }).ended;
    return code === 0 ? 'fine' : stdout;
  };
  for (const name of ['tsconfig.json', '.oxlintrc.json'])
    copyFileSync(join(packageRoot(), name), join(cwd, name));
  symlinkSync(join(packageRoot(), 'node_modules'), join(cwd, 'node_modules'));
  mkdirSync(join(cwd, 'src'));
  writeFileSync(join(cwd, '.gitignore'), 'node_modules\n');
  writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(join(cwd, 'src/old.ts'), FLOATING);
  git('init', '--quiet');
  for (const file of ['src/old.ts', '.']) {
    git('add', file);
    git('commit', '--quiet', '--message', file);
  }
  assert.equal(await lint(), 'fine');
  writeFileSync(join(cwd, 'src/new.ts'), FLOATING);
  assert.match(await lint(), /no-floating-promises[\s\S]*src\/new\.ts/);
});
