import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Unjudgeable } from '../probes/unjudgeable.js';
import { daysBetween } from '../../base/kernel/day.js';
import { removalPhaseAt, removalPhaseOn, type RemovalPhase } from '../../base/interface/removal-phase.js';
import { afterRemoval, beforeRemoval } from './operations.js';

const DATE = '2030-12-05';

/** Kiritimati begins the day first, at UTC+14; UTC-12 ends it last. */
const INSTANTS: readonly (readonly [instant: string, phase: RemovalPhase])[] = [
  ['2030-12-04T09:59:59.999Z', 'before'],
  ['2030-12-04T23:59:59+14:00', 'before'],
  ['2030-12-05T00:00:00+14:00', 'on-the-day'],
  ['2030-12-05T12:00:00Z', 'on-the-day'],
  ['2030-12-05T23:59:59.999-12:00', 'on-the-day'],
  ['2030-12-06T00:00:00-12:00', 'after'],
  ['2030-12-06T12:00:00Z', 'after'],
  ['2026-11-20T10:00:00Z', 'before'],
  ['2031-01-01T00:00:00Z', 'after'],
];

for (const [instant, phase] of INSTANTS)
  test(`${instant} is "${phase}" for the removal date`, () =>
    assert.equal(removalPhaseAt(DATE, Date.parse(instant)), phase));

for (const [date, phase] of [
  ['2030-12-04', 'before'],
  ['2030-12-05', 'on-the-day'],
  ['2030-12-06', 'after'],
  ['2026-01-01', 'before'],
] as const)
  test(`the date ${date} is "${phase}" for the removal date`, () =>
    assert.equal(removalPhaseOn(DATE, date), phase));

test('an instant is "on-the-day" while any time zone has that date', () => {
  fc.assert(
    fc.property(fc.integer({ min: -72, max: 96 }), fc.integer({ min: 0, max: 3_599_999 }), (hour, ms) => {
      const instant = Date.parse(`${DATE}T00:00:00Z`) + hour * 3_600_000 + ms;
      const dates = Array.from({ length: 27 }, (_, at) =>
        new Date(instant + (at - 12) * 3_600_000).toISOString().slice(0, 10),
      );
      assert.equal(removalPhaseAt(DATE, instant) === 'on-the-day', dates.includes(DATE));
      if (!dates.includes(DATE))
        assert.equal(removalPhaseAt(DATE, instant), removalPhaseOn(DATE, dates[0] ?? ''));
    }),
  );
});

test('days until removal are calendar days', () => {
  assert.equal(daysBetween('2030-12-04', DATE), 1);
  assert.equal(daysBetween('2026-11-20', DATE), 1476);
  assert.equal(daysBetween('2030-12-05', DATE), 0);
});

/** Returns the message of a guard, or null if it accepts. */
function said(guard: typeof beforeRemoval, removal: RemovalPhase, asOf: string): string | null {
  try {
    guard({ removal, removalDate: DATE, asOf });
    return null;
  } catch (error) {
    assert.ok(error instanceof Unjudgeable && error.judgement.kind === 'not-applicable');
    assert.equal(error.judgement.reason.code, 'removal-date');
    return error.judgement.reason.text;
  }
}

test('each guard allows only its own phase, and states the remaining days', () => {
  assert.equal(said(beforeRemoval, 'before', '2026-11-20'), null);
  assert.equal(said(afterRemoval, 'after', '2031-01-01'), null);
  assert.equal(said(afterRemoval, 'before', '2026-11-20'), 'before 2030-12-05 (1,476 days left)');
  assert.equal(said(afterRemoval, 'before', '2030-12-04'), 'before 2030-12-05 (1 day left)');
  assert.match(said(beforeRemoval, 'after', '2031-01-01') ?? '', /after 2030-12-05/);
  for (const guard of [beforeRemoval, afterRemoval])
    assert.match(said(guard, 'on-the-day', '2030-12-05') ?? '', /on 2030-12-05/);
});
