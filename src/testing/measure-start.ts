import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../base/kernel/package.js';
import { startReference } from '../reference/index.js';
import { median, scratch } from './measure.js';

/** Time of a command with all its processes, ms. */
interface Taken {
  readonly wall: number;
  readonly processor: number;
}

/** Seconds of `1m2.5s`, as the shell's `times` prints them. */
const secondsOf = (text: string): number => {
  const [, minutes, seconds] = /(\d+)m([\d.]+)s/.exec(text) ?? [];
  return Number(minutes) * 60 + Number(seconds);
};

/** Runs a command in a shell, which counts the processor time of all processes that it waited for. */
async function taken(words: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Taken> {
  const startedAt = performance.now();
  const shell = spawn('sh', ['-c', '"$@" >&2 || exit 1; times', 'sh', ...words], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  shell.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  shell.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const code = await new Promise((resolve) => shell.on('close', resolve));
  if (code !== 0) throw new Error(`${words.join(' ')} failed:\n${errors}`);
  const [, ofChildren = ''] = output.trim().split('\n');
  const processor = ofChildren.split(' ').reduce((sum, text) => sum + secondsOf(text), 0);
  return { wall: performance.now() - startedAt, processor: processor * 1000 };
}

/** Runs in turn with an empty one: enough for a median next to other work. */
const TURNS = 5;

/**
 * Compares a run of one requirement with an empty Playwright run: the fixed cost of each start. They take
 * turns, so that other work of the machine slows both.
 */
export async function measureStart() {
  using folder = scratch(join(packageRoot(), 'test-results-bench-'));
  const { cwd } = folder;
  writeFileSync(
    join(cwd, 'empty.spec.js'),
    "import { test } from '@playwright/test';\ntest('empty', () => {});\n",
  );
  writeFileSync(join(cwd, 'playwright.config.js'), "export default { reporter: 'line', workers: 1 };\n");
  await using server = await startReference();
  const playwright = join(packageRoot(), 'node_modules/@playwright/test/cli.js');
  const kit = join(packageRoot(), 'dist/src/app/cli/start.cjs');
  const run = ['run', '--base-url', server.baseUrl, '--key', 'business=${KEY}', '--requirement', 'list-ok'];
  const [empty, one]: [Taken[], Taken[]] = [[], []];
  for (let turn = 0; turn < TURNS; turn += 1) {
    empty.push(await taken([process.execPath, playwright, 'test'], cwd));
    const reports = ['--report-dir', join(cwd, `run-${turn}`), '--reporter', 'quiet'];
    one.push(await taken([process.execPath, kit, ...run, ...reports], cwd, { KEY: server.keys.business }));
  }
  const ratio = (part: keyof Taken): number =>
    median(one.map((each) => each[part])) / median(empty.map((each) => each[part]));
  return { byClock: ratio('wall'), byProcessor: ratio('processor') };
}
