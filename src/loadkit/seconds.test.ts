import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SecondRecord } from '../log/capacity-record.js';
import { mergeSeconds } from './fleet/merge-figures.js';
import type { Answered } from './meter.js';
import { Seconds } from './seconds.js';

const STATUS = { served: 200, error: 503, refused: 429, other: 404 } as const;

type Group = readonly [count: number, ms: number, outcome: Answered['outcome']];

/** Returns a second in which groups of responses came. */
function secondOf(groups: readonly Group[], isPart = false): SecondRecord {
  const seconds = new Seconds(isPart);
  for (const [count, ms, outcome] of groups)
    for (let one = 0; one < count; one += 1) {
      const times = { latencyMs: ms, serviceMs: ms, leastMs: ms };
      seconds.answered({
        operation: 'listPets',
        status: STATUS[outcome],
        outcome,
        violates: false,
        isShort: false,
        reveals: 0,
        ...times,
      });
    }
  const { droppedLate: __, ...figures } = seconds.take();
  const health = { lagMs: 1, busy: 0.2, cpu: 0.2, underWay: 0, behind: false };
  return { type: 'second', phase: 'hold', at: 1000, ms: 1000, ...figures, ...health };
}

const rounded = ({ p50, p99, operations = [] }: SecondRecord) =>
  [p50, p99, operations[0]?.p50 ?? 0, operations[0]?.p99 ?? 0].map((ms) => Math.round(ms / 10) * 10);

const CASES: readonly (readonly [what: string, groups: readonly Group[], p50: number, p99: number])[] = [
  [
    'quick errors lower nothing',
    [
      [10, 100, 'served'],
      [90, 1, 'error'],
    ],
    100,
    100,
  ],
  [
    'slow errors do not drop out',
    [
      [95, 20, 'served'],
      [5, 5000, 'error'],
    ],
    20,
    5000,
  ],
  ['errors alone have no latency', [[20, 50, 'error']], 0, 0],
  [
    'quick refusals lower nothing',
    [
      [10, 100, 'served'],
      [90, 1, 'refused'],
    ],
    100,
    100,
  ],
  ['refusals alone have no latency', [[20, 50, 'refused']], 0, 0],
];

for (const [what, groups, p50, p99] of CASES)
  test(`in a second ${what}, also merged from parts`, () => {
    assert.deepEqual(rounded(secondOf(groups)), [p50, p99, p50, p99]);
    const parts = [0, 1].map((part) => ({ part, second: secondOf(groups, true), endMs: 1000 }));
    const [merged = assert.fail()] = mergeSeconds(parts, 0);
    assert.deepEqual(rounded(merged), [p50, p99, p50, p99]);
  });
