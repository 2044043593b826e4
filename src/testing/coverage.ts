import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { linesOf, markRun, type ScriptCoverage } from './covered-lines.js';

/**
 * Runs the tests with the words of the test runner, and prints how many built lines of each wing they ran, in
 * all of their processes and threads. A process that is killed reports nothing, or a part that is left out.
 */

const built = resolve(import.meta.dirname, '../..');
const isProduction = (name: string): boolean =>
  /^(?:src|suites)\/.*\.c?js$/.test(name) && !/^src\/testing\/|\.test\./.test(name);

const texts = new Map(
  readdirSync(built, { recursive: true, encoding: 'utf8' })
    .filter(isProduction)
    .toSorted()
    .map((name) => [name, readFileSync(join(built, name), 'utf8')]),
);
const runs = new Map([...texts].map(([name, text]) => [name, new Uint8Array(text.length)]));
const nameByUrl = new Map([...texts.keys()].map((name) => [pathToFileURL(join(built, name)).href, name]));

function scriptsIn(file: string): readonly ScriptCoverage[] {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { readonly result: readonly ScriptCoverage[] }).result;
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'petstore-coverage-'));
try {
  const { status } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'run-tests.js'), ...process.argv.slice(2)],
    { stdio: 'inherit', env: { ...process.env, NODE_V8_COVERAGE: folder } },
  );
  process.exitCode = status ?? 1;
  for (const file of readdirSync(folder))
    for (const script of scriptsIn(join(folder, file))) {
      // A file that is loaded twice has a query.
      const run = runs.get(nameByUrl.get(script.url.replace(/[?#].*$/, '')) ?? '');
      if (run !== undefined) markRun(run, script);
    }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const wings = new Map<string, { lines: number; covered: number }>();
for (const [name, text] of texts)
  for (const wing of [name.split('/').slice(0, -1).slice(0, 2).join('/'), 'all']) {
    const sum = wings.get(wing) ?? { lines: 0, covered: 0 };
    const { lines, covered } = linesOf(text, runs.get(name) ?? new Uint8Array());
    wings.set(wing, { lines: sum.lines + lines, covered: sum.covered + covered });
  }
const { all, ...each } = Object.fromEntries(wings);
for (const [wing, { lines, covered }] of [...Object.entries(each), ...(all ? [['all', all] as const] : [])])
  process.stdout.write(
    `${wing.padEnd(16)} ${covered} of ${lines} lines run, ${((100 * covered) / lines).toFixed(1)} %\n`,
  );
