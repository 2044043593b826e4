import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format, inspect } from 'node:util';
import * as fc from 'fast-check';
import { secret } from './secret.js';

const CANARY = 'canary-6f1d';

const showings: readonly [string, (key: unknown) => string][] = [
  ['a template', (key) => `Bearer ${key as string}`],
  ['String()', String],
  ['JSON', (key) => JSON.stringify({ key })],
  ['inspect', (key) => inspect({ deep: [key] }, { depth: 9, showHidden: true })],
  [
    'inspect without custom functions',
    (key) => inspect(key, { customInspect: false, showHidden: true, depth: 9 }),
  ],
  ['format %s', (key) => format('%s', key)],
  ['format %o', (key) => format('%o', key)],
  ['format %j', (key) => format('%j', key)],
  ['its members', (key) => Object.entries(key as object).join()],
  ['an error', (key) => String(new Error('no', { cause: key }).cause)],
];

for (const [name, show] of showings) {
  test(`${name} does not show a key`, () => assert.doesNotMatch(show(secret(CANARY)), /canary|6f1d/));
}

test('reveal() returns the key unchanged', () => {
  fc.assert(fc.property(fc.string(), (key) => assert.equal(secret(key).reveal(), key)));
});

test('JSON shows a key as its shell placeholder', () => {
  assert.equal(JSON.stringify({ key: secret(CANARY) }), '{"key":"$PETSTORE_KEY"}');
});
