import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleWith } from '../../testing/limiters/sample-with.js';
import type { Asked } from './asked.js';
import { readRun } from './key-run.js';
import { resetTruthful } from './rate-reset-truthful.js';
import { retryAfterHonoured } from './rate-retry-after-honoured.js';
import { NOTHING_RUN } from './series.js';

const AT = 1_800_000_000_000;
const WINDOW_S = 10;
const FIGURES = { perMinute: 60, perDay: 1000, minuteSeconds: WINDOW_S, daySeconds: 86_400 };
const RESET = String(AT / 1000 + WINDOW_S);

const asked = (at: number, more: Parameters<typeof sampleWith>[0]): Asked => ({
  ...sampleWith({ sentAt: AT + at, answeredAt: AT + at + 1, reset: RESET, ...more }),
  question: 'whole',
  part: 'burst',
});

/** Returns a run of a success, a 429, and a request after its wait, which gets a status; 0 for no response. */
function runOf(status: number, headers: Partial<Asked> = {}) {
  const all = [
    asked(0, { status: 200, remaining: 0, ...headers }),
    asked(100, { status: 429, remaining: 0, retryAfter: String(WINDOW_S), ...headers }),
    asked(WINDOW_S * 1000 + 200, { status, remaining: 59, ...headers }),
  ];
  const key = { ...NOTHING_RUN, key: 'free', figures: FIGURES, exclusive: true, aloneSince: 0 } as const;
  return readRun({ ...key, asked: all }, { lowMs: 0, highMs: 0 });
}

const shownBy = (status: number) => resetTruthful(runOf(status));

const kindOf = (shown: ReturnType<typeof resetTruthful>) =>
  shown.kind === 'judged' ? shown.judgement.kind : shown.kind;

test('a failure when the Reset of a 429 is over is named as the reason why nothing shows', () => {
  assert.equal(shownBy(200).kind, 'judged');
  for (const [status, code, text] of [
    [504, 'unavailable', 'got 504'],
    [0, 'transport', 'got no response'],
  ] as const) {
    const shown = shownBy(status);
    assert.ok(shown.kind === 'open' && shown.isBlunt, JSON.stringify(shown));
    assert.deepEqual(
      [shown.code, shown.text],
      [code, `The free plan ${text} when the Reset of a 429 was over`],
    );
  }
});

test('where all headers describe the day, Retry-After is judged, and Reset is too far away', () => {
  const ofDay = { limit: FIGURES.perDay, remaining: 400, reset: AT / 1000 + 40_000 };
  assert.equal(kindOf(retryAfterHonoured(runOf(200, ofDay))), 'kept');
  assert.equal(kindOf(retryAfterHonoured(runOf(429, ofDay))), 'violated');
  assert.equal(kindOf(resetTruthful(runOf(200, ofDay))), 'not-applicable');
  const usedUp = { ...ofDay, remaining: 0 };
  assert.equal(kindOf(retryAfterHonoured(runOf(429, usedUp))), 'open', 'the day may be over');
  assert.equal(kindOf(resetTruthful(runOf(429, usedUp))), 'open');
});

test('a Reset that was over when the 429 came is told as such', () => {
  const [refused, again] = [100, 3600].map((at) =>
    asked(at, { status: 429, remaining: 0, reset: AT / 1000, retryAfter: '3' }),
  );
  const key = { ...NOTHING_RUN, key: 'free', figures: FIGURES, exclusive: true, aloneSince: 0 } as const;
  const all = [asked(0, { remaining: 0 }), refused, again].filter((one) => one !== undefined);
  const shown = resetTruthful(readRun({ ...key, asked: all }, { lowMs: 0, highMs: 0 }));
  assert.ok(shown.kind === 'judged' && shown.judgement.kind === 'violated', JSON.stringify(shown));
  assert.equal(shown.judgement.expected, 'a request allowed after Reset, which was over when the 429 came');
});
