import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { headerNumber, plainInteger, readReset } from './rate-headers.js';
import { parseHttpDate, readRetryAfter } from './retry-after.js';

describe('headers that should be plain decimal integers', () => {
  const CASES: readonly (readonly [
    text: string | null,
    read: number | string | null,
    integer: number | null,
  ])[] = [
    [null, null, null],
    ['60', 60, 60],
    [' 60 ', 60, 60],
    ['0', 0, 0],
    ['060', 60, 60],
    ['-1', '-1', null],
    ['+1', '+1', null],
    ['1.0', '1.0', null],
    ['1e3', '1e3', null],
    ['', '', null],
    ['60, 60', '60, 60', null],
    ['0x10', '0x10', null],
    ['999999999999999', 999999999999999, 999999999999999],
    ['1000000000000000', '1000000000000000', 1e15],
  ];
  for (const [text, read, integer] of CASES) {
    it(JSON.stringify(text), () => {
      assert.equal(headerNumber(text), read);
      assert.equal(plainInteger(headerNumber(text)), integer);
    });
  }
});

describe('the unit of Reset', () => {
  const CASES: readonly (readonly [text: string, unit: string])[] = [
    ['0', 'seconds-to-go'],
    ['60', 'seconds-to-go'],
    ['999999999', 'seconds-to-go'],
    ['1000000000', 'unix-seconds'],
    ['1800000000', 'unix-seconds'],
    ['100000000000', 'unix-seconds'],
    ['100000000001', 'unix-milliseconds'],
    ['1800000000000', 'unix-milliseconds'],
    ['1800000000000000000', 'unix-milliseconds'],
  ];
  for (const [text, unit] of CASES)
    it(`${text}: ${unit}`, () => assert.equal(readReset(headerNumber(text))?.unit, unit));
  it('does not exist for text', () => assert.equal(readReset('soon'), null));
});

describe('Retry-After', () => {
  const CASES: readonly (readonly [text: string | null, kind: string])[] = [
    [null, 'absent'],
    ['0', 'seconds'],
    ['60', 'seconds'],
    ['-5', 'invalid'],
    ['1.5', 'invalid'],
    ['soon', 'invalid'],
    ['', 'invalid'],
    ['2026-11-20T10:00:00Z', 'invalid'],
    ['Fri, 20 Nov 2026 10:00:00 GMT', 'date'],
    ['Friday, 20-Nov-26 10:00:00 GMT', 'date'],
    ['Fri Nov 20 10:00:00 2026', 'date'],
    ['Fri, 20 Nov 2026 10:00:00 CET', 'invalid'],
    ['Fri, 20 Nov 2026', 'invalid'],
  ];
  for (const [text, kind] of CASES)
    it(`${text}: ${kind}`, () => assert.equal(readRetryAfter(text).kind, kind));

  it('accepts every date that toUTCString writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e9 }), (seconds) => {
        assert.equal(parseHttpDate(new Date(seconds * 1000).toUTCString()), seconds * 1000);
      }),
    );
  });

  it('has the same value in all three date formats', () => {
    for (const text of ['Friday, 20-Nov-26 10:00:00 GMT', 'Fri Nov 20 10:00:00 2026']) {
      assert.equal(parseHttpDate(text), Date.UTC(2026, 10, 20, 10));
    }
  });
});
