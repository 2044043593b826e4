import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { COMMANDS } from './command-table.js';
import { helpOf, overview } from './help.js';
import { runProfiles } from '../../base/interface/names.js';

test('the overview fits 80 columns and lists every command', () => {
  const lines = overview();
  for (const text of lines) assert.doesNotMatch(text, /\n/);
  for (const text of lines.filter((one) => !one.includes('--base-url'))) assert.ok(text.length <= 80, text);
  for (const name of COMMANDS.keys())
    assert.ok(
      lines.some((text) => text.startsWith(`  ${name} `)),
      name,
    );
});

test('the help of "run" names every load profile and groups every option', async () => {
  const help = (await helpOf('run', 80)).replaceAll(/\s+/g, ' ');
  for (const profile of runProfiles) assert.match(help, new RegExp(`\\b${profile}\\b`));
  assert.doesNotMatch(help, /\bOptions:/);
});

test('each example is one line, to be pasted', async () => {
  for (const [name, { examples = [] }] of COMMANDS) {
    const lines = (await helpOf(name, 80)).split('\n');
    for (const [command] of examples)
      assert.ok(
        lines.some((text) => text.endsWith(` ${command}`)),
        command,
      );
  }
});

test('help is in one language, whatever the language of the user', () => {
  const start = new URL('start.cjs', import.meta.url).pathname;
  const helpIn = (language: string): string =>
    spawnSync(process.execPath, [start, 'requirements', '--help'], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: language, LANG: language, LANGUAGE: language },
    }).stdout;
  const english = helpIn('en_US.UTF-8');
  assert.match(english, /Show help/);
  for (const language of ['de_DE.UTF-8', 'ja_JP.UTF-8', 'fr_FR.UTF-8'])
    assert.equal(helpIn(language), english);
});
