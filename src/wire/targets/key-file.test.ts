import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import { parseTarget } from './load-target.js';
import { targetFromOptions } from './target-options.js';
import type { Target } from './target.js';
import { ConfigError } from '../../base/kernel/errors.js';

const CANARY = 'canary-3b70';
const folder = mkdtempSync(join(tmpdir(), 'petstore-key-file-'));
after(() => rmSync(folder, { recursive: true }));

/** Writes a file that only its owner may read. */
function keyFile(name: string, text: string, mode = 0o600): string {
  writeFileSync(join(folder, name), text);
  chmodSync(join(folder, name), mode);
  return name;
}

const parse = (keys: string, env: Record<string, string> = {}): Target =>
  parseTarget(`name: mine\nbaseUrl: https://pets.example/v1\nkeys: ${keys}\n`, join(folder, 'a.yaml'), env);

mkdirSync(join(folder, 'keys'));
keyFile('keys/free', `${CANARY}\n`);

const written: readonly [text: string, env?: Record<string, string>][] = [
  ['{ free: "file:./keys/free" }'],
  ['{ free: "file:keys/free" }'],
  ['\n  free: file:./keys/free'],
  ['{ free: { file: ./keys/free } }'],
  ['{ free: "file:${FOLDER}/free" }', { FOLDER: 'keys' }],
  ['{ free: { file: "${FOLDER}/free" } }', { FOLDER: 'keys' }],
  ['{ free: "${FREE}" }', { FREE: 'file:keys/free' }],
  [`{ free: { file: "${join(folder, 'keys/free')}" } }`],
];

for (const [text, env] of written)
  test(`keys: ${text.replace(folder, '').trim()} reads the file next to the target file`, () => {
    const target = parse(text, env);
    assert.equal(target.keys.free?.reveal(), CANARY);
    assert.equal(target.warnings, undefined);
  });

test('the sacrificial key can come from a file, with or without a plan', () => {
  keyFile('lamb', 'the-lamb');
  const plans = [
    'file:lamb',
    '{ file: lamb }',
    '{ file: lamb, plan: pro }',
    '{ key: file:lamb, plan: pro }',
  ].map((text) => parse(`\n  free: x\n  sacrificial: ${text}`).sacrificial);
  assert.deepEqual(
    plans.map((found) => [found?.key.reveal(), found?.plan]),
    [
      ['the-lamb', 'free'],
      ['the-lamb', 'free'],
      ['the-lamb', 'pro'],
      ['the-lamb', 'pro'],
    ],
  );
});

test('a file name from an unset variable gives no key', () => {
  assert.deepEqual(Object.keys(parse('{ free: x, pro: { file: "${GONE:-}" } }').keys), ['free']);
});

test('the line end is not part of the key, and links are followed', () => {
  keyFile('windows', `\uFEFF${CANARY}\r\n`);
  symlinkSync(join(folder, 'windows'), join(folder, 'link'));
  assert.equal(parse('{ free: file:link }').keys.free?.reveal(), CANARY);
});

test('--key can name a key file', () => {
  const { keys } = targetFromOptions({
    baseUrl: 'http://127.0.0.1/v1',
    keys: [`free=file:${join(folder, 'keys/free')}`],
    env: {},
  });
  assert.equal(keys.free?.reveal(), CANARY);
  assert.throws(
    () => targetFromOptions({ baseUrl: 'http://127.0.0.1/v1', keys: ['pro=file:gone'], env: {} }),
    {
      code: 'key-file',
      message: 'The file of --key pro cannot be read (the file does not exist).',
    },
  );
});

test('a world-readable key file is read with a warning that does not contain the key', () => {
  keyFile('open', CANARY, 0o644);
  const target = parse(`{ free: file:open, pro: file:${keyFile('two', 'two')} }`);
  assert.equal(target.keys.free?.reveal(), CANARY);
  assert.equal(target.warnings?.length, 1);
  assert.match(target.warnings[0] ?? '', /^the file of "keys\.free" is readable by every user/);
});

keyFile('empty', '');
keyFile('blank', '\n');
keyFile('two-lines', `${CANARY}\nanother`);
keyFile('comment', `# the key\n${CANARY}\n`);
keyFile('large', CANARY.repeat(1000));
keyFile('binary', '\0'.repeat(20));
keyFile('blanks', ` ${CANARY} \n`);
spawnSync('mkfifo', [join(folder, 'pipe')]);

const faults: readonly [title: string, keys: string, code: string, message: RegExp][] = [
  [
    'that does not exist',
    '{ free: file:gone }',
    'key-file',
    /"keys\.free" cannot be read \(the file does not exist\)/,
  ],
  ['below a file', '{ free: file:empty/key }', 'key-file', /a part of its path is not a folder/],
  ['without a path', '{ free: "file:" }', 'key-file', /is not named/],
  ['that is a folder', '{ free: file:keys }', 'key-file', /is a folder/],
  ['that is a pipe', '{ free: file:pipe }', 'key-file', /is a pipe/],
  ['that is a device', '{ free: file:/dev/zero }', 'key-file', /is a pipe, a socket or a device/],
  ['that is empty', '{ free: file:empty }', 'key-file', /is empty/],
  ['with only a blank line', '{ free: file:blank }', 'key-file', /is empty/],
  ['with two lines', '{ free: file:two-lines }', 'key-file', /more than one line/],
  ['with a comment', '{ free: { file: comment } }', 'key-file', /more than one line/],
  ['that is too large', '{ free: file:large }', 'key-file', /longer than 8 KiB/],
  ['with zero bytes', '{ free: file:binary }', 'bad-key', /a header cannot carry/],
  ['with blanks around the key', '{ free: file:blanks }', 'bad-key', /a header cannot carry/],
  ['whose path is a key', `{ free: file:${CANARY} }`, 'key-file', /cannot be read/],
  [
    'for the sacrificial key that does not exist',
    '{ free: x, sacrificial: { file: gone, plan: pro } }',
    'key-file',
    /sacrificial/,
  ],
  [
    'in addition to a key',
    '{ free: x, sacrificial: { file: lamb, key: x } }',
    'missing-field',
    /lacks "plan"/,
  ],
  ['with an unknown name', '{ free: { fil: x } }', 'missing-field', /lacks "file"/],
];

for (const [title, keys, code, message] of faults)
  test(`a key file ${title} is rejected with its line number`, () =>
    assert.throws(
      () => parse(keys),
      (error) => {
        assert.ok(error instanceof ConfigError, String(error));
        assert.equal(error.code, code, error.message);
        assert.match(error.message, message);
        assert.equal(error.line, 3);
        assert.ok(error.hint);
        assert.doesNotMatch(inspect(error), /3b70/);
        return true;
      },
    ));
