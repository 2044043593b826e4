import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { parse } from 'yaml';
import { inShell } from './e2e/support/command.js';
import { folder } from './e2e/support/folder.js';
import { reference } from './e2e/support/targets.js';
import { packageRoot } from '../base/kernel/package.js';

const directory = join(packageRoot(), 'docs/nightly');
const PROGRAM = 'npx --yes petstore-conformance@1';

/** Returns all lines that start the command, as a shell reads them. */
const commandsIn = (text: string): readonly string[] =>
  [...text.matchAll(/npx --yes petstore-conformance@1 [^\n]*/g)].map(([line]) =>
    line.replace(/'{3}\s*$|(?<=90)'$/, ''),
  );

const env = {
  PETSTORE_STAGING_URL: 'http://127.0.0.1:9/v1',
  PETSTORE_STAGING_FREE_KEY: 'some-key-of-a-test',
  BUILD: '7',
  CI_PIPELINE_ID: '7',
  CI_JOB_ID: '70',
  BUILD_NUMBER: '7',
};

for (const name of readdirSync(directory))
  test(`${name}: every command in it is valid, with and without a webhook`, async (t) => {
    const text = readFileSync(join(directory, name), 'utf8');
    if (name.endsWith('.yml')) assert.equal(typeof parse(text), 'object');
    const commands = commandsIn(text);
    assert.equal(commands.length, 2, 'a run and the history');
    assert.match(commands[0] ?? '', / run .* --label "\$/, 'a run says which build it judges');
    const cwd = folder(t);
    mkdirSync(join(cwd, 'reports'));
    for (const [at, command] of commands.entries()) {
      const line = `${command.replace(PROGRAM, 'petstore-conformance')} --dry-run`;
      const hook: Record<string, string> =
        at === 0 && name === 'Jenkinsfile' ? { WEBHOOK_URL: 'https://hooks.example.com/x' } : {};
      const ended = await inShell(line, { cwd, env: { ...env, ...hook } });
      assert.equal(ended.code, 0, `${command}\n${ended.stderr}`);
    }
  });

test('each recipe keeps the folder of the night and the history, and not all nights again', () => {
  for (const name of readdirSync(directory)) {
    const text = readFileSync(join(directory, name), 'utf8');
    const kept = /(?:upload-artifact|artifacts:|archiveArtifacts)[^]*$/.exec(text)?.[0] ?? '';
    assert.match(kept, /reports\/night-.*history\.html/s, name);
    assert.doesNotMatch(kept, /reports\/?(?:\*\*)?['\]]|path: reports$/m, name);
  }
});

/** Runs a line of a nightly file against a server, judging one requirement. */
async function night(
  t: TestContext,
  cwd: string,
  line: string,
  flaws: readonly string[],
  more: Record<string, string>,
) {
  const server = await reference(t, { flaws: [...flaws] });
  const served = { PETSTORE_STAGING_URL: server.baseUrl, PETSTORE_STAGING_FREE_KEY: server.keys.free };
  const judged = line.includes(' run ') ? `${line} --requirement list-ok` : line;
  const ended = await inShell(judged.replace(PROGRAM, 'petstore-conformance'), {
    cwd,
    env: { ...env, ...served, ...more },
  });
  await server.close();
  return ended;
}

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, string>>;
}

test('github.yml: a red night stays in the history', async (t) => {
  const file = parse(readFileSync(join(directory, 'github.yml'), 'utf8')) as {
    readonly jobs: { readonly staging: { readonly steps: readonly Step[] } };
  };
  const cached = folder(t);
  // As GitHub does: a step after a failed one runs only with always(), and actions/cache saves only after success.
  const judge = async (flaws: readonly string[], id: string): Promise<boolean> => {
    const cwd = folder(t);
    const reports = join(cwd, 'reports');
    let hasFailed = false;
    for (const step of file.jobs.staging.steps) {
      if (hasFailed && step.if !== 'always()') continue;
      const restores =
        step.uses?.startsWith('actions/cache/restore@') || step.uses?.startsWith('actions/cache@');
      if (restores && existsSync(join(cached, 'reports')))
        cpSync(join(cached, 'reports'), reports, { recursive: true });
      if (step.uses?.startsWith('actions/cache/save@')) {
        rmSync(join(cached, 'reports'), { recursive: true, force: true });
        cpSync(reports, join(cached, 'reports'), { recursive: true });
      }
      if (
        step.run !== undefined &&
        (await night(t, cwd, step.run, flaws, { GITHUB_RUN_ID: id, GITHUB_RUN_ATTEMPT: '1' })).code !== 0
      )
        hasFailed = true;
    }
    return !hasFailed;
  };
  assert.equal(await judge(['plain-listing-fails'], '71'), false);
  assert.equal(await judge([], '72'), true);
  const runs = readdirSync(join(cached, 'reports'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  assert.equal(runs.length, 2, 'the red night and the green one');
});

test('gitlab.yml: a retried job has a folder of its own beside that of the first try', async (t) => {
  const [line = ''] = commandsIn(readFileSync(join(directory, 'gitlab.yml'), 'utf8'));
  const cwd = folder(t);
  // The cache brings back the folder of the first try; a retry is another job of the same pipeline.
  const first = await night(t, cwd, line, ['plain-listing-fails'], { CI_JOB_ID: '70' });
  assert.equal(first.code, 1, first.stderr);
  const retry = await night(t, cwd, line, [], { CI_JOB_ID: '71' });
  assert.equal(retry.code, 0, retry.stderr);
  assert.equal(readdirSync(join(cwd, 'reports')).filter((name) => name.startsWith('night-')).length, 2);
});
