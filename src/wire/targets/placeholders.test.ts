import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { type Environment, fillIn, fillInAll } from './placeholders.js';
import { ConfigError } from '../../base/kernel/errors.js';

const env: Environment = { A: 'one', B: 'two', EMPTY: '', N: '60', FLAG: 'true' };

const filled: readonly [text: string, expected: string | undefined][] = [
  ['plain', 'plain'],
  ['', ''],
  ['$A', '$A'],
  ['${A}', 'one'],
  ['x-${A}-${B}', 'x-one-two'],
  ['${A:-other}', 'one'],
  ['${GONE:-other}', 'other'],
  ['${EMPTY:-other}', 'other'],
  ['${GONE:-a:-b}', 'a:-b'],
  ['${GONE:-}', undefined],
  ['${GONE:-}${EMPTY:-}', undefined],
  ['x${GONE:-}', 'x'],
];

for (const [text, expected] of filled) {
  test(`"${text}" becomes ${expected === undefined ? 'nothing' : `"${expected}"`}`, () => {
    assert.equal(fillIn(text, env, {}), expected);
  });
}

const faults: readonly [text: string, code: string, message: RegExp][] = [
  ['${GONE}', 'env-missing', /GONE/],
  ['${EMPTY}', 'env-missing', /EMPTY/],
  ['${A} and ${GONE}', 'env-missing', /GONE/],
  ['${}', 'bad-placeholder', /./],
  ['${1A}', 'bad-placeholder', /./],
  ['${A-B}', 'bad-placeholder', /./],
  ['${A', 'bad-placeholder', /./],
  ['${GONE:-${A}}', 'bad-placeholder', /./],
];

for (const [text, code, message] of faults) {
  test(`"${text}" is rejected`, () => {
    assert.throws(() => fillIn(text, env, { file: 'a.yaml', line: 3 }), {
      code,
      message,
      file: 'a.yaml',
      line: 3,
    });
  });
}

test('the value of a variable is not expanded again and never part of an error', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (value) => {
      fc.pre(!value.includes('}'));
      assert.equal(fillIn('${A}', { A: value }, {}), value);
    }),
  );
  assert.equal(fillIn('${A}', { A: '$& ${B}' }, {}), '$& ${B}');
  assert.throws(
    () => fillIn('${A}${GONE}', { A: 'canary' }, {}),
    (error) => error instanceof ConfigError && !inspect(error).includes('canary'),
  );
});

const slot = {
  required: ['name', 'keys'],
  properties: {
    count: { type: 'integer' },
    on: { type: 'boolean' },
    keys: { properties: { free: { type: 'string' } } },
    pair: { required: ['a', 'b'], properties: { a: { type: 'number' }, b: { type: 'number' } } },
  },
};

const documents: readonly [name: string, value: unknown, expected: unknown][] = [
  ['a number if the schema requires one', { count: '${N}' }, { count: 60 }],
  ['a boolean if the schema requires one', { on: '${FLAG}' }, { on: true }],
  ['text if the schema requires text', { keys: { free: '${N}' } }, { keys: { free: '60' } }],
  ['text if its value is not a number', { count: '${A}' }, { count: 'one' }],
  ['nothing in a literal number text', { count: '60' }, { count: '60' }],
  ['no member if its variable is unset', { name: '${GONE:-}', on: true }, { on: true }],
  ['an empty object if a required object lost its members', { keys: { free: '${GONE:-}' } }, { keys: {} }],
  [
    'no object if a required member is missing',
    { pair: { a: '${N}', b: '${GONE:-}' }, on: true },
    { on: true },
  ],
  ['an empty object if it was empty before', { pair: {} }, { pair: {} }],
  ['an empty root object', { pair: { a: '${GONE:-}' } }, {}],
  ['nothing outside the schema', { a: [1, '${A}'], b: null }, { a: [1, '${A}'], b: null }],
];

for (const [name, value, expected] of documents) {
  test(`a placeholder expands to ${name}`, () =>
    assert.deepEqual(
      fillInAll(value, slot, env, () => ({})),
      expected,
    ));
}
