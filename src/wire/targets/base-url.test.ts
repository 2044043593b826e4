import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLoopback, parseBaseUrl, withVersion } from './base-url.js';
import { ConfigError } from '../../base/kernel/errors.js';

const sound: readonly [text: string, expected: string][] = [
  ['https://staging.example.com/v1', 'https://staging.example.com/v1'],
  ['https://staging.example.com/v1/', 'https://staging.example.com/v1'],
  ['https://staging.example.com/v1//', 'https://staging.example.com/v1'],
  ['HTTP://LocalHost:8080', 'http://localhost:8080'],
  ['https://example.com:443/a/v1', 'https://example.com/a/v1'],
  ['http://[::1]:9/v1', 'http://[::1]:9/v1'],
];

for (const [text, expected] of sound) {
  test(`${text} is accepted`, () => assert.equal(parseBaseUrl(text, {}), expected));
}

const faults: readonly [text: string, message: RegExp][] = [
  ['', /not a URL/],
  ['canary', /not a URL/],
  ['canary.example.com/v1', /not a URL/],
  ['canary:8080/v1', /neither http nor https/],
  ['ftp://canary.example.com/v1', /neither http nor https/],
  ['https://canary@example.com/v1', /user name or a password/],
  ['https://user:canary@example.com/v1', /user name or a password/],
  ['https://example.com/v1?key=canary', /query or a fragment/],
  ['https://example.com/v1?', /query or a fragment/],
  ['https://example.com/v1#canary', /query or a fragment/],
];

for (const [text, message] of faults) {
  test(`"${text}" is rejected and not repeated`, () => {
    assert.throws(
      () => parseBaseUrl(text, { file: 'a.yaml', line: 2 }),
      (error) => {
        assert.ok(error instanceof ConfigError);
        assert.equal(error.code, 'bad-url');
        assert.equal(error.line, 2);
        assert.match(error.message, message);
        assert.doesNotMatch(`${error.message} ${error.hint} ${error.expected}`, /canary/);
        return true;
      },
    );
  });
}

for (const host of [
  'localhost',
  'api.localhost',
  'localhost.',
  '127.0.0.1',
  '127.8.9.10',
  '0.0.0.0',
  '[::1]',
  '[::]',
])
  test(`${host} is this machine`, () => assert.ok(isLoopback(new URL(`http://${host}:8080/v1`))));
test('a mapped IPv4 address of this machine is this machine', () =>
  assert.ok(isLoopback(new URL('http://[::ffff:127.0.0.1]/v1'))));
for (const host of [
  'localhost.example.com',
  'notlocalhost',
  '128.0.0.1',
  '10.0.0.1',
  '[::ffff:10.0.0.1]',
  '[::2]',
])
  test(`${host} is another machine`, () => assert.ok(!isLoopback(new URL(`http://${host}/v1`))));

for (const [address, meant] of [
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/v1'],
  ['https://v2.example.com/petstore', 'https://v2.example.com/petstore/v1'],
  ['https://example.com/v1/pets', 'https://example.com/v1'],
  ['https://example.com/api/v2', 'https://example.com/api/v1'],
  ['https://example.com/V1', 'https://example.com/v1'],
] as const)
  test(`for ${address}, ${meant} is proposed`, () => assert.equal(withVersion(address), meant));

test('an IPv6 address without brackets gets a hint to write them', () => {
  assert.throws(
    () => parseBaseUrl('http://::1:8080/v1', {}),
    (error) => error instanceof ConfigError && /needs brackets/.test(error.hint ?? ''),
  );
});
