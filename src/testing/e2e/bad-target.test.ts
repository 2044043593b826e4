import { ADDRESS, testsBadInput, WITH_KEY, type BadInput } from './support/bad-input.js';

/** Mistakes in the choice of a target, its file or its address. */

const target = (...lines: readonly string[]) => ({ 'target.yaml': `${lines.join('\n')}\n` });
const GOOD = ['name: some', `baseUrl: ${ADDRESS}`, 'keys:', '  free: ${KEY_OF_TEST}'];
const env = { KEY_OF_TEST: 'some-key-of-a-test' };
const run = ['run', '--target', 'target.yaml'];

const CASES: readonly BadInput[] = [
  {
    title: 'two targets',
    words: ['run', '--target', 'embedded', ...WITH_KEY],
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
];

for (const each of CASES) testsBadInput(each);
