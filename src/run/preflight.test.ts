import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleExchange } from '../report/example-run.test.support.js';
import { shortageOf, strangeLimit } from './preflight.js';

/** The first response of a run, with its rate headers. */
function first(remaining: string) {
  const exchange = exampleExchange();
  const reset = String(Math.ceil((exchange.sentAt + 50_000) / 1000));
  const headers = [
    ['X-RateLimit-Remaining', remaining],
    ['X-RateLimit-Reset', reset],
  ] as const;
  return { ...exchange, answer: { kind: 'response', status: 200, headers, text: '[]' } } as const;
}

const planned = (withKey: number) => ({ suites: { withKey, withoutKey: 0 } });

const TARGET = { windows: { minute: 60, day: 86_400 } };

test('a run that has to wait for its key says so before it begins', () => {
  for (const [remaining, withKey, left] of [
    ['0', 12, 0],
    ['10', 12, 10],
    ['11', 12, undefined],
    ['0', 1, undefined],
    ['many', 12, undefined],
  ] as const)
    assert.equal(shortageOf(first(remaining), planned(withKey), TARGET)?.left, left, remaining);
  assert.equal(shortageOf(first('0'), { suites: null }, TARGET), null);
  // The limit of a day is not waited for.
  assert.equal(shortageOf(first('0'), planned(12), { windows: { minute: 2, day: 60 } }), null);
});

test('a limit is compared as a number, and shown as it is written', () => {
  for (const [limit, strange] of [
    ['60', null],
    ['1000', null],
    ['000060', null],
    [' 60 ', null],
    ['100', '100'],
    ['0100', '0100'],
    ['sixty', 'sixty'],
  ] as const) {
    const headers = [['X-RateLimit-Limit', limit]] as const;
    const answer = { kind: 'response', status: 200, headers, text: '[]' } as const;
    const exchange = { ...exampleExchange(), answer };
    assert.equal(strangeLimit(exchange, { perMinute: 60, perDay: 1_000 }), strange, limit);
  }
});
