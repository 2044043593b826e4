import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandLine } from './command-line.js';
import { parseWords } from './parse-words.js';

for (const [words, message, hint] of [
  [[], 'Name a command.', /See petstore-conformance --help/],
  [['rnu'], 'There is no command "rnu".', /Did you mean run\?/],
  [['explain', 'list-ok'], 'There is no command "explain".', /^See petstore-conformance --help/],
  [['run', '--tagret', 'x'], 'There is no option --tagret.', /Did you mean --target\?/],
  [['run', '--foo'], 'There is no option --foo.', /^See/],
  [['run', '--lst'], 'There is no option --lst.', /^See/],
  [['serve', '--lst'], 'There is no option --lst.', /Did you mean --list\?/],
  [['init', '--name', 'x'], 'init does not take --name.', /petstore-conformance init --help/],
  [['load', '--slice', '1/4'], 'load no longer takes --slice.', /--workers N.*--agents N/],
  [
    ['load', '--start-at', 'noon'],
    'load no longer takes --start-at.',
    /start the command then.*--workers N.*--agents N/,
  ],
  [['load', '--slice=1/4', '--start-at', 'noon'], 'load no longer takes --slice.', /--workers N/],
  [['run', '--slice', '1/4'], 'There is no option --slice.', /See petstore-conformance run --help/],
  [['merge'], 'The command merge no longer exists.', /--workers N.*--agents N/],
  [['merge', 'parts', 'load'], 'The command merge no longer exists.', /merge the parts themselves/],
  [['merge', '--help'], 'The command merge no longer exists.', /docs\/scale\.md/],
  [['run', '-q'], 'There is no option -q.', /See petstore-conformance run --help/],
  [['run', 'x'], 'Unexpected argument "x".', /^See/],
  [['run', 'mine.yaml'], 'Unexpected argument "mine.yaml".', /^Write it as --target mine\.yaml\. See/],
  [
    ['load', 'mine.yaml'],
    'Unexpected argument "mine.yaml".',
    /^Write it as --target mine\.yaml or --scenario mine\.yaml\. See/,
  ],
  [['doctor', 'mine.yml'], 'Unexpected argument "mine.yml".', /^Write it as --target mine\.yml\. See/],
  [
    ['run', 'http://h/v1'],
    'Unexpected argument "http://h/v1".',
    /^Write an address as --base-url ADDRESS\. See/,
  ],
  // What follows may be the key.
  [
    ['run', '--key', 'free', 'pk-9c41-secret'],
    '--key free lacks its key.',
    /^Write --key free='\$\{PETSTORE_FREE_KEY\}'/,
  ],
  [['load', '--key', 'pro'], '--key pro lacks its key.', /with "=" and no blank/],
  [
    ['init', '--plan', 'pk-9c41-secret'],
    '--plan takes one of "free", "pro", "business", "enterprise", "sacrificial", not "…".',
    /See/,
  ],
  [['compare', 'x'], 'compare lacks <after>.', /See petstore-conformance compare --help/],
  [['run', '--label'], '--label takes a value.', /See/],
  [['run', '--dry-run', '--label', '--certify'], '--label takes a value.', /See/],
  [['run', '--report-dir='], '--report-dir is empty.', /variable of the shell may be unset/],
  [['run', '--requirement', 'list-ok', '--requirement', ''], '--requirement is empty.', /Give it a value/],
  [['run', '--only', 'sutes'], '--only takes one of "suites", "load", not "sutes".', /mean suites\?/],
  [['run', '--only', 'load', '--only', 'load'], '--only is given twice.', /Give it once/],
  [['serve', '--port', 'x'], '--port takes a whole number from 0 to 65535.', /See/],
] as const)
  test(`"${words.join(' ')}" fails with: ${message}`, () => {
    assert.throws(
      () => parseWords(words),
      (error: { message: string; hint: string }) => {
        assert.equal(error.message, message);
        assert.match(error.hint, hint);
        return true;
      },
    );
  });

test('--help without a command shows the overview', () => {
  const kinds = [['--help'], ['run', '--help'], ['--help', 'run'], ['--version']].map(
    (words) => parseWords(words).kind,
  );
  assert.deepEqual(kinds, ['overview', 'help', 'help', 'version']);
});

const lineOf = (name: Parameters<typeof commandLine>[0], ...words: readonly string[]): string => {
  const asked = parseWords([name, ...words]);
  return asked.kind === 'run' ? commandLine(name, asked.args) : asked.kind;
};

test('the reproduce command keeps the given options, without keys and irrelevant options', () => {
  assert.equal(
    lineOf(
      'run',
      '--certify',
      '--key',
      'free=secret',
      '--explore',
      '--base-url',
      'http://a/v1',
      '--requirement',
      'a-*',
    ),
    "petstore-conformance run --base-url http://a/v1 --key 'free=${PETSTORE_FREE_KEY}' --requirement 'a-*' --explore --certify",
  );
  assert.equal(lineOf('run', '--dry-run', '--verbose', '--label', 'x'), 'petstore-conformance run');
  assert.equal(
    lineOf('load', '--wait', '30', '--agents', '2', '--redis', 'redis://:word@h'),
    "petstore-conformance load --agents 2 --redis '${PETSTORE_REDIS_URL}'",
  );
  assert.equal(
    lineOf('client', '--name', 'mine', '--scenario', 'calm', '--', 'npm', 'run', 'a test'),
    "petstore-conformance client --scenario calm -- npm run 'a test'",
  );
  assert.equal(
    lineOf('judge', 'my traffic.har', 'b.har', '--side', 'client', '--base-url', 'http://a/v1'),
    "petstore-conformance judge 'my traffic.har' b.har --side client --base-url http://a/v1",
  );
  assert.equal(
    lineOf('proxy', '--port', '0', '--base-url', 'http://a/v1'),
    'petstore-conformance proxy --base-url http://a/v1',
  );
});
