import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FindRecord } from '../../log/capacity-record.js';
import type { FindStep } from '../../log/load-shapes.js';
import { loadRun } from '../acceptance/load-history.js';
import type { Results } from '../results/results.js';
import { findSentence } from './find.js';

const step = (perSecond: number, more: Partial<FindStep> = {}): FindStep => ({
  phase: `${perSecond}/s`,
  role: 'climb',
  perSecond,
  seconds: 10,
  sent: perSecond * 10,
  throughput: perSecond,
  p50: 5,
  p99: 20,
  errors: 0,
  outcome: 'holds',
  reasons: [],
  ...more,
});

const misses = (perSecond: number, ...reasons: readonly string[]): FindStep =>
  step(perSecond, { outcome: 'misses', reasons });

const stops = (perSecond: number, afterMs: number): FindStep => ({
  ...misses(perSecond),
  p50: 0,
  p99: 0,
  stopped: { afterMs, ofMs: 10_000, failed: 300, cause: 'connect ECONNREFUSED' },
});

const found = (more: Partial<FindRecord> = {}): Omit<FindRecord, 'type'> => ({
  conditions: ['p99 < 250ms', 'errors < 1%'],
  most: 2000,
  mostIs: 'option',
  samples: 500,
  steps: [
    step(320),
    misses(640, 'p99 was 2 s', '37 responses were 503'),
    misses(430, 'p99 was 612 ms'),
    step(410, { role: 'confirm', sent: 12_300 }),
  ],
  answer: { kind: 'found', perSecond: 410 },
  ...more,
});

const CASES: readonly (readonly [what: string, find: Omit<FindRecord, 'type'>, sentence: string])[] = [
  [
    'a limit, and the next of another kind',
    found(),
    'carries 410 requests/s with p99 < 250ms and errors < 1%; at 430/s p99 was 612 ms; the next limit seen: 37 responses were 503 at 640/s',
  ],
  [
    'the end of the plan, with too few requests',
    found({
      mostIs: 'plan',
      most: 0.91,
      steps: [step(0.91, { role: 'confirm', sent: 109 })],
      answer: { kind: 'bound', perSecond: 0.91 },
    }),
    'the plan ends before the server does: it carries at least 0.91 requests/s with p99 < 250ms and errors < 1%; judged by 109 requests, of the 500 that this needs',
  ],
  [
    'a search that was ended, with what it has met',
    found({ answer: { kind: 'ended', perSecond: 320 } }),
    'the search ended early; 320/s held so far; at 430/s p99 was 612 ms',
  ],
  [
    'no rate',
    found({ steps: [misses(1, 'p99 was 3 s')], answer: { kind: 'none', perSecond: 1 } }),
    'does not hold p99 < 250ms and errors < 1% even at 1 request/s: p99 was 3 s',
  ],
  [
    'a server that got worse',
    found({
      steps: [
        step(80, { outcome: 'generator', p50: 300, p99: 500 }),
        step(80),
        step(80, { role: 'again', p50: 90, p99: 900 }),
      ],
      answer: { kind: 'worse', perSecond: 80 },
    }),
    'the server got worse during the search, so no rate can be named: at 80/s p50 was 5 ms and p99 20 ms at first, p50 was 90 ms and p99 900 ms at the end',
  ],
  [
    'the generator',
    found({ steps: [], answer: { kind: 'generator', perSecond: 4000 } }),
    'the generator was the bottleneck at 4,000/s, so the search found nothing about the server',
  ],
  [
    'what held before the generator was the bottleneck',
    found({ steps: [step(1000), step(2000)], answer: { kind: 'generator', perSecond: 4000 } }),
    'carries at least 2,000 requests/s with p99 < 250ms and errors < 1%; the generator was the bottleneck at 4,000/s, so the search cannot name the highest rate',
  ],
  [
    'a rate that held each time, below those that did not for long',
    found({
      steps: [
        step(5120),
        misses(10_240, 'p99 was 2 s'),
        step(7000),
        step(7000, { role: 'confirm', outcome: 'misses', reasons: ['p99 was 300 ms'] }),
        step(5120, { role: 'again' }),
        step(6510, { role: 'confirm', outcome: 'misses', reasons: ['p99 was 290 ms'] }),
        step(6054, { role: 'confirm', outcome: 'misses', reasons: ['p99 was 280 ms'] }),
        step(5120, { role: 'again' }),
      ],
      answer: { kind: 'unsteady', perSecond: 6054 },
    }),
    'carries at least 5,120 requests/s with p99 < 250ms and errors < 1%, which held in 3 steps; no higher rate held for long: the last try, at 6,054/s, missed: p99 was 280 ms',
  ],
  [
    'no rate that held for long',
    found({
      steps: [step(80, { role: 'confirm', outcome: 'misses', reasons: ['p99 was 300 ms'] })],
      answer: { kind: 'unsteady', perSecond: 80 },
    }),
    'no rate held p99 < 250ms and errors < 1% for long: the last try, at 80/s, missed: p99 was 300 ms',
  ],
  [
    'a server that stopped responding',
    found({
      steps: [step(40), stops(80, 3100), stops(60, 0)],
      answer: { kind: 'stopped', perSecond: 40 },
    }),
    'the server stopped responding in the step at 80/s (connect ECONNREFUSED), so no rate can be named; 40/s held before',
  ],
  [
    'a server that was gone from the first step',
    found({ steps: [stops(10, 0)], answer: { kind: 'stopped', perSecond: 0 } }),
    'the server stopped responding before the step at 10/s (connect ECONNREFUSED), so no rate can be named',
  ],
  [
    'what was wrong where nothing succeeded at the end',
    found({
      steps: [step(80), misses(80, '800 responses were 503')].map((one) => ({
        ...one,
        ...(one.outcome === 'misses' && { p50: 0, p99: 0 }),
      })),
      answer: { kind: 'worse', perSecond: 80 },
    }),
    'the server got worse during the search, so no rate can be named: at 80/s p50 was 5 ms and p99 20 ms at first, 800 responses were 503 at the end',
  ],
];
for (const [what, find, sentence] of CASES)
  test(`the answer of a search names ${what}`, () => assert.equal(findSentence(find), sentence));

test('a history names the throughput and the latency of the rate that a search found', () => {
  const { steps } = found();
  const phases = steps.map(({ phase, perSecond, outcome }) => ({
    name: phase,
    perSecond,
    latencyMs: { p99: outcome === 'holds' ? 20 : 9000 },
  }));
  const results = {
    target: { name: 't' },
    scope: {},
    capacity: { phases, find: found() },
  } as unknown as Results;
  const { phases: shown, search } = loadRun('a-folder', results);
  assert.deepEqual(
    shown.map(({ throughput, p99 }) => [throughput, p99]),
    [[410, 20]],
  );
  assert.equal(search?.words, '410/s');
});
