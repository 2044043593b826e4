import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Sample } from './sample.js';
import type { Figures } from './bounds.js';
import { narrowed, NO_CLOCK, clockWithin, type ServerClock } from './clock.js';
import { halvingAt, refusalAt, showsRounding } from './refusal-phase.js';

const FIGURES: Figures = { perMinute: 60, perDay: 10_000, minuteSeconds: 60, daySeconds: 86_400 };
const START = Date.parse('2026-11-20T10:00:07.300Z');

const sampleAt = (sentAt: number, more: Partial<Sample> = {}): Sample => ({
  intendedAt: sentAt,
  sentAt,
  answeredAt: sentAt + 2,
  operation: 'listPets',
  status: 200,
  limit: 60,
  remaining: 58,
  reset: Math.ceil(sentAt / 1000) + 60,
  retryAfter: null,
  date: Math.floor(sentAt / 1000) * 1000,
  ...more,
});

const ms = (max: number) => fc.double({ min: 0, max, noNaN: true });

const offset = ms(30_000);

test('at the chosen time, a wait rounded to the nearest second is too short', () => {
  fc.assert(
    fc.property(offset, (after) => {
      const now = START + after;
      const at = refusalAt(sampleAt(START), { figures: FIGURES, now, clock: null, latencyMs: 2 }) ?? now;
      assert.ok(at >= now && at < now + 1000);
      const waitMs = START + 60_000 - at;
      assert.ok(1000 * Math.round(waitMs / 1000) < waitMs - 250, `${waitMs}`);
    }),
  );
});

test('a window begun by an earlier request of the run counts from that request', () => {
  const own = sampleAt(START, { reset: Math.ceil(START / 1000) + 30 });
  const earlier = [sampleAt(START - 40_000), sampleAt(START - 450, { reset: own.reset })];
  const at = refusalAt(own, { figures: FIGURES, now: START, clock: null, latencyMs: 2, earlier });
  assert.equal(at, START - 450 + 600);
});

test('a window aligned to the clock minute ends on a second of the server clock', () => {
  const own = sampleAt(START, { reset: Date.parse('2026-11-20T10:01:00Z') / 1000 });
  const clock = { lowMs: 200, highMs: 210 };
  const at = refusalAt(own, { figures: FIGURES, now: START, clock, latencyMs: 2 });
  assert.equal(at, Date.parse('2026-11-20T10:00:07.400Z'));
});

test('a 429 shows rounding only of a window that its first request may have begun', () => {
  const refusal = sampleAt(START + 3_600, { status: 429 });
  const given = { figures: FIGURES, clock: { lowMs: -5, highMs: 5 } };
  const endingAfter = (seconds: number) => sampleAt(START, { reset: Math.ceil(START / 1000) + seconds });
  assert.ok(showsRounding(endingAfter(60), refusal, 20, given));
  assert.ok(!showsRounding(endingAfter(48), refusal, 20, given));
});

test('a nearest-second wait is always too short after a 429 that shows rounding', () => {
  const phase = fc
    .tuple(fc.integer({ min: 0, max: 50 }), ms(400))
    .map(([seconds, more]) => 1000 * seconds + 480 + more);
  fc.assert(
    fc.property(
      phase,
      ms(150),
      ms(150),
      ms(600),
      ms(1),
      ms(1),
      (after, openingMs, wayMs, overMs, begunAt, decidedAt) => {
        const own = sampleAt(START, { answeredAt: START + openingMs });
        const refusal = sampleAt(START + openingMs + after, {
          answeredAt: START + openingMs + after + wayMs,
        });
        fc.pre(overMs >= wayMs && showsRounding(own, refusal, overMs, { figures: FIGURES, clock: null }));
        const endsAt = START + begunAt * openingMs + 60_000;
        const wait = Math.round((endsAt - refusal.sentAt - decidedAt * wayMs) / 1000);
        assert.ok(refusal.sentAt + wait * 1000 + overMs < endsAt, 'it would be served');
      },
    ),
  );
});

for (const [what, phaseMs, overMs, shows] of [
  ['at the chosen moment', 600, 4, true],
  ['in the first half of a second', 400, 4, false],
  ['too close to the end of the second', 990, 20, false],
  ['at the chosen moment but with a late retry', 600, 450, false],
] as const)
  test(`a 429 ${what} ${shows ? 'shows' : 'does not show'} the rounding of waits`, () => {
    const refusal = sampleAt(START + phaseMs);
    assert.equal(showsRounding(sampleAt(START), refusal, overMs, { figures: FIGURES, clock: null }), shows);
  });

test('the burst does not wait for the rounding test in windows of a few seconds', () => {
  const figures = { ...FIGURES, minuteSeconds: 3 };
  assert.equal(refusalAt(sampleAt(START), { figures, now: START + 5, clock: null, latencyMs: 2 }), null);
});

test('three requests before the end determine the server clock to 252 ms', () => {
  const own = sampleAt(START, { reset: Date.parse('2026-11-20T10:01:00Z') / 1000 });
  fc.assert(
    fc.property(fc.integer({ min: -90_000, max: 90_000 }), offset, (ahead, after) => {
      const answer = (sentAt: number): Sample =>
        sampleAt(sentAt, { date: Math.floor((sentAt + 1 + ahead) / 1000) * 1000 });
      let now = START + after;
      let bounds = narrowed(NO_CLOCK, answer(now));
      for (const left of [4, 3, 2]) {
        now += 2;
        const at = halvingAt(own, left, { figures: FIGURES, now, clock: clockWithin(bounds) });
        if (at === null) continue;
        assert.ok(at >= now && at <= now + 1000);
        now = at;
        bounds = narrowed(bounds, answer(now));
      }
      assert.ok(
        bounds.lowMs <= ahead && ahead <= bounds.highMs && bounds.highMs - bounds.lowMs <= 252,
        JSON.stringify(bounds),
      );
    }),
  );
});

test('no request waits if the clock is known, stale or irrelevant', () => {
  const calendar = sampleAt(START, { reset: Date.parse('2026-11-20T10:01:00Z') / 1000 });
  const wide = { lowMs: 0, highMs: 900 };
  const at = (own: Sample, left: number | null, clock: ServerClock | null): number | null =>
    halvingAt(own, left, { figures: FIGURES, now: START, clock });
  assert.ok(at(calendar, 3, wide) !== null);
  assert.equal(at(calendar, 1, wide), null);
  assert.equal(at(calendar, 20, wide), null);
  assert.equal(at(calendar, null, wide), null);
  assert.equal(at(calendar, 3, null), null);
  assert.equal(at(calendar, 3, { lowMs: 0, highMs: 40 }), null);
  assert.equal(at(calendar, 3, { lowMs: 0, highMs: 2300 }), null);
  assert.equal(at(sampleAt(START), 3, wide), null);
});
