import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { exchangeOf } from '../checks/exchange.test.support.js';
import { shelved } from './shelf.js';

/** Longer than what stays in memory, with characters of one to four bytes. */
const long = (name: string): string => `${name} ${'aé€😀'.repeat(30_000)}`;

const textOf = ({ answer }: ReturnType<typeof exchangeOf>): string | null =>
  answer.kind === 'response' ? answer.text : null;

test('long bodies that were put aside come back as they were, in any order', () => {
  const names = ['one', 'two', 'three'];
  const put = names.map((name) => shelved(exchangeOf({ text: long(name) })));
  for (const at of [2, 0, 1, 0]) {
    const exchange = put[at];
    assert.ok(exchange);
    assert.equal(textOf(exchange), long(names[at] ?? ''));
  }
  const [first] = put;
  assert.deepEqual(JSON.parse(JSON.stringify(first?.answer)), { ...exchangeOf({ text: long('one') }).answer });
});

test('a short body, and an answer that never came, stay what they are', () => {
  for (const exchange of [exchangeOf({ text: '[]' }), exchangeOf({ none: 'timeout' })])
    assert.equal(shelved(exchange), exchange);
});

test('what was put aside takes no memory', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const put = Array.from({ length: 50 }, (_, at) => shelved(exchangeOf({ text: long(String(at)) })));
  collect();
  const { arrayBuffers } = process.memoryUsage();
  // Fifteen megabytes have been put aside.
  assert.ok(arrayBuffers < 3e6, `${arrayBuffers} bytes of buffers`);
  assert.equal(textOf(put[49] ?? exchangeOf({})), long('49'));
});
