import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encoded, newHistogram, recordMs } from '../../log/histogram.js';
import type { CapacityPhaseRecord } from '../../log/capacity-record.js';
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
}

/** Returns a histogram of 1,000 equal times. */
const times = (value: number): string => {
  const histogram = newHistogram();
  for (let place = 0; place < 1000; place += 1) recordMs(histogram, value);
  return encoded(histogram);
};

/** Returns the outcome of a step of 1,000 requests in 10 s. */
function stepWith({ ms = 10, leastMs = ms, byStatus = { 200: 1000 }, inTime = 1000, ...more }: Given) {
  const served = byStatus['200'] ?? 0;
  const operation = {
    operation: 'listPets' as const,
    sent: 1000,
    served,
    refused: byStatus['429'] ?? 0,
    errors: 1000 - served - (byStatus['429'] ?? 0),
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
    violations: [],
    saturated: null,
    lagMs: 0,
    cpu: 0,
    whole: true,
    remarks: [],
    ...more,
  };
  return stepOf(record, { kind: 'step', role: 'climb', perSecond: 100, seconds: 10 }, conditions);
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
  ['leaves 800 without a response', { droppedFull: 100 }, 'misses', /not sent, because too many had no response/],
  ['serves too little in its time', { inTime: 800 }, 'misses', /only 80\/s were served/],
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
