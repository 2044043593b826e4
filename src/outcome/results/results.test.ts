import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../../judge/findings/finding.js';
import { loadLedger } from '../../base/interface/ledger.js';
import type { JudgedBy, Level, Requirement, RequirementId } from '../../base/interface/types.js';
import { exchangeRecord, footerRecord, headerRecord } from '../../log/records.test.support.js';
import type { LogHeader, LogRecord, ProfileSummary } from '../../log/record.js';
import { gather } from '../../log/gathered.test.support.js';
import { boundsOf } from '../words/bounds.js';
import { resultsOf, type RequirementResult, type Results } from './results.js';

const SUITE: JudgedBy = { kind: 'suite', suite: 'endpoints' };
const row = (id: RequirementId, judgedBy: JudgedBy = SUITE, level: Level = 'must'): Requirement => ({
  id,
  level,
  part: 4,
  place: 'Endpoints',
  statement: `The statement of ${id}.`,
  how: 'It is asked.',
  operations: ['listPets'],
  judgedBy,
});
const kept = (requirement: RequirementId, ...exchanges: string[]): LogRecord => ({
  type: 'finding',
  finding: { kind: 'kept', requirement, exchanges },
});
const found = (finding: Finding): LogRecord => ({ type: 'finding', finding });
const settled = (requirement: RequirementId): LogRecord => ({ type: 'settled', requirement });
const header = (scope: Partial<LogHeader['scope']>): LogHeader => ({
  ...headerRecord,
  scope: { ...headerRecord.scope, ...scope },
});
const results = (rows: readonly Requirement[], ...records: readonly LogRecord[]): Results =>
  resultsOf(gather([headerRecord, ...records]), rows);
const only = ({ requirements }: Results): RequirementResult => {
  const [first] = requirements;
  assert.ok(first && requirements.length === 1);
  return first;
};

type Case = readonly [what: string, given: Results, outcome: string, reason?: string];

const CASES: readonly Case[] = [
  [
    'that is kept and settled',
    results([row('get-ok')], kept('get-ok', 'x1'), settled('get-ok'), footerRecord),
    'passed',
  ],
  [
    'that is kept but not settled',
    results([row('get-ok')], kept('get-ok', 'x1')),
    'inconclusive',
    'interrupted',
  ],
  [
    'that is kept but not settled in a complete run',
    results([row('get-ok')], kept('get-ok'), footerRecord),
    'inconclusive',
    'nothing-judged',
  ],
  ['without findings', results([row('get-ok')], footerRecord), 'inconclusive', 'nothing-judged'],
  ['without findings in an interrupted run', results([row('get-ok')]), 'inconclusive', 'interrupted'],
  [
    'that is violated in an interrupted run',
    results([row('get-ok')], found({ kind: 'violated', requirement: 'get-ok', message: 'm', exchanges: [] })),
    'failed',
  ],
  [
    'that cannot be tested',
    results([row('get-ok', { kind: 'nobody', reason: 'No request shows it.' }, 'open')], footerRecord),
    'not-applicable',
    'untestable',
  ],
  [
    'that needs a comparison',
    results([row('get-ok', { kind: 'compare' })], footerRecord),
    'not-applicable',
    'opt-in',
  ],
  [
    'that is not selected, with any finding,',
    resultsOf(gather([header({ selected: ['list-ok'] }), kept('get-ok'), settled('get-ok'), footerRecord]), [
      row('get-ok'),
    ]),
    'not-applicable',
    'not-selected',
  ],
  [
    'that is passive and kept by an exchange',
    results([row('json-media-type', { kind: 'passive', answers: [] })], exchangeRecord('x1'), footerRecord),
    'passed',
  ],
  [
    'that is passive and violated by one of two responses',
    results(
      [row('json-media-type', { kind: 'passive', answers: [] })],
      exchangeRecord('x1'),
      found({ kind: 'violated', requirement: 'json-media-type', message: 'm', exchanges: ['x2'] }),
      footerRecord,
    ),
    'failed',
  ],
  [
    'that is passive without a matching response',
    results([row('pet-shape', { kind: 'passive', answers: [] })], footerRecord),
    'inconclusive',
    'prerequisite',
  ],
  [
    'that is passive and kept only under load',
    results(
      [row('pet-shape', { kind: 'passive', answers: [] })],
      { type: 'tally', requirement: 'pet-shape', kept: 40, profile: 'burst' },
      footerRecord,
    ),
    'passed',
  ],
  [
    'that needs load, in a suites-only run,',
    resultsOf(gather([header({ selection: { only: 'suites' } }), footerRecord]), [
      row('get-ok', { kind: 'load', profiles: ['burst'], traffic: true }),
    ]),
    'not-applicable',
    'not-selected',
  ],
  ...(
    [
      ['rate-all-operations', 'not-applicable', 'not-selected'],
      ['rate-window', 'not-applicable', 'not-selected'],
      ['rate-limit-value', 'inconclusive', 'interrupted'],
      ['rate-remaining-counts', 'inconclusive', 'interrupted'],
    ] as const
  ).map(([id, ...judged]): Case => [
    `that needs load, in a suites-only run that was interrupted (${id}),`,
    resultsOf(gather([header({ selection: { only: 'suites' } })]), [
      row(id, { kind: 'load', profiles: ['burst'], traffic: true }),
    ]),
    ...judged,
  ]),
  [
    'that applies after the removal, in a run that was interrupted before,',
    resultsOf(gather([header({ asOf: '2026-11-20' })]), [row('get-after-removal')]),
    'not-applicable',
    'removal-date',
  ],
  [
    'that applies after the removal, in a run that was interrupted then,',
    resultsOf(gather([header({ asOf: '2099-01-01' })]), [row('get-after-removal')]),
    'inconclusive',
    'interrupted',
  ],
  [
    'that is kept under load',
    results([row('get-ok', { kind: 'load', profiles: ['burst'] })], kept('get-ok'), footerRecord),
    'passed',
  ],
];

