import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { judgedAs, recordOf, sent } from './traffic.test.support.js';
import { BIG, creation, pet, ROUNDED, testsOf, type Case } from './requests.test.support.js';

const CASES: readonly Case[] = [
  [
    'an id with its digits',
    'client-int64',
    'kept',
    { answer: `[${pet(BIG)}]` },
    { target: `/v1/pets/${BIG}` },
  ],
  [
    'an id rounded',
    'client-int64',
    'violated',
    { answer: `[${pet(BIG)}]` },
    { target: `/v1/pets/${ROUNDED}`, status: 404 },
  ],
  ...['1152921504607846900', '1152921504607847000', '1152921504607850000'].map((printed): Case => [
    `an id printed as ${printed}`,
    'client-int64',
    'violated',
    { answer: `[${pet('1152921504607846979')}]` },
    { target: `/v1/pets/${printed}`, status: 404 },
  ]),
  [
    'an id below 2^53 that someone cut',
    'client-int64',
    'not-shown',
    { answer: `[${pet('1234567890123456')}]` },
    { target: '/v1/pets/1234567890123460', status: 404 },
  ],
  ...[`1${'0'.repeat(25)}`, `1${'0'.repeat(400)}`].map((large): Case => [
    `an id of ${large.length} digits`,
    'client-int64',
    'not-shown',
    { answer: `[${pet(large)}]` },
    { target: '/v1/pets' },
  ]),
  [
    'a rounded id that was received',
    'client-int64',
    'not-shown',
    { answer: `[${pet(BIG)},${pet(ROUNDED)}]` },
    { target: `/v1/pets/${ROUNDED}` },
  ],
  [
    'a neighbour from elsewhere',
    'client-int64',
    'not-shown',
    { answer: `[${pet(BIG)}]` },
    { target: '/v1/pets/9007199254740994' },
  ],
  [
    'a category that an animal’s id would round to',
    'client-int64',
    'not-shown',
    { answer: `[${pet(BIG)}]` },
    creation(`{"name":"a","categoryId":${ROUNDED}}`, { status: 400 }),
  ],
  [
    'a category rounded',
    'client-int64',
    'violated',
    { answer: `[${pet('7', BIG)}]` },
    creation(`{"name":"a","categoryId":${ROUNDED}}`, { status: 400 }),
  ],
  [
    'an id that a double prints with the same digits',
    'client-int64',
    'not-shown',
    { answer: `[${pet('1234567890123456800')}]` },
    { target: '/v1/pets/1234567890123456800' },
  ],
  ['a small id', 'client-int64', 'not-shown', { answer: `[${pet('7')}]` }, { target: '/v1/pets/7' }],
  ...[
    '1000003',
    '-589934591',
    '1.1529215046078e18',
    '1.15292e+18',
    // Cut to 32 bits as a double, read as a 32-bit float, and with 15 digits as spreadsheets keep them.
    '999936',
    '1152921504606846976',
    '1152921504607840000',
  ].map((spoilt): Case => [
    `a category sent as ${spoilt}`,
    'client-int64',
    'violated',
    { answer: `[${pet('1', '1152921504607846979')},${pet('2', '1152921508311879681')}]` },
    creation(`{"name":"a","categoryId":${spoilt}}`),
  ]),
  [
    'a small category of the client',
    'client-int64',
    'not-shown',
    { answer: `[${pet('5', '7')},${pet('6', '4294967303')}]` },
    creation('{"name":"a","categoryId":2147483647}'),
  ],
  [
    'a category rounded',
    'client-int64',
    'violated',
    { answer: `[${pet('1', BIG)}]` },
    creation(`{"name":"a","categoryId":${ROUNDED}}`, { status: 201, answer: pet('2', ROUNDED) }),
  ],
  [
    'a rounded category that is listed later',
    'client-int64',
    'violated',
    { answer: `[${pet('1', BIG)}]` },
    creation(`{"name":"a","categoryId":${ROUNDED}}`, { status: 201, answer: pet('2', ROUNDED) }),
    { answer: `[${pet('2', ROUNDED)}]` },
  ],
];

testsOf(CASES);

test('any received id that comes back with its digits breaks nothing, and a spoilt one breaks the row', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (id) => {
      const back = (text: string) =>
        judgedAs(
          'client-int64',
          recordOf([
            sent({ answer: `[${pet(String(id))}]` }),
            sent({ target: `/v1/pets/${text}`, status: 404, at: [5, 6] }),
          ]),
        );
      const [double, fewest] = [BigInt(Number(id)), BigInt(String(Number(id)))];
      assert.notEqual(back(String(id)), 'violated');
      if (double === id || fewest === id) assert.equal(back(String(id)), 'not-shown');
      // What is printed with fewer digits ends in zeros.
      else if (id % 10n !== 0n) assert.equal(back(String(id)), 'kept');
      if (double !== id) assert.equal(back(String(double)), 'violated');
    }),
  );
});
