import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { LosslessNumber, parse } from 'lossless-json';
import { plainJson } from './json.js';

test('ordinary JSON is copied unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue({ depthSize: 'small' }), (value) => {
      const plain = plainJson(value);
      assert.deepEqual(plain, value);
      if (typeof value === 'object' && value !== null) assert.notEqual(plain, value);
    }),
  );
});

test('losslessly parsed JSON becomes the value of JSON.parse', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 3 }), (text) => {
      fc.pre(!text.includes('__proto__'));
      assert.deepEqual(plainJson(parse(text)), JSON.parse(text));
    }),
  );
});

const wholeness: readonly [text: string, whole: boolean][] = [
  ['1', true],
  ['1.0', true],
  ['1e0', true],
  ['-0', true],
  ['0.00', true],
  ['1.50e1', true],
  ['100e-2', true],
  ['1e300', true],
  ['9223372036854775807', true],
  ['1.5', false],
  ['1e-1', false],
  ['105e-1', false],
  ['9007199254740993.5', false],
  ['1e400', false],
  ['-1e400', false],
  ['1e-400', false],
];

for (const [text, whole] of wholeness) {
  test(`${text} is ${whole ? '' : 'not '}whole`, () => {
    assert.equal(Number.isInteger(plainJson(new LosslessNumber(text))), whole);
  });
}

test('an integer in any notation stays an integer', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
      fc.nat(5),
      fc.nat(9),
      (value, zeros, power) => {
        // JSON allows no zero before another digit.
        fc.pre(value !== 0n);
        const shifted = `${value}${'0'.repeat(power)}.${'0'.repeat(zeros + 1)}e-${power}`;
        assert.equal(plainJson(new LosslessNumber(shifted)), Number(value));
      },
    ),
  );
});

test('bigints and infinities become doubles', () => {
  assert.deepEqual(plainJson([5n, Infinity, -Infinity, NaN]), [5, 0.5, 0.5, 0.5]);
});

test('a member named __proto__ adds no members to the copy', () => {
  const copy = plainJson(JSON.parse('{"__proto__":{"id":1}}')) as { id?: unknown };
  assert.equal(copy.id, undefined);
  assert.equal((plainJson(Object.create({ id: 1 })) as { id?: unknown }).id, undefined);
});

test('200,000 nested arrays do not overflow the stack', () => {
  let nested: unknown = 1;
  for (let depth = 0; depth < 200_000; depth += 1) nested = [nested];
  assert.equal((plainJson({ nested, id: 1n }) as { id: unknown }).id, 1);
});

test('a number of one million digits is recognized as integer or not', { timeout: 30_000 }, () => {
  const zeros = '0'.repeat(1_000_000);
  assert.equal(plainJson(new LosslessNumber(`1.${zeros}`)), 1);
  assert.equal(plainJson(new LosslessNumber(`1.${zeros}1`)), 0.5);
});
