import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { headerRecord } from '../../log/records.test.support.js';
import { gather } from '../../log/gathered.test.support.js';
import type { RunLog } from '../../log/run-log.js';
import type { LogRecord } from '../../log/record.js';
import type { CapacityResults } from '../capacity-shape.js';
import { capacityOf, capacityVerdict } from '../results.js';
import { Meter, type Answered } from '../meter.js';
import { Seconds } from '../seconds.js';
import { parseScenario } from '../../wire/scenario/scenario.js';
import { mergeParts, type Whole } from './merge.js';
import type { Part } from './part.js';

const scenario = parseScenario(
  `name: small
phases: [{ name: hold, duration: 10s, rate: 10/s }]
operations: [{ operation: listPets, weight: 1 }, { operation: getPet, weight: 1 }]
thresholds: [p99 < 1s, errors < 50%]`,
  's.yaml',
);

const BEGINS = Date.UTC(2026, 0, 1);

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

interface PartOptions {
  readonly answers?: readonly Answered[];
  /** This part's clock minus the shared clock, ms. */
  readonly clock?: number;
  readonly change?: (records: readonly LogRecord[]) => readonly LogRecord[];
  readonly lateMs?: number;
}

/** Returns the log of a slice with these responses. */
function logOf(index: number, count: number, options: PartOptions = {}): RunLog {
  const { answers = [], clock = 0, change, lateMs = 0 } = options;
  const [meter, seconds] = [new Meter(), new Seconds(true)];
  for (const answer of answers) {
    meter.sent(answer.operation, 'free');
    seconds.sent(0);
    meter.answered(answer);
    seconds.answered(answer);
  }
  const startAt = BEGINS + clock;
  const { lateMs: late, droppedLate: _, ...second } = seconds.take();
  const selection = { scenario: 'small' };
  const records: readonly LogRecord[] = [
    { ...headerRecord, scope: { ...headerRecord.scope, selection } },
    {
      type: 'scenario',
      scenario,
      slice: { index, count },
      keys: ['free'],
      leftOut: [],
      startAt,
      together: { beginsAt: BEGINS, lateMs },
    },
    {
      type: 'second',
      phase: 'hold',
      at: startAt + 1000,
      ms: 1000,
      ...second,
      lagMs: 1,
      busy: 0.1,
      cpu: 0.1,
      underWay: 0,
      lateMs: late,
      behind: false,
    },
    {
      type: 'capacity-phase',
      phase: 'hold',
      startedAt: startAt,
      finishedAt: startAt + 10_000,
      intended: answers.length,
      ...meter.totals(),
      violations: [],
      saturated: null,
      lagMs: index,
      cpu: 0.1,
      whole: true,
      remarks: [],
    },
    { type: 'footer', complete: true, reason: null, finishedAt: new Date(BEGINS + 11_000).toISOString() },
  ];
  return gather(change ? change(records) : records);
}

const whole = (count: number, changes: Partial<Whole> = {}): Whole => ({
  header: headerRecord,
  scenario,
  count,
  beginsAt: BEGINS,
  ended: null,
  problems: [],
  senders: new Map(),
  ...changes,
});

const part = (name: string, log: RunLog): Part => ({ name, log });

function resultsOf(log: RunLog): CapacityResults {
  assert.ok(log.capacity);
  return capacityOf(log.capacity, log.footer);
}

/** Returns the merged log of the parts, by place; of `count` parts if some are missing. */
const merged = (parts: readonly Part[], count = parts.length): RunLog =>
  gather(mergeParts(new Map(parts.entries()), whole(count)));

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

const all = (count: number, options: (index: number) => PartOptions = () => ({})): Part[] =>
  Array.from({ length: count }, (_, index) =>
    part(`p${index + 1}`, logOf(index, count, { answers: SOME, ...options(index) })),
  );

const SOME: readonly Answered[] = [
  {
    operation: 'listPets',
    status: 200,
    outcome: 'served',
    violates: false,
    reveals: 0,
    isShort: false,
    latencyMs: 5,
    serviceMs: 5,
    leastMs: 5,
  },
];

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
    { cause: 'EADDRNOTAVAIL', count: 4 },
    { cause: 'EMFILE', count: 1 },
  ]);
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
});
