import assert from 'node:assert/strict';
import { headerRecord } from '../../log/records.test.support.js';
import { gather } from '../../log/gathered.test.support.js';
import type { RunLog } from '../../log/run-log.js';
import type { LogRecord } from '../../log/record.js';
import type { CapacityResults } from '../capacity-shape.js';
import { capacityOf } from '../results.js';
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

export const BEGINS = Date.UTC(2026, 0, 1);

interface PartOptions {
  readonly answers?: readonly Answered[];
  /** This part's clock minus the shared clock, ms. */
  readonly clock?: number;
  readonly change?: (records: readonly LogRecord[]) => readonly LogRecord[];
  readonly lateMs?: number;
}

/** Returns the log of a slice with these responses. */
export function logOf(index: number, count: number, options: PartOptions = {}): RunLog {
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

export const whole = (count: number, changes: Partial<Whole> = {}): Whole => ({
  header: headerRecord,
  scenario,
  count,
  beginsAt: BEGINS,
  ended: null,
  problems: [],
  senders: new Map(),
  ...changes,
});

export const part = (name: string, log: RunLog): Part => ({ name, log });

export function resultsOf(log: RunLog): CapacityResults {
  assert.ok(log.capacity);
  return capacityOf(log.capacity, log.footer);
}

/** Returns the merged log of the parts, by place; of `count` parts if some are missing. */
export const merged = (parts: readonly Part[], count = parts.length): RunLog =>
  gather(mergeParts(new Map(parts.entries()), whole(count)));

/** Returns parts with a response each. */
export const all = (count: number, options: (index: number) => PartOptions = () => ({})): Part[] =>
  Array.from({ length: count }, (_, index) =>
    part(`p${index + 1}`, logOf(index, count, { answers: SOME, ...options(index) })),
  );

export const SOME: readonly Answered[] = [
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
