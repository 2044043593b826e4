import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CapacityPhaseRecord, ScenarioRecord, SecondRecord } from '../../log/capacity-record.js';
import { decideRefusals, type PartSecond } from './decide-refusals.js';

const scenario = (more: object = {}): ScenarioRecord =>
  ({
    type: 'scenario',
    sharedKeys: [{ key: 'free', perMinute: 60, perDay: 5000, windowMs: 10_000, earlier: 1, ...more }],
  }) as unknown as ScenarioRecord;

/** Returns a second of a part, counted from 1, in which it sent requests and could not decide on some 429s. */
const second = (part: number, nth: number, sent: number, refused: number): PartSecond => ({
  part,
  endMs: nth * 1000,
  second: {
    type: 'second',
    phase: 'hold',
    ms: 1000,
    refused,
    errors: 0,
    keyUse: [
      {
        key: 'free',
        sent,
        undecided: refused === 0 ? [] : [{ operation: 'listPets', phase: 'hold', count: refused }],
      },
    ],
  } as unknown as SecondRecord,
});

const phase = (refused: number): CapacityPhaseRecord =>
  ({
    phase: 'hold',
    operations: [
      { operation: 'listPets', refused, errors: 2 },
      { operation: 'getPet', refused: 1, errors: 0 },
    ],
  }) as unknown as CapacityPhaseRecord;

/** Returns refusals and errors of each second and of the listings of the phase. */
function decided(seconds: readonly PartSecond[], scenarios = [scenario(), scenario()]) {
  const decision = decideRefusals(seconds, scenarios);
  const all = seconds.reduce((sum, one) => sum + one.second.refused, 0);
  const { operations } = decision.phase(phase(all));
  return {
    seconds: seconds
      .map((one) => decision.second(one.second))
      .map(({ refused, errors }) => [refused, errors]),
    listings: [operations[0]?.refused, operations[0]?.errors],
    fetches: [operations[1]?.refused, operations[1]?.errors],
  };
}

test('a 429 that is beyond the allowance only for all parts together is no error', () => {
  const { seconds, listings, fetches } = decided([second(0, 1, 30, 0), second(1, 1, 31, 3)]);
  assert.deepEqual(seconds, [
    [0, 0],
    [3, 0],
  ]);
  assert.deepEqual(
    [listings, fetches],
    [
      [3, 2],
      [1, 0],
    ],
  );
});

test('a 429 within the allowance of all parts together is an error', () => {
  const { seconds, listings, fetches } = decided([second(0, 1, 20, 2), second(1, 2, 20, 3)]);
  assert.deepEqual(seconds, [
    [0, 2],
    [0, 3],
  ]);
  assert.deepEqual(
    [listings, fetches],
    [
      [0, 7],
      [1, 0],
    ],
  );
});

test('what was sent counts for a window, and a limiter may hold a key for another one after a refusal', () => {
  const late = [second(0, 1, 70, 1), second(1, 12, 1, 1), second(0, 30, 1, 1)];
  assert.deepEqual(decided(late).seconds, [
    [1, 0],
    [1, 0],
    [0, 1],
  ]);
});

test('each shared key has its own allowance, of the minute and of the day', () => {
  const other = { key: 'pro', perMinute: 300, perDay: 5000, windowMs: 10_000, earlier: 0 };
  const both = { ...scenario(), sharedKeys: [...(scenario().sharedKeys ?? []), other] } as ScenarioRecord;
  const { second: busy, ...rest } = second(0, 1, 2, 1);
  const pro = { key: 'pro' as const, sent: 200, undecided: [] };
  const mixed = { ...rest, second: { ...busy, keyUse: [...(busy.keyUse ?? []), pro] } };
  assert.deepEqual(decided([mixed], [both]).seconds, [[0, 1]]);
  const spent = scenario({ perDay: 40 });
  assert.deepEqual(decided([second(0, 1, 30, 0), second(0, 15, 30, 4)], [spent]).seconds, [
    [0, 0],
    [4, 0],
  ]);
});
