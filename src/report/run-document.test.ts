import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../base/kernel/package.js';
import type { RequirementId } from '../base/interface/types.js';
import { loadLedger } from '../base/interface/ledger.js';
import type { Finding } from '../judge/findings/finding.js';
import { resultsOf } from '../outcome/results/results.js';
import {
  exampleExchange,
  exampleLog,
  exampleResults,
  fault,
  inconclusive,
  violated,
} from './example-run.test.support.js';
import type { Exchange } from '../wire/exchange/types.js';
import { runDocument } from './run-document.js';
import { faultsIn } from './rows/faults.js';

const LEDGER = loadLedger().requirements;

const idsOf = (rows: readonly { readonly id: RequirementId }[]): readonly RequirementId[] =>
  rows.map(({ id }) => id);

const documentWith = (findings: readonly Finding[]) => {
  const log = exampleLog({ findings });
  return runDocument(resultsOf(log, LEDGER), { log, requirements: LEDGER });
};

const blocked = (requirement: RequirementId, by: RequirementId): Finding => ({
  kind: 'inconclusive',
  requirement,
  reason: { code: 'prerequisite', text: `blocked by ${by}` },
  by,
  exchanges: [],
});

const FAMILY = ['rate-remaining-counts', 'rate-429', 'rate-window'] as const;

test('a fault of several rows stands once, at the row with the plainest evidence', () => {
  const { faults, rows, parts } = documentWith(FAMILY.map((id) => violated(id, `${id} is violated`)));
  assert.deepEqual(
    faults.map(({ lead, others }) => [lead.id, idsOf(others)]),
    [['rate-429', ['rate-window', 'rate-remaining-counts']]],
  );
  const standsFor = new Map(rows.map(({ id, sameFaultAs }) => [id, sameFaultAs]));
  assert.deepEqual(
    FAMILY.map((id) => standsFor.get(id)),
    ['rate-429', null, 'rate-429'],
  );
  assert.deepEqual(
    parts.flatMap((part) => part.faults).map(({ lead }) => lead.id),
    ['rate-429'],
  );
});

test('a fault names the rows that it blocks, and they are not among those with a reason of their own', () => {
  const {
    faults,
    open,
    blocked: waiting,
  } = documentWith([violated('pet-shape'), blocked('pet-int64', 'pet-shape'), inconclusive('get-ok')]);
  assert.deepEqual(idsOf(faults[0]?.blocks ?? []), ['pet-int64']);
  assert.deepEqual(idsOf(waiting), ['pet-int64']);
  assert.deepEqual(
    open.map(({ requirements }) => idsOf(requirements)),
    [['get-ok']],
  );
});

test('an accepted deviation is in no other group, and keeps its agreement', () => {
  const entry = {
    requirement: 'list-ok',
    outcome: 'failed',
    reason: 'agreed',
    link: 'https://tracker.example.com/1',
    expires: '2027-01-31',
  } as const;
  const results = exampleResults({ findings: [violated('list-ok'), violated('get-ok', 'another')] });
  const requirements = results.requirements.map((row) =>
    row.id === 'list-ok' ? { ...row, acceptedUntil: entry.expires } : row,
  );
  const { accepted, faults } = runDocument({ ...results, requirements, accepted: [entry] });
  assert.deepEqual(idsOf(faults.map(({ lead }) => lead)), ['get-ok']);
  assert.deepEqual(
    accepted.map(({ id, shown, words, agreement }) => [id, shown, words, agreement]),
    [['list-ok', 'warned', 'failed, accepted until 2027-01-31', entry]],
  );
});

test('a cause is said at one row, and the rows of other faults refer to it', () => {
  const measured = { status: 503 };
  const log = exampleLog({
    findings: [
      { ...violated('create-missing-field', 'one got 422'), exchanges: ['x9'] } as Finding,
      { ...violated('create-invalid-value', 'another got 422'), exchanges: ['x9'] } as Finding,
      { ...violated('rate-429', 'too many are allowed'), measured } as Finding,
      violated('rate-window', 'too soon'),
    ],
    exchanges: [exampleExchange(), refused('x9', 422)],
  });
  const { rows } = runDocument(resultsOf(log, LEDGER), { log });
  const saidAt = new Map(rows.flatMap(({ id, cause }) => (cause ? [[id, cause.saidAt]] : [])));
  assert.deepEqual(
    [...saidAt],
    [
      ['create-missing-field', 'create-missing-field'],
      ['create-invalid-value', 'create-missing-field'],
      ['rate-429', 'rate-429'],
    ],
  );
  assert.deepEqual(rows.find(({ id }) => id === 'create-missing-field')?.cause?.others, [
    'create-invalid-value',
  ]);
});

const refused = (id: string, status: number): Exchange => {
  const exchange = exampleExchange({ id, text: '{}' });
  return { ...exchange, answer: { ...exchange.answer, status } as Exchange['answer'] };
};

test('the parts have every row once, and every group of a run is the sum of the parts', () => {
  const { rows, parts, kitFaults } = documentWith([fault('list-ok'), violated('get-ok')]);
  assert.deepEqual(new Set(parts.flatMap((part) => idsOf(part.rows))), new Set(idsOf(rows)));
  assert.equal(parts.flatMap((part) => part.rows).length, rows.length);
  assert.deepEqual(
    parts.flatMap((part) => idsOf(part.kitFaults)),
    idsOf(kitFaults),
  );
  assert.deepEqual(
    parts.map(({ part }) => part),
    parts.map(({ part }) => part).toSorted((one, other) => one - other),
  );
});

/** Functions that decide what reports say of rows, and the only files that may call them. */
const DECIDED: Readonly<Record<string, readonly string[]>> = {
  distinctFindings: ['rows/row-view.ts'],
  alikeFindings: ['rows/row-view.ts'],
  faultsIn: ['comparison.ts', 'rows/row-group.ts', 'run-document.ts'],
  likelyCauses: ['run-document.ts'],
};

test('no renderer merges findings, groups faults or looks for causes', () => {
  const folder = join(packageRoot(), 'src/report');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !file.includes('.test.'),
  );
  assert.ok(files.length > 50);
  for (const [name, callers] of Object.entries(DECIDED)) {
    const call = new RegExp(`(?<!function )\\b${name}\\(`);
    const found = files.filter((file) => call.test(readFileSync(join(folder, file), 'utf8')));
    assert.deepEqual(found.toSorted(), callers, name);
  }
});

test('the same results give the same document, and the results stay as they were', () => {
  const results = exampleResults({ findings: FAMILY.map((id) => violated(id)) });
  const before = structuredClone(results);
  assert.deepEqual(runDocument(results), runDocument(results));
  assert.deepEqual(results, before);
  assert.ok(faultsIn(results.requirements.filter(({ outcome }) => outcome === 'failed')).length > 0);
});
