import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { fixedWindow, type Algorithm } from '../../reference/limiter.js';
import { calendarWindow, renewedWindow, slidingCounter, slidingLog } from './windows.js';
import { leakyBucket, strictPacer, smallBucket, tokenBucket } from './buckets.js';

const WINDOW_MS = 60_000;
const NOON = 1_800_000_000_123;

/** Correct algorithms; `wholePlan` is true if a burst may use the whole plan. */
const ALGORITHMS: readonly (readonly [name: string, algorithm: Algorithm, wholePlan: boolean])[] = [
  ['fixed window', fixedWindow, true],
  ['calendar window', calendarWindow, true],
  ['renewed window', renewedWindow, true],
  ['sliding log', slidingLog, true],
  ['sliding counter', slidingCounter, true],
  ['token bucket', tokenBucket, true],
  ['leaky bucket', leakyBucket, false],
  ['small bucket', smallBucket, false],
  ['strict pacer', strictPacer, false],
];

const limits = fc.integer({ min: 1, max: 40 });

/** Limits as in plans: below 40 a sliding counter rounds by more than 5 %. */
const plans = fc.integer({ min: 60, max: 300 });

/** Waits before each request, ms: mostly bursts, sometimes a pause. */
const pauses = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 20 }) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 10_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 * WINDOW_MS }) },
  ),
  { minLength: 1, maxLength: 200 },
);

/** Sends requests after these waits; returns the times of those served. */
function served(algorithm: Algorithm, limit: number, before: readonly number[]): readonly number[] {
  const limiter = algorithm({ limit, windowMs: WINDOW_MS });
  const times: number[] = [];
  let now = NOON;
  for (const pause of before) {
    now += pause;
    if (limiter.look(now).admits) {
      limiter.take(now);
      times.push(now);
    } else {
      limiter.refuse?.(now);
    }
  }
  return times;
}

for (const [name, algorithm, wholePlan] of ALGORITHMS) {
  test(`${name}: no window contains more than twice the limit`, () => {
    fc.assert(
      fc.property(limits, pauses, (limit, before) => {
        const times = served(algorithm, limit, before);
        times.forEach((start, index) => {
          const within = times.slice(index).filter((at) => at < start + WINDOW_MS).length;
          assert.ok(within <= 2 * limit, `${within} of ${limit}`);
        });
      }),
    );
  });

  test(`${name}: Remaining, Reset and Retry-After are correct`, () => {
    fc.assert(
      fc.property(limits, pauses, (limit, before) => {
        const limiter = algorithm({ limit, windowMs: WINDOW_MS });
        let now = NOON;
        for (const pause of before) {
          now += pause;
          const { admits, remaining } = limiter.look(now);
          assert.equal(admits, remaining >= 1);
          assert.ok(Number.isInteger(remaining) && remaining <= limit);
          if (admits) {
            limiter.take(now);
            assert.ok(limiter.look(now).remaining < remaining);
            continue;
          }
          limiter.refuse?.(now);
          const { retryAt, resetAt } = limiter.look(now);
          assert.ok(retryAt > now && retryAt <= now + 2 * WINDOW_MS);
          assert.ok(resetAt >= now && resetAt <= now + WINDOW_MS + WINDOW_MS / limit + 1);
          // A client waits in whole milliseconds, rounded up.
          now = Math.ceil(retryAt);
          assert.ok(limiter.look(now).admits, 'served after the wait');
        }
      }),
    );
  });

  test(`${name}: a client idle for two windows can send ${wholePlan ? 'the whole plan' : 'some requests'} in a burst`, () => {
    fc.assert(
      fc.property(limits, pauses, (limit, before) => {
        const limiter = algorithm({ limit, windowMs: WINDOW_MS });
        let now = NOON;
        for (const pause of before) {
          now += pause;
          if (limiter.look(now).admits) limiter.take(now);
        }
        now += 2 * WINDOW_MS;
        let atOnce = 0;
        while (limiter.look(now).admits && atOnce <= limit) {
          limiter.take(now);
          atOnce += 1;
        }
        if (wholePlan) assert.equal(atOnce, limit);
        else assert.ok(atOnce >= 1 && atOnce <= limit);
      }),
    );
  });

  test(`${name}: a client at 95 % of the plan is never rejected`, () => {
    fc.assert(
      fc.property(plans, (limit) => {
        const gap = WINDOW_MS / (0.95 * limit);
        const limiter = algorithm({ limit, windowMs: WINDOW_MS });
        for (let sent = 0; sent < 3 * limit; sent += 1) {
          const now = NOON + sent * gap;
          assert.ok(limiter.look(now).admits, `request ${sent + 1}`);
          limiter.take(now);
        }
      }),
    );
  });
}
