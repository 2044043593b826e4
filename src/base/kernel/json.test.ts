import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { LosslessNumber, parse } from 'lossless-json';
import {
  inInt64,
  INT64,
  integerOf,
  isInt64,
  isNumber,
  isObject,
  member,
  readJson,
  writeJson,
  type Json,
  type Repeated,
} from './json.js';

const read = (text: string): Json => {
  const reading = readJson(text);
  assert.ok(reading.ok, reading.ok ? '' : reading.problem);
  return reading.value;
};
const problem = (text: string): string => {
  const reading = readJson(text);
  assert.ok(!reading.ok);
  return reading.problem;
};
const integer = (text: string): bigint | null => integerOf(new LosslessNumber(text));

test('numbers keep their digits as written', () => {
  for (const text of ['9007199254740993', '1.0', '1e400', '-0', '0.10', '123456789012345678901234567890']) {
    const value = read(text);
    assert.ok(isNumber(value));
    assert.equal(value.value, text);
    assert.equal(writeJson(value), text);
  }
});

test('text that JSON.parse accepts gives the same value', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const reading = readJson(text);
      assert.ok(reading.ok);
      assert.deepEqual(JSON.parse(writeJson(reading.value)), JSON.parse(text));
    }),
  );
});

/** Texts in which the two readers could differ: numbers of all sizes, repeated members, odd names. */
const tricky = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
  value: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        '1',
        '-1',
        '0',
        '-0',
        '1.0',
        '1e2',
        '9007199254740993',
        '123456789012345',
        'true',
        'null',
        '"a:1"',
        '"1.5"',
        '"é"',
      ),
    },
    { weight: 1, arbitrary: tie('object') },
    { weight: 1, arbitrary: tie('array') },
  ),
  object: fc
    .array(fc.tuple(fc.constantFrom('a', 'b', '__proto__', 'constructor', 'a:b'), tie('value')), {
      maxLength: 4,
    })
    .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}: ${value}`).join(', ')}}`),
  array: fc.array(tie('value'), { maxLength: 4 }).map((values) => `[${values.join(',')}]`),
}));

test('readJson gives the same result as lossless-json', () => {
  fc.assert(
    fc.property(tricky.value, (text) => {
      const reading = readJson(text);
      let expected: unknown;
      try {
        expected = { ok: true, value: parse(text) };
      } catch (error) {
        expected = { ok: false, problem: (error as Error).message };
      }
      assert.deepEqual(reading, expected);
    }),
    { numRuns: 1000 },
  );
});

test('text that JSON.parse rejects is rejected without an exception', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'[]{}",:\\truefalsn0123.eE+- \n'.split('')) }),
      (text) => {
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        if (!isJson) assert.equal(readJson(text).ok, false);
      },
    ),
    { numRuns: 1000 },
  );
});

test('a duplicate member with another value is a problem', () => {
  assert.match(problem('{"id":1,"name":"a","id":2}'), /id/);
});

const readAll = (text: string) => {
  const repeated: Repeated[] = [];
  const reading = readJson(text, (one) => void repeated.push(one));
  return { value: reading.ok ? writeJson(reading.value) : reading.problem, repeated };
};

test('a repeated member is named with its depth where it may be, and its last value counts', () => {
  for (const [text, value, ...repeated] of [
    ['{"note":1,"note":2}', '{"note":2}', ['note', 1]],
    ['[{"a":"]}{[","n\\u006fte":1,"note":"x"}]', '[{"a":"]}{[","note":"x"}]', ['note', 2]],
    ['[{"id":1,"id":2},{"id":1,"id":3}]', '[{"id":2},{"id":3}]', ['id', 2]],
    ['{"o":{"id":1,"id":2},"o":3}', '{"o":3}', ['id', 2], ['o', 1]],
    ['{"__proto__":1,"__proto__":2}', '{"__proto__":2}', ['__proto__', 1]],
    ['{"id":1,"id":1}', '{"id":1}'],
    ['{"id":1,"id":1.0}', '{"id":1.0}', ['id', 1]],
    ['{"id":1,"o":{"id":2}}', '{"id":1,"o":{"id":2}}'],
  ] as const) {
    assert.deepEqual(
      readAll(text),
      { value, repeated: repeated.map(([name, depth]) => ({ name, depth })) },
      text,
    );
  }
});

