import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gather } from '../../log/gathered.test.support.js';
import { capacityVerdict } from '../results.js';
import type { Answered } from '../meter.js';
import { mergeParts } from './merge.js';
import { all, logOf, merged, part, resultsOf, whole } from './merge.test.support.js';

test('a violation in one part fails the whole run', () => {
  const violation = {
    requirement: 'pet-shape',
    operation: 'listPets',
    message: 'id 17 is wrong',
    exchange: 'c1',
    count: 2,
  } as const;
  const log = merged(
    all(3, (index) => ({
      change: (records) =>
        records.map((record) =>
          record.type === 'capacity-phase'
            ? {
                ...record,
                violations: index === 0 ? [] : [{ ...violation, message: `id ${index} is wrong` }],
              }
            : record,
        ),
    })),
  );
  const results = resultsOf(log);
  assert.deepEqual(
    results.violations.map(({ exchange, count }) => [exchange, count]),
    [['c1-2', 4]],
  );
  assert.equal(capacityVerdict(results, true), 'non-conformant');
});

test('a saturated agent is named with its phase', () => {
  const results = resultsOf(
    merged(
      all(2, (index) => ({
        change: (records) =>
          records.map((record) =>
            record.type === 'capacity-phase' && index === 1
              ? { ...record, saturated: { fromMs: 3000, perSecond: 7 } }
              : record,
          ),
      })),
    ),
  );
  assert.deepEqual(results.phases[0]?.saturated, { fromMs: 3000, perSecond: 7, agent: 'p2' });
  assert.ok(results.thresholds.every(({ outcome }) => outcome === 'inconclusive'));
  assert.deepEqual(
    results.agents.map(({ name, saturated }) => [name, saturated]),
    [
      ['p1', false],
      ['p2', true],
    ],
  );
});

test('what the machines of several parts could not connect for adds up by its cause', () => {
  const limits = [
    { cause: 'EADDRNOTAVAIL', count: 2 },
    { cause: 'EMFILE', count: 1 },
  ];
  const results = resultsOf(
    merged(
      all(2, (index) => ({
        change: (records) =>
          records.map((record) =>
            record.type === 'capacity-phase' ? { ...record, exhausted: limits.slice(0, index + 1) } : record,
          ),
      })),
    ),
  );
  assert.deepEqual(results.phases[0]?.exhausted, [
    { cause: 'EADDRNOTAVAIL', count: 4, agents: ['p1', 'p2'] },
    { cause: 'EMFILE', count: 1, agents: ['p2'] },
  ]);
  assert.match(results.thresholds[0]?.reason ?? '', /^the machine of p1 and p2 has no port left/);
});

test('a standstill names the part whose machine stood still longest', () => {
  const results = resultsOf(
    merged(
      all(3, (index) => ({
        change: (records) =>
          records.map((record) =>
            record.type === 'capacity-phase' && index > 0 ? { ...record, stoodMs: 3000 * index } : record,
          ),
      })),
    ),
  );
  assert.deepEqual(results.phases[0]?.remarks, ['the machine of p3 stood still for 6 s']);
});

const failing: Answered = {
  operation: 'listPets',
  status: 0,
  outcome: 'error',
  violates: false,
  reveals: 0,
  isShort: false,
  latencyMs: 2,
  serviceMs: 2,
  leastMs: 2,
  cause: 'connect ECONNREFUSED',
};

test('a phase with failures only has no latency, also merged from parts', () => {
  const logs = [0, 1].map((index) => logOf(index, 2, { answers: [failing, failing] }));
  const merged = gather(
    mergeParts(new Map(logs.map((log, index) => [index, part(`p${index}`, log)])), whole(2)),
  );
  for (const log of [logOf(0, 1, { answers: [failing] }), merged]) {
    const [phase = assert.fail()] = resultsOf(log).phases;
    assert.deepEqual(Object.values({ ...phase.latencyMs, ...phase.serviceMs }), [0, 0, 0, 0, 0, 0]);
    assert.deepEqual(Object.values(phase.operations[0]?.latencyMs ?? {}), [0, 0, 0, 0, 0, 0]);
  }
  assert.deepEqual(resultsOf(merged).phases[0]?.causes, [{ cause: 'connect ECONNREFUSED', count: 4 }]);
  assert.deepEqual(resultsOf(merged).phases[0]?.remarks, ['4 requests failed: connect ECONNREFUSED']);
});

/** Returns the merged phase of two parts with these changes to their records. */
function mergedPhase(changes: readonly object[]) {
  const logs = changes.map((more, index) =>
    logOf(index, 2, {
      answers: [failing],
      change: (records) => records.map((one) => (one.type === 'capacity-phase' ? { ...one, ...more } : one)),
    }),
  );
  const parts = new Map(logs.map((log, index) => [index, part(`p${index}`, log)]));
  return gather(mergeParts(parts, whole(2))).capacity?.phases[0];
}

const stopped = (afterMs: number) => ({ afterMs, ofMs: 10_000, failed: 5, cause: 'refused' });

test('a whole is without responses while none of its parts gets one', () => {
  const merged = mergedPhase([
    { gaps: [{ atMs: 1000, ms: 2000 }], stopped: stopped(7000), stoodMs: 1500 },
    { gaps: [{ atMs: 2000, ms: 3000 }], stopped: stopped(8000) },
  ]);
  assert.deepEqual(merged?.gaps, [{ atMs: 2000, ms: 1000 }]);
  assert.deepEqual(merged.stopped, { ...stopped(8000), failed: 10 });
  assert.equal(merged.stoodMs, 1500);
  assert.deepEqual(mergedPhase([{}, { stopped: stopped(7000) }])?.stopped, { ...stopped(7000), agent: 'p1' });
  assert.equal(mergedPhase([{ gaps: [] }, {}])?.gaps, undefined);
  const gaps = [{ atMs: 1000, ms: 2000 }];
  const times = { startedAt: 500, finishedAt: 10_500 };
  const none = { gaps: [], operations: [], ...times, finishedAt: 510 };
  assert.deepEqual(mergedPhase([{ gaps, ...times }, none])?.gaps, gaps, 'a part without a connection');
});
