import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { exampleResults } from '../../report/example-run.test.support.js';
import { resultsJson } from '../../report/machine/results-json.js';
import { petstore, petstoreHere, type Ended } from './support/command.js';
import { folder } from './support/folder.js';
import { reference } from './support/targets.js';

/** Mistakes before the first request: one sentence, the remedy, exit code 2, no stack. */

const ADDRESS = 'http://127.0.0.1:9/v1';
const withKey = ['--base-url', ADDRESS, '--key', 'free=some-key-of-a-test'];

interface Case {
  readonly title: string;
  readonly words: readonly string[];
  /** First line: the usage or configuration error. */
  readonly says: RegExp;
  /** The remedy. */
  readonly helps: RegExp;
  /** Files in the folder. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

const target = (...lines: readonly string[]) => ({ 'target.yaml': `${lines.join('\n')}\n` });
const GOOD = ['name: some', `baseUrl: ${ADDRESS}`, 'keys:', '  free: ${KEY_OF_TEST}'];
const env = { KEY_OF_TEST: 'some-key-of-a-test' };
const run = ['run', '--target', 'target.yaml'];

const SOME_RESULTS = resultsJson(exampleResults());

const CASES: readonly Case[] = [
  {
    title: 'a literal key for init',
    words: ['init', ...withKey],
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
    words: ['run', ...withKey, '--quick', name, value],
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
    words: ['run', ...withKey, ...words],
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
    title: 'an empty selection',
    words: ['run', '--only', 'load', '--requirement', 'list-ok'],
    says: /contains no requirement/,
    helps: /--only/,
  },
  {
    title: 'a selection of plans without a key',
    words: ['run', ...withKey, '--plan', 'pro'],
    says: /There is no key for pro/,
    helps: /given for: free/,
  },
  {
    title: 'two targets',
    words: ['run', '--target', 'embedded', ...withKey],
    says: /both name a target/,
    helps: /one of them/,
  },
  {
    title: 'a key without an address',
    words: ['run', '--key', 'free=abc'],
    says: /--key works only with --base-url/,
    helps: /--base-url/,
  },
  {
    title: 'an address without a key',
    words: ['run', '--base-url', ADDRESS],
    says: /^configuration +No plan has a key/,
    helps: /free, pro/,
  },
  {
    title: 'a key for an unknown plan',
    words: ['run', '--base-url', ADDRESS, '--key', 'fre=abc'],
    says: /--key has an unknown plan/,
    helps: /did you mean +free/,
  },
  {
    title: 'an invalid base URL',
    words: ['run', '--base-url', 'staging', '--key', 'free=abc'],
    says: /^configuration +The base address is not a URL/,
    helps: /https:\/\//,
  },
  {
    title: 'another scheme',
    words: ['run', '--base-url', 'ftp://127.0.0.1/v1', '--key', 'free=abc'],
    says: /neither http nor https/,
    helps: /https:\/\//,
  },
  {
    title: '--last-failed without an earlier run',
    words: ['run', '--last-failed'],
    says: /no earlier run of embedded/,
    helps: /without --last-failed/,
  },
  {
    title: 'an unknown target',
    words: ['run', '--target', 'stagin'],
    says: /no target or file "stagin"/,
    helps: /did you mean +staging/,
  },
  {
    title: 'a missing target file',
    words: ['run', '--target', 'missing.yaml'],
    says: /missing\.yaml: The file cannot be read/,
    helps: /Give a file/,
  },
  {
    title: 'a folder instead of a target file',
    words: ['run', '--target', './folder'],
    files: { 'folder/file': '' },
    says: /cannot be read/,
    helps: /Give a file/,
  },
  {
    title: 'a missing environment variable',
    words: ['run', '--target', 'staging'],
    says: /staging\.yaml:\d+: The environment variable PETSTORE_STAGING_URL is not set/,
    helps: /Set PETSTORE_STAGING_URL/,
  },
  {
    title: 'invalid YAML',
    words: run,
    files: target('name: [', 'baseUrl: x'),
    says: /target\.yaml:\d+: /,
    helps: /what to do/,
  },
  {
    title: 'an unknown name in a target file',
    words: run,
    files: target(...GOOD, 'window: { minute: 60 }'),
    env,
    says: /^configuration +target\.yaml:5: .*"window"/,
    helps: /did you mean +windows/,
  },
  {
    title: 'an unknown plan in a target file',
    words: run,
    files: target(...GOOD, '  prof: abc'),
    env,
    says: /target\.yaml:5: .*"prof"/,
    helps: /did you mean +pro/,
  },
  {
    title: 'a wrong type',
    words: run,
    files: target(...GOOD, 'writes: perhaps'),
    env,
    says: /target\.yaml:5: /,
    helps: /expected/,
  },
  {
    title: 'an unreadable certificate authority',
    words: run,
    files: target(...GOOD, 'http: { ca: ./none.pem }'),
    env,
    says: /target\.yaml:5: The file in "http\.ca"/,
    helps: /what to do/,
  },
  {
    title: 'an unreadable baseline',
    words: ['run', '--baseline', 'none.yaml'],
    says: /none\.yaml: The file cannot be read/,
    helps: /baseline/,
  },
  {
    title: 'a report folder below a file',
    words: ['run', '--report-dir', 'file/run'],
    files: { file: '' },
    says: /The report folder file\/run cannot be created/,
    helps: /--report-dir/,
  },
  {
    title: 'a report folder in a read-only place',
    words: ['run', '--report-dir', '/proc/none/run'],
    says: /cannot be created/,
    helps: /--report-dir/,
  },
  {
    title: 'a report folder with another run',
    words: ['run', '--report-dir', 'old'],
    files: { 'old/log.ndjson': '' },
    says: /holds the log of another run/,
    helps: /new folder/,
  },
  {
    title: 'an unknown requirement id',
    words: ['requirements', 'list-okk'],
    says: /^usage +There is no requirement "list-okk"\./m,
    helps: /Did you mean list-ok\?/,
  },
  {
    title: 'a missing log',
    words: ['report', 'nowhere'],
    says: /^usage +nowhere cannot be read \(the file does not exist\)/,
    helps: /run’s folder or file/,
  },
  {
    title: 'an invalid log',
    words: ['report', 'log.ndjson'],
    files: { 'log.ndjson': 'hello\nworld\n' },
    says: /^usage +log\.ndjson: /,
    helps: /run’s folder or file/,
  },
  { title: 'report without a path', words: ['report'], says: /report lacks <path>/, helps: /report --help/ },
  {
    title: 'compare with missing runs',
    words: ['compare', 'a', 'b'],
    says: /no results at a/,
    helps: /results\.json/,
  },
  {
    title: 'invalid results',
    words: ['compare', 'a.json', 'a.json'],
    files: { 'a.json': '{}' },
    says: /^usage +/,
    helps: /run’s folder or file/,
  },
  {
    title: 'compare with a missing output folder',
    words: ['compare', 'a.json', 'a.json', '--out', 'nowhere/changes'],
    files: { 'a.json': SOME_RESULTS },
    says: /nowhere\/changes\.html cannot be written/,
    helps: /folder that you can write to/,
  },
  {
    title: 'baseline create for a missing run',
    words: ['baseline', 'create', 'nowhere'],
    says: /no results at nowhere/,
    helps: /results\.json/,
  },
  {
    title: 'an unknown subcommand of baseline',
    words: ['baseline', 'craete', 'a.json'],
    says: /There is no command "baseline craete"/,
    helps: /Did you mean baseline create\?/,
  },
  {
    title: 'baseline create with an invalid date',
    words: ['baseline', 'create', 'a.json', '--expires', '2031-02-30'],
    files: { 'a.json': SOME_RESULTS },
    says: /--expires takes a day from today on, not "2031-02-30"/,
    helps: /Nothing was written/,
  },
  {
    title: 'history of a missing folder',
    words: ['history', 'nowhere'],
    says: /nowhere is not a folder/,
    helps: /reports/,
  },
  {
    title: 'a missing certificate',
    words: ['verify', 'none.json'],
    says: /none\.json: The file cannot be read/,
    helps: /certificate\.json/,
  },
  {
    title: 'an invalid certificate',
    words: ['verify', 'a.json'],
    files: { 'a.json': '{}' },
    says: /a\.json/,
    helps: /what to do/,
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
    words: ['run', ...withKey, '--label', ' '],
    says: /--label takes the name of a build/,
    helps: /Nothing was sent/,
  },
  {
    title: 'a label with two lines',
    words: ['run', ...withKey, '--label', '2.4.1\nand more'],
    says: /--label takes the name of a build: one line/,
    helps: /--label 2\.4\.1/,
  },
  {
    title: 'two labels',
    words: ['run', ...withKey, '--label', 'a', '--label', 'b'],
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

function expectUsage({ code, stdout, stderr }: Ended, says: RegExp, helps: RegExp): void {
  assert.equal(code, 2, stdout + stderr);
  assert.match(stderr, /^(usage|configuration) /);
  assert.match(stderr.split('\n')[0] ?? '', says);
  assert.match(stderr, helps);
  assert.match(stderr, /^what to do +\S/m);
  assert.match(stderr, /^code +[\w-]+$/m);
  assert.doesNotMatch(stderr, /^ {4}at /m);
  // A comparison is printed before the write fails, so that nothing is lost.
  if (!says.source.includes('cannot be written')) assert.equal(stdout, '');
}

/** Kind of error; one case of each also runs in a separate process, whose main file is that of all commands. */
const kindOf = ({ stderr }: Ended): string => stderr.split(' ', 1)[0] ?? '';
const started = new Set<string>();

for (const { title, words, says, helps, files = {}, env: variables = {} } of CASES)
  test(title, async (t) => {
    const cwd = folder(t);
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(cwd, name, '..'), { recursive: true });
      writeFileSync(join(cwd, name), text);
    }
    const ended = await petstoreHere(words, { cwd, env: variables });
    expectUsage(ended, says, helps);
    const kind = kindOf(ended);
    if (started.has(kind)) return;
    started.add(kind);
    assert.deepEqual(await petstore(words, { cwd, env: variables }), ended);
  });

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
