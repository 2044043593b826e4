import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { gather } from '../../log/gathered.test.support.js';
import type { LogRecord } from '../../log/record.js';
import { capacityVerdict } from '../results.js';
import type { Answered } from '../meter.js';
import { mergeParts } from './merge.js';
import { all, BEGINS, logOf, merged, part, resultsOf, SOME, whole } from './merge.test.support.js';
import type { Part } from './part.js';

const anyAnswer: fc.Arbitrary<Answered> = fc.record({
  operation: fc.constantFrom('listPets', 'getPet'),
  status: fc.constantFrom(200, 0, 500, 429),
  outcome: fc.constantFrom('served', 'error', 'refused'),
  violates: fc.boolean(),
  reveals: fc.nat(3),
  isShort: fc.boolean(),
  latencyMs: fc.double({ min: 0.001, max: 2000, noNaN: true }),
  serviceMs: fc.double({ min: 0.001, max: 2000, noNaN: true }),
  leastMs: fc.double({ min: 0.001, max: 2000, noNaN: true }),
});

const byName = <T extends { readonly operation: string }>(all: readonly T[]): readonly T[] =>
  all.toSorted((one, other) => one.operation.localeCompare(other.operation));

test('merged parts equal the results of one process: counts and histograms are added', () => {
  fc.assert(
    fc.property(
      fc.array(anyAnswer, { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 2, max: 5 }),
      fc.integer({ min: -10_000, max: 10_000 }),
      (answers, count, clock) => {
        const alone = resultsOf(
          gather(mergeParts(new Map([[0, part('all', logOf(0, 2, { answers }))]]), whole(1))),
        );
        const parts = Array.from({ length: count }, (_, index) =>
          part(
            `p${index}`,
            logOf(index, count, {
              answers: answers.filter((__, at) => at % count === index),
              clock: clock * index,
            }),
          ),
        );
        const log = merged(parts);
        const together = resultsOf(log);
        const [one, other] = [alone.phases[0], together.phases[0]];
        assert.ok(one && other);
        assert.deepEqual({ ...other, operations: [] }, { ...one, operations: [] });
        assert.deepEqual(byName(other.operations), byName(one.operations));
        assert.deepEqual(together.thresholds, alone.thresholds);
        // One second of all parts, with common percentiles and its place in the whole.
        const [second, ...others] = log.capacity?.seconds ?? [];
        assert.deepEqual(others, []);
        assert.equal(second?.at, BEGINS + 1000);
        assert.equal(second?.sent, answers.length);
        // An encoded histogram keeps its longest time, which bounds a percentile, to three figures.
        const p99 = logOf(0, 2, { answers }).capacity?.seconds[0]?.p99 ?? 0;
        assert.ok(Math.abs((second?.p99 ?? 0) - p99) <= p99 / 1000 + 0.001, `${second?.p99} ${p99}`);
      },
    ),
    { numRuns: 50 },
  );
});

test('the run is judged if all parts are present', () => {
  const log = merged(all(3));
  assert.equal(log.footer?.complete, true);
  const results = resultsOf(log);
  assert.deepEqual(
    results.thresholds.map(({ outcome }) => outcome),
    ['met', 'met'],
  );
  assert.equal(capacityVerdict(results, true), 'conformant');
});

test('a single part is inconclusive even if it meets all thresholds', () => {
  const results = resultsOf(logOf(0, 3, { answers: SOME }));
  assert.deepEqual(
    results.thresholds.map(({ outcome }) => outcome),
    ['inconclusive', 'inconclusive'],
  );
  assert.equal(capacityVerdict(results, true), 'inconclusive');
});

const withFooter =
  (complete: boolean, reason: string | null) =>
  (records: readonly LogRecord[]): readonly LogRecord[] =>
    records.map((record) => (record.type === 'footer' ? { ...record, complete, reason } : record));

const SPOILT: readonly [what: string, parts: () => readonly Part[], problem: RegExp][] = [
  ['missing', () => all(3).slice(0, 2), /^part 3 is missing$/],
  [
    'interrupted',
    () => all(3, (index) => (index === 1 ? { change: withFooter(false, 'interrupted') } : {})),
    /^part 2 \(p2\) was cut short: interrupted$/,
  ],
  [
    'without a footer',
    () =>
      all(3, (index) =>
        index === 1 ? { change: (records) => records.filter(({ type }) => type !== 'footer') } : {},
      ),
    /^part 2 \(p2\) has a log without an end$/,
  ],
  [
    'late',
    () => all(3, (index) => (index === 2 ? { lateMs: 1234 } : {})),
    /^part 3 \(p3\) began 1\.2 s late$/,
  ],
];

for (const [what, parts, problem] of SPOILT)
  test(`a part that is ${what} is named, and the run is inconclusive`, () => {
    const log = merged(parts(), 3);
    const results = resultsOf(log);
    assert.equal(results.problems?.length, 1, results.problems?.join('; '));
    assert.match(results.problems?.[0] ?? '', problem);
    assert.ok(results.thresholds.every(({ outcome }) => outcome === 'inconclusive'));
    assert.equal(capacityVerdict(results, log.footer?.complete ?? false), 'inconclusive');
  });
