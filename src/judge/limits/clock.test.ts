import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { clockBounds, clockWithin, resetTime } from './clock.js';
import type { Sample } from './sample.js';
import { sampleWith } from '../../testing/limiters/sample-with.js';

const START = 1_800_000_000_000;

const serverClock = (samples: readonly Sample[]) => clockWithin(clockBounds(samples));

/** Draws responses of a server whose clock is `offset` ms ahead; `Date` is `stale` ms old. */
const answers = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 60_000 }),
    up: fc.nat(200),
    down: fc.nat(200),
    stale: fc.nat(1300),
  }),
  { minLength: 1, maxLength: 30 },
);

describe('the server clock', () => {
  it('lies within the bounds derived from fresh or stale Date headers', () => {
    fc.assert(
      fc.property(answers, fc.integer({ min: -90_000, max: 90_000 }), fc.boolean(), (list, offset, fresh) => {
        const clock = serverClock(
          list.map(({ at, up, down, stale }) => {
            const now = START + at + up + offset;
            const date = Math.floor((now - (fresh ? 0 : stale)) / 1000) * 1000;
            return sampleWith({ sentAt: START + at, answeredAt: START + at + up + down, date });
          }),
        );
        assert.ok(clock !== null && clock.lowMs <= offset);
        assert.ok(!fresh || offset <= clock.highMs);
      }),
    );
  });

  it('is unknown without a Date header', () => assert.equal(serverClock([sampleWith({ date: null })]), null));

  it('converts Reset to local time, in any unit', () => {
    const clock = { lowMs: 90_000, highMs: 90_500 };
    const sample = sampleWith({ sentAt: START, answeredAt: START + 10 });
    assert.deepEqual(resetTime({ ...sample, reset: (START + 150_000) / 1000 }, clock), {
      earliest: START + 59_500,
      latest: START + 60_000,
    });
    assert.deepEqual(resetTime({ ...sample, reset: 60 }, null), {
      earliest: START + 60_000,
      latest: START + 60_010,
    });
    assert.equal(resetTime({ ...sample, reset: START / 1000 }, null), null);
  });
});
