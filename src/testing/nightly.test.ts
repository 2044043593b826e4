import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { inShell } from './e2e/support/command.js';
import { folder } from './e2e/support/folder.js';
import { packageRoot } from '../contract/package.js';

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
