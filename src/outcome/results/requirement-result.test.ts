import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchangeRecord, footerRecord } from '../../log/records.test.support.js';
import { gather } from '../../log/gathered.test.support.js';
import { boundsOf } from '../words/bounds.js';
import { resultsOf, type Results } from './results.js';
import { found, header, kept, only, results, row, settled } from './results.test.support.js';

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
  ...(
    [
      ['listPets 200', 'inconclusive', 'prerequisite'],
      ['getPet 404', 'not-applicable', 'not-observed'],
    ] as const
  ).map(([answer, ...judged]): Case => [
    `that is passive for ${answer}, in a suites-only run whose listing failed another check,`,
    resultsOf(
      gather([
        header({ selection: { only: 'suites' } }),
        exchangeRecord('x1'),
        found({ kind: 'violated', requirement: 'json-media-type', message: 'm', exchanges: ['x1'] }),
        footerRecord,
      ]),
      [row('pet-shape', { kind: 'passive', answers: [answer] })],
    ),
    ...judged,
  ]),
  ...(
    [
      ['transport', 'inconclusive', 'transport'],
      ['untrusted', 'inconclusive', 'untrusted'],
      ['store-too-small', 'not-applicable', 'not-observed'],
    ] as const
  ).map(([code, ...judged]): Case => [
    `that is passive without a response, in a suites-only run with a test open for ${code},`,
    resultsOf(
      gather([
        header({ selection: { only: 'suites' } }),
        exchangeRecord('x1'),
        found({
          kind: 'inconclusive',
          requirement: 'get-unknown',
          reason: { code, text: 't' },
          exchanges: [],
        }),
        footerRecord,
      ]),
      [row('error-shape', { kind: 'passive', answers: ['getPet 404'] })],
    ),
    ...judged,
  ]),
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
