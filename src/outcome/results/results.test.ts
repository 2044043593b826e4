import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadLedger } from '../../base/interface/ledger.js';
import { exchangeRecord, footerRecord } from '../../log/records.test.support.js';
import type { LogRecord, ProfileSummary } from '../../log/record.js';
import { boundsOf } from '../words/bounds.js';
import { found, kept, results, row, settled, SUITE } from './results.test.support.js';

test('remarks of a log are in the results and their bounds, each once', () => {
  const text = 'pets.test got another address: 10.0.0.7 in place of 10.0.0.4';
  const remark: LogRecord = { type: 'remark', text };
  const given = results([row('get-ok')], remark, remark, footerRecord);
  assert.deepEqual(given.remarks, [text]);
  assert.ok(boundsOf(given).includes(text));
});

test('a result has separate violations and observations, with their exchanges', () => {
  const given = results(
    [row('get-ok'), row('list-ok', SUITE, 'open')],
    exchangeRecord('x1'),
    exchangeRecord('x2'),
    exchangeRecord('x3'),
    kept('get-ok', 'x3'),
    found({
      kind: 'violated',
      requirement: 'get-ok',
      message: 'too many',
      expected: '20',
      actual: '25',
      exchanges: ['x1'],
    }),
    settled('get-ok'),
    found({
      kind: 'observed',
      requirement: 'list-ok',
      subject: 'limit=0',
      value: 'answered 400',
      exchanges: ['x2'],
    }),
    settled('list-ok'),
    footerRecord,
  );
  const [a, b] = given.requirements;
  assert.deepEqual(a?.findings, [
    { message: 'too many', expected: '20', actual: '25', exchanges: ['x1'], kind: 'listPets' },
  ]);
  assert.equal(a?.evidence, 1);
  assert.deepEqual(
    [b?.findings, b?.observed],
    [[], [{ subject: 'limit=0', value: 'answered 400', exchanges: ['x2'] }]],
  );
  assert.deepEqual(
    given.exchanges.map(({ id }) => id),
    ['x1', 'x2'],
  );
});

const profile = (plan: ProfileSummary['plan'], sent: number): LogRecord => ({
  type: 'profile',
  summary: {
    profile: 'burst',
    plan,
    startedAt: 1,
    finishedAt: 2,
    sent,
    served: sent,
    refused: 0,
    allowance: 60,
    latency: null,
    sentence: 's',
    marks: [],
  },
});

test('requests are counted as sent, by plan of their key', () => {
  const { requests } = results(
    [],
    exchangeRecord('x1'),
    exchangeRecord('x2', { attempts: 2 }),
    exchangeRecord('x3', { credential: { kind: 'none' } }),
    exchangeRecord('x4', { credential: { kind: 'invalid', manner: 'the key cut short' } }),
    profile('pro', 301),
    profile('sacrificial', 61),
    footerRecord,
  );
  assert.deepEqual(requests, { total: 367, byKey: { anonymous: 2, free: 3, pro: 301, sacrificial: 61 } });
});

test('outcomes are counted, and every requirement of the ledger is included', () => {
  const { requirements } = loadLedger();
  const given = results(requirements, footerRecord);
  assert.deepEqual(
    given.requirements.map(({ id }) => id),
    requirements.map(({ id }) => id),
  );
  assert.equal(
    Object.values(given.counts).reduce((sum, count) => sum + count, 0),
    requirements.length,
  );
  assert.equal(given.counts.passed, 0);
  assert.equal(given.verdict, 'inconclusive');
});

test('an interrupted run ends with its last exchange and never conforms', () => {
  const given = results([row('get-ok')], kept('get-ok', 'x1'), settled('get-ok'), exchangeRecord('x1'));
  assert.equal(given.complete, false);
  assert.equal(given.verdict, 'inconclusive');
  assert.equal(given.finishedAt, '2026-11-20T10:00:01.012Z');
  assert.equal(given.durationMs, 1012);
  const interrupted = results([row('get-ok')], kept('get-ok', 'x1'), settled('get-ok'), {
    ...footerRecord,
    complete: false,
  });
  assert.deepEqual(
    [interrupted.complete, interrupted.verdict, interrupted.durationMs],
    [false, 'inconclusive', 5000],
  );
});
