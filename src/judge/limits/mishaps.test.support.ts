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

/** Creates limiters of one key that forget everything after some of its requests. */
export const restartedAt =
  (counts: readonly number[], make: MakeLimiter): MakeLimiter =>
  (limit, ...more) => {
    let [limiter, sent] = [make(limit, ...more), 0];
    return (now) => {
      if (counts.includes(sent)) limiter = make(limit, ...more);
      sent += 1;
      return limiter(now);
    };
  };

const FREE = { perMinute: PLAIN.freeLimit, perDay: 1000 };

/** Runs a server that has a key of one plan only. */
export const withOneKey = (make: MakeLimiter, minuteSeconds: number, latencyMs = 20) =>
  simulate({ make }, { ...PLAIN, minuteSeconds, latencyMs }, { plans: new Map([['free', FREE]]) });

/** Defines a test for each limiter: restarted within a burst of the only key, it is asked again and left open. */
export function testsRestartsInBurst(
  limiters: Readonly<Record<string, MakeLimiter>>,
  windows: readonly number[],
): void {
  for (const [name, make] of Object.entries(limiters))
    it(`is asked again, and left open: ${name}`, async () => {
      for (const minuteSeconds of windows)
        for (const at of [12, 25, 31, 45]) {
          const { findings, record, told } = await withOneKey(restartedAt([at], make), minuteSeconds);
          const text = [`after ${at} requests, ${minuteSeconds} s`, ...told].join('\n');
          assert.deepEqual(broken(findings), [], text);
          const open = findings.filter(
            ({ kind, requirement }) => kind === 'inconclusive' && requirement === 'rate-window',
          );
          assert.match(JSON.stringify(open), /a restart of the server/, text);
          const names = new Set(record.keys[0]?.asked?.map(({ question }) => question));
          assert.ok(names.has('third'), text);
        }
    });
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
