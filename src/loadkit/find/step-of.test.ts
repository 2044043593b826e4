import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encoded, newHistogram, recordMs } from '../../log/histogram.js';
import type { CapacityPhaseRecord, SecondRecord } from '../../log/capacity-record.js';
import type { FindStep } from '../../log/load-shapes.js';
import { parseCondition, type Threshold } from '../../wire/scenario/threshold.js';
import { stepOf } from './step-of.js';

const conditions = ['p99 < 250ms', 'errors < 1%'].map((text): Threshold => {
  const parsed = parseCondition(text);
  assert.ok(parsed.ok);
  return { ...parsed.value, text, phase: null, operation: null };
});

interface Given extends Partial<CapacityPhaseRecord> {
  readonly ms?: number;
  readonly leastMs?: number;
  readonly byStatus?: Readonly<Record<string, number>>;
  readonly inTime?: number;
  /** Requests that went out, of 1,000 if absent. */
  readonly sent?: number;
  /** Responses that broke pets-array in this step, and in the warm-up, of 1,000 each. */
  readonly broken?: number;
  readonly brokenWarm?: number;
  /** Served in each second; as many as are sent if absent. */
  readonly servedEach?: readonly number[];
  readonly role?: FindStep['role'];
}

/** Returns a histogram of 1,000 equal times. */
const times = (value: number): string => {
  const histogram = newHistogram();
  for (let place = 0; place < 1000; place += 1) recordMs(histogram, value);
  return encoded(histogram);
};

const brokenBy = (count: number) =>
  count === 0
    ? []
    : [
        {
          requirement: 'pets-array',
          operation: 'listPets',
          message: 'no array',
          exchange: 'c1',
          count,
        } as const,
      ];

/** Returns the outcome of a step of 1,000 requests in 10 s. */
function stepWith(given: Given) {
  const { ms = 10, leastMs = ms, byStatus = { 200: 1000 }, inTime = 1000, sent = 1000 } = given;
  const { broken = 0, brokenWarm = 0, servedEach = [], role = 'climb', ...more } = given;
  const served = byStatus['200'] ?? 0;
  const operation = {
    operation: 'listPets' as const,
    sent,
    served,
    refused: byStatus['429'] ?? 0,
    errors: (sent || (byStatus['none'] ?? 0)) - served - (byStatus['429'] ?? 0) - (byStatus['404'] ?? 0),
    violations: 0,
    byStatus,
    inTime,
    latency: times(ms),
    service: times(ms),
    least: times(leastMs),
  };
  const record: CapacityPhaseRecord = {
    type: 'capacity-phase',
    phase: '3: 100/s',
    startedAt: 0,
    finishedAt: 10_000,
    intended: 1000,
    droppedLate: 0,
    droppedFull: 0,
    operations: [operation],
    byKey: {},
    violations: brokenBy(broken),
    saturated: null,
    lagMs: 0,
    cpu: 0,
    whole: true,
    remarks: [],
    ...more,
  };
  const sound = { ...operation, served: 1000, errors: 0, byStatus: { 200: 1000 } };
  const warm = { ...record, operations: [sound], shortPages: 0, violations: brokenBy(brokenWarm) };
  const seconds = servedEach.map(
    (each, nth) =>
      ({ phase: record.phase, at: (nth + 1) * 1000, ms: 1000, sent: 100, served: each }) as SecondRecord,
  );
  const move = { kind: 'step', role, perSecond: 100, seconds: 10 } as const;
  return stepOf(record, move, conditions, { warm, seconds });
}

const saturated = { fromMs: 0, perSecond: 100, cpu: 0.9 };

const CASES: readonly (readonly [what: string, given: Given, outcome: string, reason?: RegExp])[] = [
  ['meets all conditions', {}, 'holds'],
  ['is too slow', { ms: 612 }, 'misses', /^p99 was 612 ms$/],
  ['gets 5xx', { byStatus: { 200: 900, 503: 100 } }, 'misses', /errors was 10 %.*100 responses were 503/],
  [
    'is refused beyond the limit',
    { byStatus: { 200: 700, 429: 300 }, inTime: 700 },
    'misses',
    /70\/s were served.*429/,
  ],
  [
    'ends without any response',
    {
      byStatus: { 200: 995, none: 5 },
      stopped: { afterMs: 9000, ofMs: 10_000, failed: 5, cause: 'connect ECONNREFUSED' },
    },
    'misses',
    /^it got no response after 9 of 10 s \(connect ECONNREFUSED\)/,
  ],
  [
    'finds no server, and was late with 2 of 40 requests',
    {
      sent: 0,
      byStatus: { none: 38 },
      droppedLate: 2,
      stopped: { afterMs: 0, ofMs: 10_000, failed: 38, cause: 'connect ECONNREFUSED' },
    },
    'misses',
    /^it got no response after 0 of 10 s/,
  ],
  [
    'leaves 800 without a response',
    { droppedFull: 100 },
    'misses',
    /not sent, because too many had no response/,
  ],
  ['serves too little in its time', { inTime: 800 }, 'misses', /only 80\/s were served/],
  ['is answered wrongly', { broken: 900 }, 'misses', /^900 responses broke pets-array$/],
  ['is answered wrongly at any rate', { broken: 1000, brokenWarm: 1000 }, 'holds'],
  ['is answered wrongly once in a while', { broken: 25, brokenWarm: 10 }, 'holds'],
  [
    'gets empty pages',
    { shortPages: 900 },
    'misses',
    /^900 responses showed fewer than half of the animals$/,
  ],
  [
    'finds no animal any more',
    { byStatus: { 200: 950, 404: 50 } },
    'misses',
    /^50 responses found no animal/,
  ],
  [
    'keeps up, though each response takes three seconds',
    { inTime: 700, servedEach: [0, 0, 0, ...Array.from({ length: 7 }, () => 100)] },
    'holds',
  ],
  [
    'falls behind in its later half',
    { inTime: 940, servedEach: [100, 100, 100, 100, 100, ...Array.from({ length: 5 }, () => 88)] },
    'misses',
    /^only 94\/s were served$/,
  ],
  [
    'falls behind a little, for long',
    { inTime: 930, role: 'confirm', servedEach: Array.from({ length: 10 }, () => 93) },
    'misses',
    /^only 93\/s were served$/,
  ],
  ['misses on a saturated machine', { ms: 612, saturated }, 'generator'],
  [
    'misses by more than the stalls of a machine with other programs',
    { ms: 612, saturated: { ...saturated, cpu: 0.3 } },
    'misses',
    /^p99/,
  ],
  ['meets all conditions on a saturated machine', { saturated }, 'holds'],
  ['was delayed by the machine alone', { ms: 612, leastMs: 10 }, 'generator'],
  ['was not sent by the machine', { droppedLate: 100 }, 'generator'],
];
for (const [what, given, outcome, reason] of CASES)
  test(`a step that ${what}: ${outcome}`, () => {
    const step = stepWith(given);
    assert.equal(step.outcome, outcome);
    if (reason) assert.match(step.reasons.join('; '), reason);
    else assert.deepEqual(step.reasons, []);
  });