for (const [what, given, outcome, reason] of CASES)
  test(`a requirement ${what} is ${outcome}`, () => {
    const result = only(given);
    assert.deepEqual([result.outcome, result.reason?.code], [outcome, reason]);
  });

for (const [answers, partly] of [
  [['listPets 200'], undefined],
  [['listPets 200', 'getPet 200', 'getPet 404'], ['responses of getPet 200 and getPet 404 (none received)']],
] as const)
  test(`a passive requirement for ${answers.join(', ')}, after one listing: ${partly?.join() ?? 'fully tested'}`, () => {
    const given = results(
      [row('json-media-type', { kind: 'passive', answers })],
      exchangeRecord('x1'),
      footerRecord,
    );
    assert.deepEqual([only(given).outcome, only(given).partly], ['passed', partly]);
  });

for (const [what, statuses, charged, partly] of [
  ['one response', [502], [], ['1 response with 502 (the target was unavailable, and the run waited)']],
  [
    'responses of several gateways',
    [504, 200, 503, 504],
    [],
    ['3 responses with 503 and 504 (the target was unavailable, and the run waited)'],
  ],
  [
    'a response that another row is charged with',
    [502, 502],
    ['x1'],
    ['1 response with 502 (the target was unavailable, and the run waited)'],
  ],
  ['only other responses', [200, 404, 500], [], undefined],
] as const)
  test(`a run that waited out ${what} of an outage: declared-status is ${partly?.join() ?? 'fully tested'}`, () => {
    const given = results(
      [row('declared-status', { kind: 'passive', answers: [] })],
      kept('declared-status', 'x9'),
      ...statuses.map((status, nth) =>
        exchangeRecord(`x${nth + 1}`, { answer: { kind: 'response', status, headers: [], text: '' } }),
      ),
      ...charged.map((id) =>
        found({ kind: 'violated', requirement: 'list-ok', message: 'm', exchanges: [id] }),
      ),
      footerRecord,
    );
    assert.deepEqual([only(given).outcome, only(given).partly], ['passed', partly]);
    const what = partly?.[0].split(' (')[0];
    const remarks = what && [`the target was unavailable for a time: the run waited after ${what}`];
    assert.deepEqual(given.remarks, remarks);
    assert.deepEqual(boundsOf(given).includes(remarks?.[0] ?? ''), remarks !== undefined);
  });

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
