import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { array, assert as holds, constant, constantFrom, integer, oneof, property, record } from 'fast-check';
import type { OperationName } from '../../base/interface/types.js';
import { comesInTurn, ownAllowances } from './own-allowance.js';
import type { Sample } from './sample.js';
import type { Figures } from './bounds.js';

const FIGURES: Figures = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };
const OPERATIONS: readonly OperationName[] = ['listPets', 'createPet', 'getPet'];

const sample = (operation: OperationName, at: number, remaining: number): Sample => ({
  intendedAt: at,
  sentAt: at,
  answeredAt: at + 0.5,
  operation,
  status: operation === 'createPet' ? 201 : 200,
  limit: 60,
  remaining,
  reset: 1_800_000_060,
  retryAfter: null,
  date: null,
});

/** Sends operations in sequence; `counterOf` names the counter of each. */
function burst(
  operations: readonly OperationName[],
  counterOf: (operation: OperationName) => string,
): readonly Sample[] {
  const used = new Map<string, number>();
  return operations.map((operation, index) => {
    const counter = counterOf(operation);
    used.set(counter, (used.get(counter) ?? 0) + 1);
    return sample(operation, 1_800_000_000_000 + index, 60 - (used.get(counter) ?? 0));
  });
}

const asSent: readonly OperationName[] = [
  ...Array.from({ length: 48 }, () => 'listPets' as const),
  ...(['createPet', 'createPet', 'createPet', 'getPet', 'getPet', 'getPet'] as const),
  ...Array.from({ length: 6 }, () => 'listPets' as const),
];

describe('operations with separate counters', () => {
  it('are all found', () => {
    const own = ownAllowances(
      burst(asSent, (operation) => operation),
      FIGURES,
    );
    assert.deepEqual([...own].toSorted(), ['createPet', 'getPet']);
  });

  it('are found if only one operation has a separate counter', () => {
    const own = ownAllowances(
      burst(asSent, (operation) => (operation === 'getPet' ? 'fetches' : 'rest')),
      FIGURES,
    );
    assert.deepEqual([...own], ['getPet']);
  });

  it('are not found if one counter counts all operations, in any order and window', () => {
    const operation = constantFrom(...OPERATIONS);
    const step = record({ operation, waitMs: oneof(constant(1), integer({ min: 0, max: 70_000 })) });
    holds(
      property(array(step, { maxLength: 200 }), (steps) => {
        let [at, end, used] = [1_800_000_000_000, 0, 0];
        const samples = steps.flatMap(({ operation: next, waitMs }) => {
          at += waitMs;
          if (at >= end) [end, used] = [at + 60_000, 0];
          used += 1;
          return used > 60 ? [] : [sample(next, at, 60 - used)];
        });
        assert.deepEqual([...ownAllowances(samples, FIGURES)], []);
      }),
    );
  });
});

/** Returns windows of one counter on ten connections; half of the requests open at an end still count in it. */
const acrossEdges = (windows: number): readonly Sample[] =>
  Array.from({ length: windows * 40 }, (_, index) => {
    const at = 1_800_000_000_000 + index;
    const isLate = index % 40 < 10 && index % 2 === 1 && index >= 40;
    const left = isLate ? 19 - (index % 40) : 59 - (index % 40);
    return { ...sample('listPets', at, left), answeredAt: at + 10 };
  });

describe('alternating Remaining values', () => {
  it('are not reported for parallel requests at the end of a window', () => {
    for (const windows of [2, 3, 8]) assert.equal(comesInTurn(acrossEdges(windows), FIGURES), false);
  });

  it('are reported if one of two servers counts nothing', () => {
    const inTurn = acrossEdges(1).map((one, index) => (index % 2 === 0 ? one : { ...one, remaining: 60 }));
    assert.equal(comesInTurn(inTurn, FIGURES), true);
  });
});
