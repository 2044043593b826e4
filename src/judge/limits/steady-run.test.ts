import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sample } from './sample.js';
import type { Figures } from './bounds.js';
import { freeKey, START } from '../../testing/limiters/free-key.js';
import { sampleWith } from '../../testing/limiters/sample-with.js';
import { bySteadyRun } from './steady-run.js';

const FIGURES: Figures = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };
/** Gap for 95 % of 60 a minute. */
const GAP_MS = 1053;
/** Delay of the tenth request: too close to the eleventh for a pacer of one a second. */
const LATE_MS = 600;

/** Returns a steady run of one window with some 429s; one request may be late. */
const run = (refused: readonly number[], isLate: boolean): readonly Sample[] =>
  Array.from({ length: 58 }, (_, index) => {
    const intendedAt = START + index * GAP_MS;
    const sentAt = intendedAt + (isLate && index === 9 ? LATE_MS : 0);
    return sampleWith({
      intendedAt,
      sentAt,
      answeredAt: sentAt + 2,
      ...(refused.includes(index) && { status: 429 }),
    });
  });

const from = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, nth) => first + nth);

for (const [what, refused, isLate, becomes] of [
  ['no request', [], false, 'kept'],
  ['one request too early for a pacer', [10], true, 'kept'],
  ['one timely request', [10], false, 'violated'],
  ['one early request and 20 in a row, as in a ban,', [10, ...from(12, 20)], true, 'refused-legally'],
  ['one early and two timely requests', [10, 20, 30], true, 'violated'],
  ['20 timely requests in a row', from(10, 20), false, 'violated'],
] as const)
  test(`a steady run with ${what} refused: ${becomes}`, () => {
    const samples = run(refused, isLate);
    const series = { samples, silentMs: 120_000 };
    const finding = bySteadyRun({ ...freeKey(FIGURES), steady: series }, series);
    assert.equal(finding.kind === 'inconclusive' ? finding.reason.code : finding.kind, becomes);
  });

test('a 429 in a steady run of few requests may be a sliding counter that weighs the last window', () => {
  const series = { samples: run([10], false), silentMs: 120_000 };
  const few = { ...FIGURES, perMinute: 20, minuteSeconds: 20 };
  const finding = bySteadyRun({ ...freeKey(few), steady: series }, series);
  assert.equal(finding.kind === 'inconclusive' && finding.reason.code, 'too-little-data');
});

test('a steady run that was slower than 95 % of the plan shows nothing', () => {
  const samples = run([], false).map((sample, index) => {
    const sentAt = START + index * 1.3 * GAP_MS;
    return { ...sample, sentAt, answeredAt: sentAt + 2 };
  });
  const series = { samples, silentMs: 120_000 };
  const finding = bySteadyRun({ ...freeKey(FIGURES), steady: series }, series);
  assert.equal(finding.kind === 'inconclusive' && finding.reason.code, 'slow-responses');
});

test('a day that is used up on a server without rate headers is no minute refused early', () => {
  const samples = run([0, 1, 2], false)
    .slice(0, 3)
    .map((sample) => ({ ...sample, limit: null, remaining: null, reset: null, retryAfter: '36000' }));
  const series = { samples, silentMs: 120_000 };
  assert.equal(bySteadyRun({ ...freeKey(FIGURES), steady: series }, series).kind, 'inconclusive');
});
