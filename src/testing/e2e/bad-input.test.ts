import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADDRESS, expectUsage, testsBadInput, WITH_KEY, type BadInput } from './support/bad-input.js';
import { petstore } from './support/command.js';
import { folder } from './support/folder.js';
import { reference } from './support/targets.js';

/** Mistakes in commands and options. */

const CASES: readonly BadInput[] = [
  {
    title: 'a literal key for init',
    words: ['init', ...WITH_KEY],
    says: /--key free needs a variable or a file/,
    helps: /free=file:PATH/,
  },
  {
    title: 'an unknown target for doctor',
    words: ['doctor', '--target', 'stagin'],
    says: /no target/,
    helps: /./,
  },
  ...(
    [
      ['--profile', 'burst'],
      ['--requirement', 'rate-429'],
      ['--only', 'suites'],
      ['--include', 'ban'],
      ['--replay', '7:1'],
    ] as const
  ).map(([name, value]) => ({
    title: `--quick with ${name}`,
    words: ['run', ...WITH_KEY, '--quick', name, value],
    says: new RegExp(`^usage +--quick and ${name}`),
    helps: /Leave out one of them/,
  })),
  { title: 'no command', words: [], says: /^usage +Name a command/, helps: /--help/ },
  {
    title: 'an unknown command',
    words: ['runn'],
    says: /^usage +There is no command "runn"/,
    helps: /Did you mean run\?/,
  },
  {
    title: 'an unexpected argument',
    words: ['run', 'staging'],
    says: /Unexpected argument "staging"/,
    helps: /--help/,
  },
  {
    title: 'an unknown option',
    words: ['run', '--bas-url', ADDRESS],
    says: /^usage +There is no option --bas-url\./,
    helps: /Did you mean --base-url\?/,
  },
  {
    title: 'an option without its value',
    words: ['run', '--target'],
    says: /--target takes a value/,
    helps: /--help/,
  },
  {
    title: 'a repeated option',
    words: ['run', '--only', 'load', '--only', 'load'],
    says: /--only is given twice/,
    helps: /once/,
  },
  {
    title: 'a wrong choice',
    words: ['run', '--only', 'suite'],
    says: /--only takes one of "suites", "load"/,
    helps: /Did you mean suites\?/,
  },
  {
    title: 'an invalid date',
    words: ['run', '--as-of', '2031-02-30'],
    says: /--as-of takes a date/,
    helps: /YYYY-MM-DD/,
  },
  ...(
    [
      [['--explore', '0'], /--explore takes a number of requests from 1, not "0"/],
      [['--explore=-1'], /--explore takes a number of requests from 1/],
      [['--explore', '1e9'], /not "1e9"/],
      [['--explore', '5000'], /exceeds the day of the free plan \(1000\)/],
      [['--explore', '--seed', 'seven'], /--seed takes a whole number/],
      [['--seed', '7'], /--seed needs --explore/],
      [['--replay', '7'], /--replay takes SEED:PATH, not "7"/],
      [['--replay', '7:x'], /--replay takes SEED:PATH/],
      [['--replay', '7:1', '--seed', '7'], /--replay already contains the seed/],
      [['--explore', '--explore-animals', 'many'], /--explore-animals takes a number of animals/],
      [['--explore', '10', '--only', 'load'], /Exploring needs the suites, but --only load leaves them out/],
      [['--explore', '10', '--profile', 'burst'], /--profile leaves them out/],
      [['--profile', 'explore', '--only', 'load'], /--only load leaves them out/],
    ] as const
  ).map(([words, says]) => ({
    title: `exploring: ${words.join(' ')}`,
    words: ['run', ...WITH_KEY, ...words],
    says,
    helps: /./,
  })),
  {
    title: 'an unmatched requirement',
    words: ['run', '--requirement', 'list-okk'],
    says: /No requirement matches "list-okk"/,
    helps: /nearest id is list-ok\./,
  },
  {
    title: 'an unmatched pattern',
    words: ['run', '--requirement', 'list-limt-*'],
    says: /No requirement matches "list-limt-\*"/,
    helps: /nearest id is list-limit-/,
  },
  {
    title: 'an unknown profile',
    words: ['run', '--profile', 'bust'],
    says: /no profile "bust"/,
    helps: /Did you mean burst\?/,
  },
  {
    title: 'a part in place of a profile',
    words: ['run', '--profile', 'suites'],
    says: /no profile "suites"/,
    helps: /Use --only suites\./,
  },
  {
    title: 'an empty selection',
    words: ['run', '--only', 'load', '--requirement', 'list-ok'],
    says: /contains no requirement/,
    helps: /--only/,
  },
  {
    title: 'a selection of plans without a key',
    words: ['run', ...WITH_KEY, '--plan', 'pro'],
    says: /There is no key for pro/,
    helps: /given for: free/,
  },
  {
    title: '--last-failed without an earlier run',
    words: ['run', '--last-failed'],
    says: /no earlier run of embedded/,
    helps: /without --last-failed/,
  },
  {
    title: 'an unknown requirement id',
    words: ['requirements', 'list-okk'],
    says: /^usage +There is no requirement "list-okk"\./m,
    helps: /Did you mean list-ok\?/,
  },
  {
    title: 'an unknown flaw',
    words: ['serve', '--flaw', 'limit-one-to-many'],
    says: /no flaw "limit-one-to-many"/,
    helps: /Did you mean limit-one-too-many\?/,
  },
  {
    title: 'an unknown variant',
    words: ['serve', '--variant', 'gzipp'],
    says: /no variant "gzipp"/,
    helps: /what to do/,
  },
  {
    title: 'selftest of an unknown server',
    words: ['selftest', '--server', 'limit-one-to-many'],
    says: /no flaw, variant or client "limit-one-to-many"/,
    helps: /serve --list/,
  },
  {
    title: 'selftest of a server in the other half',
    words: ['selftest', '--server', 'limit-one-too-many', '--half', 'load'],
    says: /None of the named servers .* load/,
    helps: /--half/,
  },
  {
    title: 'an empty label',
    words: ['run', ...WITH_KEY, '--label', ' '],
    says: /--label takes the name of a build/,
    helps: /Nothing was sent/,
  },
  {
    title: 'a label with two lines',
    words: ['run', ...WITH_KEY, '--label', '2.4.1\nand more'],
    says: /--label takes the name of a build: one line/,
    helps: /--label 2\.4\.1/,
  },
  {
    title: 'two labels',
    words: ['run', ...WITH_KEY, '--label', 'a', '--label', 'b'],
    says: /--label is given twice/,
    helps: /once/,
  },
  {
    title: 'an invalid port',
    words: ['serve', '--port', '65536'],
    says: /--port takes a whole number/,
    helps: /--help/,
  },
  {
    title: 'a window of 0 s',
    words: ['serve', '--minute', '0'],
    says: /--minute takes a number of seconds/,
    helps: /--help/,
  },
];

for (const each of CASES) testsBadInput(each);

test('a port in use', async (t) => {
  const { port } = new URL((await reference(t)).baseUrl);
  const ended = await petstore(['serve', '--port', port], { cwd: folder(t) });
  expectUsage(ended, new RegExp(`Port ${port} is in use`), /--port/);
});

test('--verbose prints the stack trace', async (t) => {
  const { code, stderr } = await petstore(['run', '--target', 'stagin', '--verbose'], { cwd: folder(t) });
  assert.equal(code, 2);
  assert.match(stderr, /^ {4}at /m);
});

test('--help and --version exit with 0', async (t) => {
  const cwd = folder(t);
  const help = await petstore(['--help'], { cwd });
  assert.equal(help.code, 0);
  for (const command of ['run', 'serve', 'requirements', 'report', 'compare', 'history', 'verify'])
    assert.match(help.stdout, new RegExp(`^ {2}${command}\\b`, 'm'));
  const { code, stdout } = await petstore(['--version'], { cwd });
  assert.equal(code, 0);
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
});
