import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { burstsAgain, nextBurstAt } from './further-bursts.js';
import type { Figures } from './bounds.js';
import type { Sample } from './sample.js';
import { sampleWith } from '../../testing/limiters/sample-with.js';
import { resetAt, resetRetryAt, retryAt } from './waits.js';

const FREE: Figures = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };
const START = 1_800_000_000_000;
const CLOCK = { lowMs: 90_000, highMs: 90_100 };
const refusal = sampleWith({
  sentAt: START,
  answeredAt: START + 10,
  status: 429,
  retryAfter: '30',
  reset: (START + 120_000) / 1000,
});
const ofKey = (...earlier: readonly Sample[]) => ({ figures: FREE, earlier, fresh: null, steady: null });

describe('the time of the retry', () => {
  it('is at least Retry-After, and less than one second later', () => {
    const { at } = retryAt(refusal, FREE, CLOCK);
    assert.ok(at >= START + 30_010 && at < START + 31_010);
  });
  it('follows a Retry-After date by the response’s Date or the server clock', () => {
    const retryAfter = new Date(START + 120_000).toUTCString();
    for (const date of [START + 90_000, null]) {
      const { at } = retryAt({ ...refusal, retryAfter, date }, FREE, CLOCK);
      assert.ok(at >= START + 30_000 && at < START + 31_000);
    }
  });
  it('follows Reset without a valid Retry-After, and the window without both', () => {
    assert.equal(retryAt({ ...refusal, retryAfter: 'soon' }, FREE, CLOCK).at, resetAt(refusal, CLOCK));
    assert.equal(retryAt({ ...refusal, retryAfter: null, reset: null }, FREE, CLOCK).at, START + 10 + 61_000);
  });
  it('is never later than the maximum wait', () => {
    const { at, capped } = retryAt({ ...refusal, retryAfter: '86400' }, FREE, CLOCK, 60_000);
    assert.deepEqual([at, capped], [START + 60_010, true]);
  });
  it('has a second retry at Reset only if the first came earlier', () => {
    assert.equal(resetRetryAt(refusal, sampleWith({ sentAt: START + 30_000 }), CLOCK), null);
    assert.ok((resetRetryAt(refusal, sampleWith({ sentAt: START + 5000 }), CLOCK) ?? 0) >= START + 31_000);
  });
});

describe('the next burst', () => {
  it('begins immediately if the whole allowance is back', () => {
    const retry = sampleWith({ sentAt: START + 60_000, answeredAt: START + 60_005, remaining: 59 });
    assert.equal(nextBurstAt([[refusal]], retry, ofKey(), CLOCK), retry.answeredAt);
  });
  it('begins a window after the first if the limiter was drained and refills', () => {
    const at = (sentAt: number, more = {}) =>
      sampleWith({ sentAt: START + sentAt, answeredAt: START + sentAt, ...more });
    const refused = { status: 429, retryAfter: '1' };
    const bursts = [5000, 37_000].reduce(
      (all, time) => [...all, [at(time, { remaining: 0 }), at(time + 10, refused)]],
      [[at(0), at(10, refused)]],
    );
    const latest = at(37_010, refused);
    assert.equal(nextBurstAt(bursts, latest, ofKey(), CLOCK), START + 1.01 * 60_000);
  });
});

describe('the next burst of the profile window', () => {
  const first = sampleWith({ sentAt: START, answeredAt: START + 5, limit: 60, remaining: 58 });
  const soon = { ...refusal, sentAt: START + 500, answeredAt: START + 505, retryAfter: '40' };
  const probe = sampleWith({ sentAt: START - 20_000, answeredAt: START - 19_995, limit: 60, remaining: 59 });
  it('begins when a 429 allows a retry before the window ends', () =>
    assert.equal(burstsAgain([[first, soon]], ofKey(), CLOCK), START + 40_505));
  it('does not begin if an earlier request of the run began the window', () =>
    assert.equal(burstsAgain([[first, soon]], ofKey(probe), CLOCK), null));
  it('does not begin if Remaining counts more requests than the run sent', () =>
    assert.equal(burstsAgain([[{ ...first, remaining: 40 }, soon]], ofKey(probe), CLOCK), null));
  it('begins if the first response counts no earlier request', () =>
    assert.equal(burstsAgain([[{ ...first, remaining: 59 }, soon]], ofKey(probe), CLOCK), START + 40_505));
});
