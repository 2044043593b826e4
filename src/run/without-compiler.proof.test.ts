import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';

const playwright = createRequire(createRequire(import.meta.url).resolve('@playwright/test/cli'));
const paths = ['playwright/lib/runner', 'playwright/lib/transform/babelBundle'].map((name) =>
  playwright.resolve(name),
);

/**
 * Loads Playwright's runner, then compiles a line twice. Prints how often the compiler's file was loaded
 * before and after.
 */
const SCRIPT = `
  const [runner, compiler] = ${JSON.stringify(paths)};
  const extensions = require('node:module')._extensions;
  const load = extensions['.js'];
  let times = 0;
  extensions['.js'] = (module, file) => {
    if (file === compiler) times += 1;
    return load(module, file);
  };
  require(runner);
  const before = times;
  const compiled = () => require(compiler).babelTransform('const one: number = 1;', 'one.ts', true, [], true).code.split('\\n')[0];
  console.log(JSON.stringify({ before, codes: [compiled(), compiled()], after: times }));
`;

const outputOf = (switches: readonly string[]): unknown => {
  const { stdout, stderr } = spawnSync(process.execPath, [...switches, '-e', SCRIPT], { encoding: 'utf8' });
  assert.equal(stderr, '');
  return JSON.parse(stdout);
};

test('Playwright starts without its compiler, and loads it once where something is compiled', () => {
  const codes = ['const one = 1;', 'const one = 1;'];
  assert.deepEqual(outputOf([]), { before: 1, codes, after: 1 });
  const preload = join(import.meta.dirname, 'without-compiler.cjs');
  assert.deepEqual(outputOf(['--require', preload]), { before: 0, codes, after: 1 });
});
