import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { redactor } from '../wire/exchange/redact.js';
import { fileJournal, memoryJournal, redactRecord } from './journal.js';
import { exchangeRecord, footerRecord, headerRecord } from './records.test.support.js';
import { LogCollector } from './run-log.js';
import type { LogRecord } from './record.js';

const CANARY = '4815162342108';
const said = `the key ${CANARY} is unknown`;

/** One record of each kind, with the key wherever the target's words can appear. */
const RECORDS: Readonly<Record<LogRecord['type'], readonly LogRecord[]>> = {
  header: [
    {
      ...headerRecord,
      target: { ...headerRecord.target, name: said, baseUrl: `http://127.0.0.1/${CANARY}/v1` },
      scope: { ...headerRecord.scope, selection: { scenario: said } },
      label: said,
      acceptance: {
        certificate: false,
        baseline: true,
        accepted: [
          { requirement: 'list-ok', outcome: 'failed', reason: said, link: said, expires: '2026-12-31' },
        ],
      },
      command: said,
    },
  ],
  phase: [{ type: 'phase', phase: 'suites', at: 1 }],
  preflight: [
    {
      type: 'preflight',
      facts: {
        reachableMs: 1,
        keyAccepted: true,
        plan: 'free',
        limitSeen: CANARY,
        clockSkewMs: null,
        animals: 1,
        animalsComplete: true,
        plannedRequests: 1,
        plannedSeconds: 1,
        remarks: [said, said],
      },
    },
  ],
  explored: [{ type: 'explored', seed: 1, asked: 1, requests: { anonymous: 0 }, performed: 0, classes: [] }],
  exchange: [
    exchangeRecord('x1', {
      answer: {
        kind: 'response',
        status: 200,
        headers: [[`X-${CANARY}`, said]],
        text: JSON.stringify({ said }),
      },
    }),
    exchangeRecord('x2', { answer: { kind: 'none', code: 'malformed-http', message: said } }),
    exchangeRecord('x3', {
      probe: `GET /pets/${CANARY}`,
      request: { method: 'POST', path: `/v1/pets/${CANARY}`, headers: [], body: `{"categoryId":${CANARY}}` },
    }),
  ],
  finding: [
    { type: 'finding', finding: { kind: 'kept', requirement: 'list-ok', message: said, exchanges: ['x1'] } },
    {
      type: 'finding',
      finding: {
        kind: 'violated',
        requirement: 'list-ok',
        message: said,
        expected: said,
        actual: said,
        exchanges: [],
      },
    },
    {
      type: 'finding',
      finding: {
        kind: 'violated',
        requirement: 'list-ok',
        message: said,
        exchanges: [],
        story: { replay: '1:2', steps: [said, said], exchanges: [], seen: 2, of: 2 },
      },
    },
    {
      type: 'finding',
      finding: { kind: 'observed', requirement: 'list-order', subject: said, value: said, exchanges: [] },
    },
    {
      type: 'finding',
      finding: {
        kind: 'inconclusive',
        requirement: 'list-ok',
        reason: { code: 'transport', text: said },
        exchanges: [],
      },
    },
    {
      type: 'finding',
      finding: { kind: 'not-applicable', requirement: 'list-ok', reason: { code: 'no-key', text: said } },
    },
    { type: 'finding', finding: { kind: 'untried', requirement: 'list-ok', what: said } },
    { type: 'finding', finding: { kind: 'fault', requirement: 'list-ok', message: said } },
  ],
  settled: [{ type: 'settled', requirement: 'list-ok' }],
  'own-problem': [{ type: 'own-problem', problem: { message: said, file: '/suites/a.spec.ts', line: 3 } }],
  created: [{ type: 'created', id: CANARY, name: said }],
  waiting: [{ type: 'waiting', what: 'the target’s limit was already used up', until: 1 }],
  remark: [{ type: 'remark', text: said }],
  progress: [{ type: 'progress', profile: 'burst', plan: 'free', text: said }],
  series: [
    {
      type: 'series',
      profile: 'burst',
      plan: 'free',
      rows: [['listPets', 1, 2, 3, 429, said, said, said, said, null]],
    },
    {
      type: 'series',
      profile: 'burst',
      plan: 'free',
      rows: [['listPets', 1, 2, 3, 429, Number(CANARY), Number(CANARY), Number(CANARY), null, null]],
    },
  ],
  tally: [{ type: 'tally', requirement: 'json-media-type', kept: 3, profile: 'burst' }],
  profile: [
    {
      type: 'profile',
      summary: {
        profile: 'burst',
        plan: 'free',
        startedAt: 1,
        finishedAt: 2,
        sent: 61,
        served: 60,
        refused: 1,
        allowance: 60,
        latency: null,
        sentence: said,
        marks: [{ kind: 'reset', at: 1, text: said }],
      },
    },
  ],
  find: [
    {
      type: 'find',
      conditions: ['p99 < 250ms'],
      most: 100,
      mostIs: 'option',
      samples: 500,
      steps: [
        {
          phase: said,
          role: 'climb',
          perSecond: 10,
          seconds: 50,
          sent: 500,
          throughput: 10,
          p50: 1,
          p99: 2,
          errors: 0,
          outcome: 'misses',
          reasons: [said],
        },
      ],
      answer: { kind: 'none', perSecond: 10 },
    },
  ],
  agents: [
    {
      type: 'agents',
      agents: [
        {
          name: said,
          part: 1,
          offsetMs: 0,
          errorMs: 1,
          sent: 1,
          dropped: 0,
          lateMs: 0,
          loopLagMs: 1,
          cpu: 0.1,
          saturated: false,
          problem: said,
        },
      ],
      problems: [said],
    },
  ],
  scenario: [
    {
      type: 'scenario',
      scenario: {
        name: said,
        phases: [],
        operations: [],
        keys: [],
        overLimit: 'refuse',
        thresholds: [],
        abort: null,
      },
      slice: { index: 0, count: 1 },
      keys: ['free'],
      leftOut: [],
      startAt: 1,
    },
  ],
  second: [],
  'capacity-phase': [
    {
      type: 'capacity-phase',
      phase: said,
      startedAt: 1,
      finishedAt: 2,
      intended: 1,
      droppedLate: 0,
      droppedFull: 0,
      operations: [],
      byKey: { free: 1 },
      violations: [
        { requirement: 'list-ok', operation: 'listPets', message: said, exchange: 'c1', count: 1 },
      ],
      saturated: null,
      lagMs: 0,
      cpu: 0,
      whole: true,
      remarks: [said],
    },
  ],
  traffic: [{ type: 'traffic', nth: 1, facts: { source: 'proxy', basePath: `/${CANARY}/v1`, graceMs: 250 } }],
  'client-exchange': [
    {
      type: 'client-exchange',
      nth: 1,
      exchange: {
        id: 't1',
        origin: `http://${CANARY}.test`,
        credential: { key: { kind: 'masked', mask: said }, bearer: true, elsewhere: [said] },
        request: {
          method: CANARY,
          target: `/v1/pets?${CANARY}`,
          headers: [[CANARY, said]],
          body: { kind: 'whole', text: said },
        },
        times: { kind: 'server', readAt: 1, writtenAt: 2 },
        answer: {
          kind: 'response',
          status: 200,
          headers: [[CANARY, said]],
          body: { kind: 'cut', text: said, why: 'ended' },
        },
      },
    },
    {
      type: 'client-exchange',
      nth: 1,
      exchange: {
        id: 't2',
        credential: { key: { kind: 'none' }, bearer: false, elsewhere: [] },
        request: { method: 'GET', target: '/v1/pets', headers: [], body: { kind: 'empty' } },
        times: { kind: 'unknown' },
        answer: { kind: 'none', why: said },
      },
    },
  ],
  'traffic-end': [
    {
      type: 'traffic-end',
      nth: 1,
      end: { endedAt: 3, finished: true, graceMs: 250 },
      command: { exitCode: 1, output: said },
    },
  ],
  'left-out': [{ type: 'left-out', nth: 1, entries: 2, reasons: { preflight: 1 } }],
  footer: [
    {
      ...footerRecord,
      complete: false,
      reason: said,
      fault: said,
      obstacle: { code: 'gate', short: 'a gate', message: said, hint: 'ask' },
    },
  ],
};

for (const [type, records] of Object.entries(RECORDS))
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
  for (const record of Object.values(RECORDS).flat()) assert.deepEqual(redactRecord(record, redact), record);
});

test('a short key does not change the kit’s own text', () => {
  const record = exchangeRecord('x1');
  assert.deepEqual(redactRecord(record, redactor(['pets1'])), record);
});

test('each record is redacted and written as one line before append returns', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'log.ndjson');
  const told: LogRecord[] = [];
  const journal = fileJournal(file, redactor([CANARY]), (record) => told.push(record));
  const records = Object.values(RECORDS).flat();
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
    told,
  );
});

test('an in-memory journal keeps its records in order', () => {
  const journal = memoryJournal();
  journal.append(headerRecord);
  journal.append(footerRecord);
  assert.deepEqual(journal.records, [headerRecord, footerRecord]);
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
