import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OperationName } from '../../base/interface/types.js';
import { sampleWith } from '../../testing/limiters/sample-with.js';
import { NOTHING_RUN } from './series.js';
import type { Asked, Part } from './asked.js';
import { readRun } from './key-run.js';
import { allOperations } from './rate-all-operations.js';

const AT = 1_800_000_000_000;
/** An even refill returns one request in 100 ms. */
const FIGURES = { perMinute: 60, perDay: 1000, minuteSeconds: 6, daySeconds: 86_400 };

type One = readonly [operation: OperationName, remaining: number, status?: number, part?: Part];

/** Returns requests one by one. */
const askedFrom = (from: number, gapMs: number, ...all: readonly One[]): readonly Asked[] =>
  all.map(([operation, remaining, status = 200, part = 'operations'], place) => ({
    ...sampleWith({
      sentAt: AT + from + gapMs * place,
      answeredAt: AT + from + gapMs * (place + 1),
      remaining,
    }),
    operation,
    status,
    part,
    question: 'second',
  }));

const shownOf = (asked: readonly Asked[]) =>
  allOperations(
    readRun({ ...NOTHING_RUN, key: 'free', figures: FIGURES, exclusive: true, aloneSince: 0, asked }, null),
  );

test('a return of a bucket that refills at half of the rate is no operation without a limit', () => {
  // Its last one comes after two intervals, between two refusals.
  const left = Array.from({ length: 9 }, (_, place): One => ['listPets', 9 - place, 200, 'burst']);
  const edge: readonly One[] = [
    ['listPets', 0, 200, 'burst'],
    ['listPets', 0, 429, 'together'],
    ['createPet', 0, 201, 'probe'],
    ['getPet', 0, 429, 'probe'],
    ['listPets', 0, 429, 'probe'],
  ];
  const shown = shownOf(askedFrom(0, 20, ...left, ...edge));
  assert.ok(shown?.kind === 'open' && shown.isBlunt, JSON.stringify(shown));
});

/** Three of each operation after a first request; creations show what a test gives. */
const ofEach = (creations: readonly [number, number, number], after: number): readonly One[] => [
  ['listPets', 59, 200, 'lone'],
  ['listPets', 58],
  ['listPets', 57],
  ['listPets', 56],
  ...creations.map((left): One => ['createPet', left, 201]),
  ['getPet', after],
  ['getPet', after - 1],
  ['getPet', after - 2],
  ['listPets', after - 3, 200, 'burst'],
];

const exemptOf = (creations: readonly [number, number, number], after: number) => {
  const shown = shownOf(askedFrom(0, 1, ...ofEach(creations, after)));
  return shown?.kind === 'once' && shown.violation.kind === 'violated'
    ? shown.violation.measured?.what
    : shown?.kind;
};

test('creations are counted by what other operations show, whatever their own Remaining is', () => {
  const uncounted = ['exempt', 'uncounted', 'createPet'];
  assert.deepEqual(exemptOf([56, 56, 56], 55), uncounted);
  assert.deepEqual(exemptOf([0, 0, 0], 55), uncounted);
  assert.deepEqual(exemptOf([60, 60, 60], 55), uncounted);
  assert.deepEqual(exemptOf([60, 60, 60], 52), ['exempt', 'shown', 'createPet']);
  assert.notDeepEqual(exemptOf([55, 54, 53], 52), uncounted);
});

test('an operation that lowers Remaining by too little is not called unlimited', () => {
  // Two counters in turn: each shows what it holds itself.
  const inTurn = shownOf(askedFrom(0, 1, ...ofEach([56, 55, 55], 54)));
  assert.ok(inTurn?.kind === 'once' && inTurn.violation.kind === 'violated', JSON.stringify(inTurn));
  assert.match(inTurn.violation.message, /Remaining does not count each request of createPet/);
  const stays = shownOf(askedFrom(0, 1, ...ofEach([56, 56, 56], 55)));
  assert.ok(stays?.kind === 'once' && stays.violation.kind === 'violated', JSON.stringify(stays));
  assert.match(stays.violation.message, /does not limit createPet/);
});

test('operations that no response shows are named in one sentence', () => {
  const shown = shownOf(askedFrom(0, 1, ...ofEach([55, 55, 54], 54)));
  assert.ok(shown?.kind === 'open', JSON.stringify(shown));
  assert.match(shown.text, /shows that createPet and getPet count against the limit$/);
});
