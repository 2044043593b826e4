import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseBaseUrl } from './base-url.js';
import { parseTarget } from './load-target.js';
import { targetFromOptions } from './target-options.js';

const fileWith = (key: string): string =>
  `name: a\nbaseUrl: http://h/v1\nkeys:\n  free: some-free-key\n  ${key}\n`;

const wrongKey = (key: string, words: RegExp): void =>
  assert.throws(
    () => targetFromOptions({ baseUrl: 'http://127.0.0.1/v1', keys: ['free=${KEY}'], env: { KEY: key } }),
    (error: Error & { code?: string; hint?: string }) =>
      error.code === 'bad-key' &&
      words.test(`${error.message} ${error.hint}`) &&
      !error.message.includes(key),
  );

for (const [key, words] of [
  ['"pk-live-123456789"', /quotation marks.*docker --env-file/],
  ["'pk-live-123456789'", /quotation marks/],
  ['Bearer pk-live-123456789', /the scheme of a header.*The kit adds the scheme/],
  ['bearer%20pk-live', /the scheme of a header/],
  ['Authorization: Bearer pk-live', /the scheme of a header/],
  ['$PETSTORE_FREE_KEY', /\$NAME/],
  ['$env:PETSTORE_FREE_KEY', /\$NAME/],
  ['env:PETSTORE_FREE_KEY', /\$NAME/],
  ['${PETSTORE_FREE_KEY}', /\$NAME/],
  ['%PETSTORE_FREE_KEY%', /%NAME%/],
  ['{{PETSTORE_FREE_KEY}}', /\{\{NAME\}\}/],
  ['{{ secrets.KEY }}', /\{\{NAME\}\}/],
  ['$(cat key.txt)', /\$\(…\)/],
  ['<key>', /<name>/],
  ['<your key>', /<name>/],
] as const)
  test(`the key ${key} is refused before it is sent`, () => wrongKey(key, words));

const NAMED = { PETSTORE_KEY: 'pk-live-123456789', key: 'pk-live-987654321', GONE: '' };

for (const name of ['PETSTORE_KEY', 'key'] as const)
  for (const [where, read] of [
    ['--key', () => targetFromOptions({ baseUrl: 'http://h/v1', keys: [`pro=${name}`], env: NAMED })],
    ['a target file', () => parseTarget(fileWith(`pro: ${name}`), 'a.yaml', NAMED)],
    [
      'a target file, as the key to be banned',
      () => parseTarget(fileWith(`sacrificial: { plan: free, key: ${name} }`), 'a.yaml', NAMED),
    ],
  ] as const)
    test(`${where} with the bare name of a variable, ${name}, is refused, and told how to write it`, () =>
      assert.throws(
        read,
        (error: Error & { code?: string; hint?: string }) =>
          error.code === 'bad-key' &&
          error.message.includes('is the name of an environment variable') &&
          error.hint?.includes(`\${${name}}`) === true &&
          !error.message.includes(NAMED[name]),
      ));

test('a key that is the name of no variable, of an empty one, or of a member of any object is a key', () => {
  for (const key of ['PETSTORE_PRO_KEY', 'GONE', 'constructor', '__proto__'])
    assert.equal(
      targetFromOptions({ baseUrl: 'http://h/v1', keys: [`pro=${key}`], env: NAMED }).keys.pro?.reveal(),
      key,
    );
});

test('a variable may hold its own name', () => {
  const env = { SELF: 'SELF' };
  for (const target of [
    targetFromOptions({ baseUrl: 'http://h/v1', keys: ['pro=${SELF}'], env }),
    parseTarget(fileWith('pro: ${SELF}'), 'a.yaml', env),
  ])
    assert.equal(target.keys.pro?.reveal(), 'SELF');
});

for (const [address, words] of [
  ['http://$HOST/v1', /\$NAME/],
  ['http://${HOST}:8080/v1', /\$NAME/],
  ['http://%HOST%/v1', /%NAME%/],
  ['https://{{host}}/v1', /\{\{NAME\}\}/],
  ['http://$(hostname)/v1', /\$\(…\)/],
  ['https://<host>/v1', /<name>/],
  ['"https://staging.example.com/v1"', /quotation marks/],
] as const)
  test(`the address ${address} is refused`, () =>
    assert.throws(
      () => parseBaseUrl(address, {}),
      (error: Error & { code?: string; hint?: string }) =>
        error.code === 'bad-url' && words.test(`${error.message} ${error.hint}`),
    ));

test('a key of letters, digits and the signs of Base64, JWT and UUID is never refused', () =>
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9+/=._~$-]{7,60}$/), (key) => {
      const target = targetFromOptions({ baseUrl: 'http://h/v1', keys: ['free=${KEY}'], env: { KEY: key } });
      assert.equal(target.keys.free?.reveal(), key);
    }),
  ));

test('an escaped address and one with a dollar sign in its path stay', () => {
  for (const address of ['http://h/a%20b/v1', 'https://h/$metadata/v1'])
    assert.equal(parseBaseUrl(address, {}), address);
});

test('any path with percent-encoded characters stays', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), (segment) => {
      // A segment of dots is a step in the tree.
      fc.pre(!/^\.+$/.test(segment));
      const address = `http://h/${encodeURIComponent(segment)}/v1`;
      assert.equal(parseBaseUrl(address, {}), address);
    }),
  );
});