for (const [what, text] of [
  ['arrays', '['.repeat(200_000) + ']'.repeat(200_000)],
  ['objects', '{"a":'.repeat(200_000) + '1' + '}'.repeat(200_000)],
  ['unclosed brackets', '['.repeat(200_000)],
] as const)
  test(`200,000 nested ${what} are a problem but do not crash`, () => {
    assert.match(problem(text), /levels deep/);
  });

test('brackets inside strings do not count as nesting', () => {
  assert.equal(read(JSON.stringify('["\\'.repeat(5000))), '["\\'.repeat(5000));
});

test('members named __proto__, constructor or toString do not come from the prototype', () => {
  const value = read('{"__proto__":{"id":1},"constructor":"c"}');
  assert.ok(isObject(value));
  assert.equal(member(value, 'id'), undefined);
  assert.equal(member(value, 'toString'), undefined);
  assert.equal(member(value, 'constructor'), 'c');
  assert.equal(isNumber(read('{"isLosslessNumber":true,"value":"5"}')), false);
  assert.equal(isNumber(read('{"__proto__":5}')), false);
});

test('only a JSON object counts as an object', () => {
  assert.deepEqual(
    ['{}', '[]', '1', 'null', '"a"', 'true'].map((text) => isObject(read(text))),
    [true, false, false, false, false, false],
  );
});

const INTEGERS: readonly (readonly [text: string, value: bigint | null])[] = [
  ['0', 0n],
  ['-0', 0n],
  ['1.0', 1n],
  ['1e0', 1n],
  ['1E+2', 100n],
  ['100e-2', 1n],
  ['1.5e1', 15n],
  ['0.0e999999999999', 0n],
  ['1.5', null],
  ['1e-1', null],
  ['15e-1', null],
  ['1e400', 10n ** 400n],
  ['1e401', null],
  ['1e999999999999999999999', null],
  ['-9223372036854775808', INT64.min],
  ['9223372036854775807.00', INT64.max],
];

for (const [text, value] of INTEGERS)
  test(`${text} is ${value === null ? 'not an accepted integer' : `the integer ${String(value).slice(0, 24)}`}`, () =>
    assert.equal(integer(text), value));

test('an integer in any notation equals its BigInt value', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(2n ** 80n), max: -1n }),
      fc.boolean(),
      fc.nat({ max: 30 }),
      (minus, up, shift) => {
        const value = up ? -minus : minus;
        const sign = value < 0n ? '-' : '';
        const digits = (value < 0n ? -value : value).toString();
        const cut = Math.min(shift, digits.length - 1);
        const point = cut === 0 ? digits : `${digits.slice(0, -cut)}.${digits.slice(-cut)}`;
        for (const text of [
          `${sign}${digits}`,
          `${sign}${digits}.${'0'.repeat(shift + 1)}`,
          `${sign}${digits}${'0'.repeat(shift)}e-${shift}`,
          `${sign}${point}e${cut}`,
        ])
          assert.equal(integer(text), value, text);
      },
    ),
  );
});

test('a number with a fraction is not an integer', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 70n }), fc.nat({ max: 50 }), (value, zeros) => {
      assert.equal(integer(`${value}.${'0'.repeat(zeros)}5`), null);
    }),
  );
});

test('int64 has exact bounds', () => {
  assert.deepEqual([INT64.min - 1n, INT64.min, 0n, INT64.max, INT64.max + 1n].map(inInt64), [
    false,
    true,
    true,
    true,
    false,
  ]);
  assert.deepEqual(
    ['9223372036854775807', '9223372036854775808', '1.0', '1.5', '"1"', 'true'].map((text) =>
      isInt64(read(text)),
    ),
    [true, false, true, false, false, false],
  );
});

test('colons and escapes in strings are harmless, and a duplicate member is still found', () => {
  for (const text of ['{"a":"b:c:\\":\\\\"}', '["::",":"]', `{"a":"${':'.repeat(200_000)}"}`])
    assert.deepEqual(JSON.parse(writeJson(read(text))), JSON.parse(text));
  assert.match(problem('{"a":":","a":1}'), /[Dd]uplicate/);
});
