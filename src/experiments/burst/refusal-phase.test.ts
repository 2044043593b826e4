import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Sample } from '../../limits/sample.js';
import type { Figures } from '../../limits/series.js';
import { refusalAt } from './refusal-phase.js';

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

const offset = fc.double({ min: 0, max: 30_000, noNaN: true });

test('a wait for the end of the window, rounded to the nearest second, is too short by then', () => {
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

test('a window that another request of the run began is counted from there', () => {
  const own = sampleAt(START, { reset: Math.ceil(START / 1000) + 30 });
  const earlier = [sampleAt(START - 40_000), sampleAt(START - 450, { reset: own.reset })];
  const at = refusalAt(own, { figures: FIGURES, now: START, clock: null, latencyMs: 2, earlier });
  assert.equal(at, START - 450 + 600);
});

test('one that begins with the minute ends with a second of the server', () => {
  const own = sampleAt(START, { reset: Date.parse('2026-11-20T10:01:00Z') / 1000 });
  const clock = { lowMs: 200, highMs: 210 };
  const at = refusalAt(own, { figures: FIGURES, now: START, clock, latencyMs: 2 });
  assert.equal(at, Date.parse('2026-11-20T10:00:07.400Z'));
});

test('in windows of a few seconds nothing waits for it', () => {
  const figures = { ...FIGURES, minuteSeconds: 3 };
  assert.equal(refusalAt(sampleAt(START), { figures, now: START + 5, clock: null, latencyMs: 2 }), null);
});
