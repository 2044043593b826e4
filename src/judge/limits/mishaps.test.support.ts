import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { MakeLimiter } from '../../testing/limiters/limiters.js';
import { broken, PLAIN, simulate } from '../../testing/simulated/simulate.js';

/** Creates limiters that forget everything once, so long after the first request of any key. */
export function restartedAfter(ms: number, make: MakeLimiter): MakeLimiter {
  let first: number | null = null;
  return (limit, ...more) => {
    let limiter = make(limit, ...more);
    let isOld = true;
    return (now) => {
      first ??= now;
      if (isOld && now >= first + ms) {
        isOld = false;
        limiter = make(limit, ...more);
      }
      return limiter(now);
    };
  };
}

/**
 * Defines a test for each limiter and two windows: restarted at any of these moments, it fails no row.
 *
 * @param moments in windows after the first request
 */
export function testsRestarts(
  limiters: Readonly<Record<string, MakeLimiter>>,
  moments: readonly number[],
): void {
  for (const [name, make] of Object.entries(limiters))
    for (const minuteSeconds of [6, 60])
      it(`fails no row: ${name}, ${minuteSeconds} s`, async () => {
        for (const windows of moments) {
          const ms = windows * minuteSeconds * 1000;
          const around = { ...PLAIN, minuteSeconds, latencyMs: 20 };
          const { findings, told } = await simulate({ make: restartedAfter(ms, make) }, around);
          assert.deepEqual(broken(findings), [], [`after ${windows} windows`, ...told].join('\n'));
        }
      });
}
