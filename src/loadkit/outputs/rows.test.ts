import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as assertProperty, constantFrom, property, string } from 'fast-check';
import type { FinishedRequest } from '../meter.js';
import type { SecondRecord } from '../../log/capacity-record.js';
import { CSV, NDJSON, requestRow, secondRow } from './rows.js';

const requestOf = (phase: string): FinishedRequest => ({
  phase,
  operation: 'listPets',
  key: 'free',
  status: 200,
  outcome: 'served',
  violates: false,
  intendedAt: 1000.2,
  sentAt: 1000.7,
  answeredAt: 1002.20049,
  trace: 'a'.repeat(32),
});

const RUN = { run: '0a1b2c3d', part: '2/4' };

/** Parses CSV text into cells, by RFC 4180. */
function cellsOf(text: string): readonly string[] {
  const cells = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)];
  return cells.slice(0, -1).map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}

test('a CSV row has one cell per column and no formula, for any phase name', () => {
  const columns = cellsOf(CSV.head);
  assertProperty(
    property(constantFrom('', '=', '+', '-', '@', '"', ','), string(), (first, rest) => {
      const name = `${first}${rest}`;
      const cells = cellsOf(CSV.row(requestRow(RUN, requestOf(name))));
      assert.equal(cells.length, columns.length);
      const cell = cells[columns.indexOf('phase')] ?? '';
      assert.ok(cell === name || cell === `'${name}`);
      assert.doesNotMatch(cell, /^[=+\-@]/);
    }),
  );
});

test('every member has a column, and CSV and NDJSON have the same values', () => {
  const second = {
    type: 'second',
    at: 1,
    ms: 1000,
    byStatus: { 200: 2, none: 1 },
    p50: 0,
    latency: 'x',
  } as unknown as SecondRecord;
  const columns = cellsOf(CSV.head);
  for (const row of [requestRow(RUN, requestOf('hold')), secondRow(RUN, second)]) {
    const parsed = JSON.parse(NDJSON.row(row)) as Record<string, unknown>;
    const cells = cellsOf(CSV.row(row));
    for (const [name, value] of Object.entries(parsed))
      assert.equal(cells[columns.indexOf(name)], String(value === null ? '' : (value as unknown)), name);
  }
  assert.equal(secondRow(RUN, second)['p50'], null, 'no response is no latency');
  assert.equal(secondRow(RUN, second)['byStatus'], '200=2 none=1');
  assert.equal(requestRow(RUN, requestOf('hold'))['latencyMs'], 2);
});
