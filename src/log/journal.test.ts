import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { redactor } from '../wire/exchange/redact.js';
import { fileJournal, memoryJournal } from './journal.js';
import { CANARY, RECORDS_WITH_KEY } from './records-with-key.test.support.js';
import { footerRecord, headerRecord } from './records.test.support.js';
import type { LogRecord } from './record.js';

test('each record is redacted and written as one line before append returns', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'log.ndjson');
  const recorded: LogRecord[] = [];
  const journal = fileJournal(file, redactor([CANARY]), (record) => recorded.push(record));
  const records = Object.values(RECORDS_WITH_KEY).flat();
  for (const [at, record] of records.entries()) {
    journal.append(record);
    assert.equal(readFileSync(file, 'utf8').split('\n').length, at + 2);
  }
  journal.close();
  const second = fileJournal(file, redactor([CANARY]));
  second.append(footerRecord);
  second.close();
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  assert.equal(lines.length, records.length + 1);
  assert.ok(!lines.join('\n').includes(CANARY));
  assert.deepEqual(
    lines.slice(0, -1).map((line) => JSON.parse(line) as LogRecord),
    recorded,
  );
});

test('an in-memory journal keeps its records in order', () => {
  const journal = memoryJournal();
  journal.append(headerRecord);
  journal.append(footerRecord);
  assert.deepEqual(journal.records, [headerRecord, footerRecord]);
});
