import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchangeOf } from '../../judge/checks/exchange.test.support.js';
import { collectGarbage } from '../../run/collect-garbage.js';
import { bodyInMemory, withBodyOnDisk } from './body-on-disk.js';

/** Returns a text too long for memory, with characters of one to four bytes. */
const long = (name: string): string => `${name} ${'aé€😀'.repeat(30_000)}`;

const textOf = ({ answer }: ReturnType<typeof exchangeOf>): string | null =>
  answer.kind === 'response' ? answer.text : null;

test('long bodies on disk are read back unchanged, in any order', () => {
  const names = ['one', 'two', 'three'];
  const put = names.map((name) => withBodyOnDisk(exchangeOf({ text: long(name) })));
  for (const at of [2, 0, 1, 0]) {
    const exchange = put[at];
    assert.ok(exchange);
    assert.equal(textOf(exchange), long(names[at] ?? ''));
  }
  const [first] = put;
  assert.deepEqual(JSON.parse(JSON.stringify(first?.answer)), {
    ...exchangeOf({ text: long('one') }).answer,
  });
});

test('a short body and a missing response stay in memory', () => {
  for (const exchange of [exchangeOf({ text: '[]' }), exchangeOf({ none: 'timeout' })])
    assert.equal(withBodyOnDisk(exchange), exchange);
});

test('only bodies in memory count as memory use', () => {
  const exchange = exchangeOf({ text: long('one') });
  assert.equal(bodyInMemory(exchange.answer), long('one').length);
  assert.equal(bodyInMemory(withBodyOnDisk(exchange).answer), 0);
  assert.equal(bodyInMemory(exchangeOf({ none: 'timeout' }).answer), 0);
});

/** Returns the bytes of buffers that are in use. */
function inBuffers(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

test('bodies on disk use no memory', () => {
  // Tests before this one left some.
  const before = inBuffers();
  const put = Array.from({ length: 50 }, (_, at) => withBodyOnDisk(exchangeOf({ text: long(String(at)) })));
  const more = inBuffers() - before;
  // Fifteen megabytes are in the file.
  assert.ok(more < 3e6, `${more} bytes of buffers`);
  assert.equal(textOf(put[49] ?? exchangeOf({})), long('49'));
});
