import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { loadLedger } from '../../base/interface/ledger.js';
import type { Finding } from '../../judge/findings/finding.js';
import { resultsOf } from '../../outcome/results/results.js';
import { exampleLog } from '../example-run.test.support.js';
import { runDocument } from '../run-document.js';
import { traceabilityCsv } from './requirement-tables.js';

test('a passed row of the table has what it rests on: exchanges, or what load measured', () => {
  const findings: readonly Finding[] = [
    { kind: 'kept', requirement: 'list-ok', exchanges: ['x1'] },
    { kind: 'kept', requirement: 'rate-429', exchanges: [], message: '60 of 60 requests allowed.' },
  ];
  const log = exampleLog({ findings });
  const requirements = loadLedger().requirements;
  const table = traceabilityCsv(runDocument(resultsOf(log, requirements), { log, requirements }), log);
  const rows: readonly Readonly<Record<string, string>>[] = parse(table, { columns: true });
  const row = (id: string) => rows.find((one) => one['id'] === id);
  assert.equal(row('list-ok')?.['evidence'], 'x1');
  assert.equal(row('rate-429')?.['measured'], '60 of 60 requests allowed.');
});
