import assert from 'node:assert/strict';
import { test } from 'node:test';
import yargs from 'yargs';
import { runProfiles } from '../contract/profile-names.js';
import { asksForOverview, COMMANDS, overview } from './help.js';
import { runCommandOptions } from './run-options.js';

test('the overview fits a terminal and names every command under what somebody wants', () => {
  const lines = overview().flatMap((text) => text.split('\n'));
  for (const text of lines.filter((one) => !one.includes('--base-url'))) assert.ok(text.length <= 80, text);
  for (const name of COMMANDS)
    assert.ok(
      lines.some((text) => text.startsWith(`  ${name} `)),
      name,
    );
});

test('the overview is for those who name no command', () => {
  assert.deepEqual([['--help'], ['run', '--help'], ['--help', 'run'], ['--version'], []].map(asksForOverview), [
    true,
    false,
    false,
    false,
    false,
  ]);
});

test('the help of run names every load profile, and every option stands in a group', async () => {
  const help = (await runCommandOptions(yargs([]).option('verbose', { type: 'boolean' })).getHelp()).replaceAll(
    /\s+/g,
    ' ',
  );
  for (const profile of runProfiles) assert.match(help, new RegExp(`\\b${profile}\\b`));
  assert.doesNotMatch(help, /\bOptions:/);
});
