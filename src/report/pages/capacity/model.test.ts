import assert from 'node:assert/strict';
import { test } from 'node:test';
import { array, assert as assertProperty, constantFrom, integer, property, record } from 'fast-check';
import type { CapacityLog, CapacityPhaseRecord, SecondRecord } from '../../../log/capacity-record.js';
import { encoded, newHistogram, recordMs } from '../../../log/histogram.js';
import { distributionsOf, percentileCurves, rateOf, timelineOf } from './model.js';

const second = (phase: string, at: number, ms: number, sent: number): SecondRecord => ({
  type: 'second',
  phase,
  at,
  ms,
  intended: sent,
  sent,
  served: sent,
  refused: 0,
  errors: 0,
  violations: 0,
  byStatus: { 200: sent },
  dropped: 0,
  p50: 1,
  p90: 1,
  p99: 1,
  max: 1,
  lagMs: 0,
  busy: ms < 100 ? 1 : 0.1,
  cpu: 0.1,
  underWay: 0,
  lateMs: 0,
  behind: ms < 100,
});

const logOf = (seconds: readonly SecondRecord[]): CapacityLog =>
  ({ scenario: { startAt: 0 }, agents: null, seconds, phases: [] }) as unknown as CapacityLog;

test('an incomplete second at the edge of a phase causes no dip or peak', () => {
  const { moments, line } = timelineOf(
    logOf([
      second('a', 1000, 1000, 10),
      second('a', 2000, 1000, 10),
      second('a', 2300, 300, 2),
      second('b', 2303, 3, 0),
      second('b', 3303, 1000, 10),
    ]),
  );
  assert.deepEqual(
    moments.map(({ second: { phase, ms } }) => [phase, ms]),
    [
      ['a', 1000],
      ['a', 1300],
      ['b', 1003],
    ],
  );
  assert.ok(line(rateOf(({ sent }) => sent)).every(([, rate]) => rate > 9));
  assert.ok(moments.every(({ second: { behind, busy } }) => !behind && busy < 0.2));
});

test('moments are contiguous within a phase and contain all requests', () =>
  assertProperty(
    property(
      array(record({ ms: integer({ min: 1, max: 2000 }), phase: constantFrom('a', 'b') }), {
        minLength: 1,
        maxLength: 2500,
      }),
      (pieces) => {
        let at = 0;
        const seconds = pieces.map(({ ms, phase }) => second(phase, (at += ms), ms, ms));
        const { moments } = timelineOf(logOf(seconds));
        assert.equal(
          moments.reduce((sum, { second: { sent } }) => sum + sent, 0),
          at,
        );
        moments
          .slice(1)
          .forEach(({ from }, place) => assert.ok(Math.abs(from - (moments[place]?.to ?? 0)) < 1e-9));
      },
    ),
    { numRuns: 40 },
  ));

test('a phase without a response that is no error has no curve and no distribution', () => {
  const times = newHistogram();
  for (let nth = 0; nth < 100; nth += 1) recordMs(times, 2);
  const latency = encoded(times);
  const phases = [
    {
      phase: 'a',
      startedAt: 0,
      finishedAt: 1000,
      operations: [{ byStatus: { none: 100 }, latency, failed: { latency, least: latency } }],
    } as unknown as CapacityPhaseRecord,
  ];
  assert.deepEqual(percentileCurves(phases), []);
  assert.deepEqual(distributionsOf(phases).distributions, []);
});

test('quick errors do not lower the curve of percentiles, as they do not lower those of the tables', () => {
  const [slow, quick, both] = [newHistogram(), newHistogram(), newHistogram()];
  for (let nth = 0; nth < 100; nth += 1) {
    recordMs(slow, 100);
    recordMs(quick, 1);
  }
  both.add(slow);
  both.add(quick);
  const failed = { latency: encoded(quick), least: encoded(quick) };
  const [curve] = percentileCurves([
    {
      phase: 'a',
      startedAt: 0,
      finishedAt: 1000,
      operations: [{ byStatus: { 200: 100, 503: 100 }, latency: encoded(both), failed }],
    } as unknown as CapacityPhaseRecord,
  ]);
  assert.ok(curve?.points.every(([, ms]) => ms > 99));
});
