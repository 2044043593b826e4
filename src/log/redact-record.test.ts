import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactor } from '../wire/exchange/redact.js';
import { redactRecord } from './journal.js';
import { CANARY, RECORDS_WITH_KEY } from './records-with-key.test.support.js';
import { exchangeRecord } from './records.test.support.js';
import { LogCollector } from './run-log.js';
import type { LogRecord } from './record.js';

for (const [type, records] of Object.entries(RECORDS_WITH_KEY))
  test(`a record of type ${type} does not contain a key sent back by the target`, () => {
    const redact = redactor([CANARY]);
    for (const record of records) {
      const clean = redactRecord(record, redact);
      assert.ok(!JSON.stringify(clean).includes(CANARY.slice(0, 7)), JSON.stringify(clean));
      assert.equal(JSON.stringify(record).includes(CANARY), JSON.stringify(clean).includes('[key]'));
      assert.deepEqual(Object.keys(clean), Object.keys(record));
    }
  });

test('a record without a key is unchanged', () => {
  const redact = redactor(['another-key']);
  for (const record of Object.values(RECORDS_WITH_KEY).flat())
    assert.deepEqual(redactRecord(record, redact), record);
});

test('a short key does not change the kit’s own text', () => {
  const record = exchangeRecord('x1');
  assert.deepEqual(redactRecord(record, redactor(['pets1'])), record);
});

test('a long body is cut, its length is noted, and no key remains', () => {
  const edge = 65_536;
  for (const before of [0, edge - 20, edge - 5, edge - 1, edge]) {
    const text = `${'é '.repeat(before).slice(0, before)}${CANARY}${' é'.repeat(edge)}`;
    const record = redactRecord(
      exchangeRecord('x1', { answer: { kind: 'response', status: 200, headers: [['X', text]], text } }),
      redactor([CANARY]),
    );
    assert.ok(record.type === 'exchange' && record.exchange.answer.kind === 'response');
    const { answer } = record.exchange;
    assert.ok(answer.text.length <= edge && answer.text.length > edge - 10_000);
    assert.equal(answer.cutFrom, Buffer.byteLength(text));
    assert.doesNotMatch(JSON.stringify(record), /48151/);
    assert.ok(JSON.stringify(answer.headers).length < 5_000);
  }
});

test('only redacted records can enter a log for reports', () => {
  const record: LogRecord = { type: 'settled', requirement: 'list-ok' };
  const collector = new LogCollector();
  // @ts-expect-error: an unredacted record
  collector.add(record);
  collector.add(redactRecord(record, redactor([])));
});
