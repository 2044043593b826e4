import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RATE_HEADERS } from '../../base/interface/rate-headers.js';
import type { CapacityResults } from '../../loadkit/capacity-shape.js';
import {
  capacityClause,
  driftSentences,
  saturationSentences,
  timesText,
  violationKinds,
  type CapacityRun,
} from './capacity.js';

const violation = (operation: 'listPets' | 'getPet' | 'createPet', message: string, count: number) => ({
  requirement: 'rate-headers-present' as const,
  operation,
  message,
  exchange: `c-${operation}`,
  count,
});

test('the same fault on several operations appears once, with counts per operation', () => {
  const kinds = violationKinds({
    violations: [
      violation('getPet', 'a response with 503 lacks all rate headers', 26),
      violation('listPets', 'a response with 503 lacks all rate headers', 1062),
      violation('listPets', `a response with 200 lacks ${RATE_HEADERS.reset}`, 1),
    ],
  });
  assert.deepEqual(
    kinds.map((kind) => [kind.message, kind.exchange, timesText(kind)]),
    [
      [
        'a response with 503 lacks all rate headers',
        'c-getPet',
        '1,088 responses: 1,062 of listPets and 26 of getPet',
      ],
      [`a response with 200 lacks ${RATE_HEADERS.reset}`, 'c-listPets', '1 response'],
    ],
  );
});

test('faults that differ only in a number count as one', () => {
  const kinds = violationKinds({
    violations: [violation('listPets', '21 animals of 20', 1), violation('createPet', '30 animals of 20', 2)],
  });
  assert.deepEqual(
    kinds.map(({ message, count }) => [message, count]),
    [['21 animals of 20', 3]],
  );
});

test('no violations give no kinds', () => assert.deepEqual(violationKinds({ violations: [] }), []));

test('a change of a figure is told with the time in which it was measured', () => {
  const drift = { phase: 'hold', metric: 'p99', low: 0.08, high: 0.11, ms: 329_800 } as const;
  assert.deepEqual(driftSentences({ drift: [drift] }), [
    'hold: p99 rose by 8 to 11 % in its last 5 min 30 s.',
  ]);
});

test('a sentence names why requests got no response', () => {
  const phase = {
    name: 'hold',
    intended: 100,
    sent: 90,
    served: 90,
    refused: 0,
    errors: 10,
    violations: 0,
    byStatus: { 200: 90, none: 10 },
    perSecond: 9,
    causes: [
      { cause: 'read ECONNRESET', count: 1 },
      { cause: 'connect ECONNREFUSED', count: 9 },
    ],
  };
  const reason = 'hold got no response after 9 of 10 s (connect ECONNREFUSED)';
  const thresholds = [
    { text: 'errors < 1%', value: 0.1, unit: 'share', outcome: 'missed' },
    { text: 'hold: answered to its end', value: 0.9, unit: 'share', outcome: 'missed', reason },
  ];
  const clause = capacityClause({
    verdict: 'non-conformant',
    complete: true,
    capacity: { scenario: 'evening', phases: [phase], thresholds, violations: [] },
  } as unknown as CapacityRun);
  assert.ok(
    clause.startsWith(
      'evening: not kept. 10 of 100 requests got no complete response (mostly connect ECONNREFUSED); ' +
        `2 of 2 thresholds missed: ${reason}, errors < 1% was 10 %; 90 of 100 requests sent on time`,
    ),
    clause,
  );
});

test('a sentence says how many journeys finished', () => {
  const journey = { journey: 'adopt', started: 24, finished: 0, notShown: 24 };
  const phase = { sent: 72, intended: 72, served: 72, perSecond: 12, byStatus: { 200: 72 } };
  const clause = capacityClause({
    verdict: 'conformant',
    complete: true,
    capacity: {
      scenario: 's',
      phases: [
        { ...phase, refused: 0, errors: 0, violations: 0, journeys: [journey, { ...journey, finished: 1 }] },
      ],
      thresholds: [],
      violations: [],
    },
  } as unknown as CapacityRun);
  assert.match(clause, /^s: kept\. 72 of 72 requests sent on time; 1 of 48 journeys finished; throughput/);
});

test('a sentence gives no figure twice', () => {
  const phase = {
    name: 'hold',
    intended: 2000,
    sent: 2000,
    served: 2000,
    refused: 0,
    errors: 0,
    violations: 3,
    byStatus: { 200: 2000 },
    perSecond: 2000,
  };
  const missed = { text: 'p99 < 50ms', value: 70, unit: 'ms', outcome: 'missed' };
  const clauseOf = (...thresholds: readonly (typeof missed)[]): string =>
    capacityClause({
      verdict: 'non-conformant',
      complete: true,
      capacity: { scenario: 's', phases: [phase], thresholds, violations: [violation('getPet', 'x', 3)] },
    } as unknown as CapacityRun);
  const figures = '2,000 of 2,000 requests sent on time; throughput 2,000/s';
  const violations = '3 violations in 2,000 responses';
  assert.equal(
    clauseOf(missed),
    `s: not kept. 1 of 1 threshold missed: p99 < 50ms was 70 ms; ${figures}; ${violations}`,
  );
  assert.equal(clauseOf(), `s: not kept. ${violations}; ${figures}`);
});

test('a sentence names no phase of nothing', () => {
  const phase = { sent: 3, intended: 3, served: 0, refused: 0, errors: 3, violations: 0, perSecond: 0 };
  const closed = { connections: 1, seconds: 0.02, silentSeconds: 0, gaps: 0 };
  const clause = capacityClause({
    verdict: 'non-conformant',
    complete: true,
    capacity: {
      scenario: 's',
      phases: [
        { ...phase, name: 'hold', byStatus: { none: 3 } },
        { ...phase, name: 'flood', sent: 0, errors: 0, closed, latencyMs: { max: 0 }, byStatus: {} },
      ],
      thresholds: [],
      violations: [],
    },
  } as unknown as CapacityRun);
  assert.match(clause, /; 3 of 3 requests sent on time; throughput 0\/s; no violation in 0 responses$/);
});

test('a limit is that of the parts whose machines had it', () => {
  const exhausted = [
    { cause: 'EADDRNOTAVAIL', count: 4, agents: ['p1', 'p2'] },
    { cause: 'EMFILE', count: 1 },
  ];
  const phases = [{ name: 'hold', saturated: null, exhausted }];
  const [ofParts, own] = saturationSentences({ thresholds: [], phases } as unknown as CapacityResults);
  assert.match(
    ofParts ?? '',
    /^hold: 4 requests not sent, because the machine of p1 and p2 has no port left/,
  );
  assert.match(own ?? '', /because this machine has no file descriptor left/);
});

const saturatedWith = (cpu?: number, fromMs = 14_000): string =>
  saturationSentences({
    thresholds: [],
    phases: [{ name: 'flood', saturated: { fromMs, perSecond: 27, ...(cpu !== undefined && { cpu }) } }],
  } as unknown as CapacityResults).join(' ');

test('the limit of the machine is stated only if the kit had CPU time', () => {
  assert.match(
    saturatedWith(0.98),
    /^flood: the generator was saturated from 14 s on\. This machine sends at most about 27/,
  );
  assert.match(saturatedWith(), /at most about 27/);
  assert.match(saturatedWith(0.3), /It had 0\.3 of a processor, because of other programs/);
  assert.doesNotMatch(saturatedWith(0.3), /at most/);
  assert.match(saturatedWith(0.98, 0.2), /saturated from its start on\./);
});
