import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../judge/findings/finding.js';
import {
  calendarWindow,
  fixedFromFirst,
  slidingCounter,
  tokenBucket,
  type MakeLimiter,
} from '../../testing/limiters/limiters.js';
import { withSecondClient } from '../../testing/limiters/second-client.js';
import { broken, PLAIN, simulate } from '../../testing/simulated/simulate.js';

/** Is true if a row is open because something else used the key. */
export const isTold = (one: Finding, key = 'Pro'): boolean =>
  one.kind === 'inconclusive' && one.reason.text.startsWith(`Something else used the ${key} key`);

type Simulated = Awaited<ReturnType<typeof simulate>>;

/** Gives the key of one limit, which others use, a limiter of its own. */
export const ofLimit =
  (shared: number, ofShared: MakeLimiter, others: MakeLimiter): MakeLimiter =>
  (limit, ...more) =>
    (limit === shared ? ofShared : others)(limit, ...more);

/** Fails unless no row is red and the key that others use is named. */
export function expectNamed({ findings, told }: Pick<Simulated, 'findings' | 'told'>, key: string): void {
  assert.deepEqual(broken(findings), [], told.join('\n'));
  assert.ok(
    findings.some((one) => isTold(one, key)),
    told.join('\n'),
  );
}

/** Other clients of the Free key, by ms of a window of a minute and requests at once. */
const BUSY = [
  [3000, 12],
  [3000, 6],
] as const;
const EVENLY = [
  [1000, 1],
  [2000, 1],
] as const;
const FREE: readonly (readonly [
  string,
  MakeLimiter,
  readonly number[],
  readonly (readonly [number, number])[],
])[] = [
  ['window from the first request', fixedFromFirst, [60, 10], BUSY],
  ['window of the clock', calendarWindow, [60, 10], BUSY],
  ['counter', slidingCounter, [60, 10, 6], BUSY],
  ['counter, evenly', slidingCounter, [60], EVENLY],
  ['bucket', tokenBucket, [60, 10, 6], BUSY],
  ['bucket, evenly', tokenBucket, [60, 10, 6], EVENLY],
];

/**
 * Tests that other clients of the Free key are named and fail no row.
 *
 * @param phases when the next of their requests comes after our first one, as shares of their interval
 */
export function testsFreeKey(phases: readonly number[]): void {
  describe('somebody else on the Free key', () => {
    for (const [name, make, windows, rates] of FREE)
      for (const minuteSeconds of windows)
        it(`is named on the Free key, and fails no row: ${name}, ${minuteSeconds} s`, async () => {
          for (const [everyMs, atOnce] of rates)
            for (const phase of phases) {
              const ms = (everyMs * minuteSeconds) / PLAIN.minuteSeconds;
              const shared = withSecondClient(ms, make, atOnce, phase * ms);
              const of = ofLimit(PLAIN.freeLimit, shared, make);
              const { findings, told } = await simulate({ make: of }, { ...PLAIN, minuteSeconds });
              const what = `${atOnce} every ${everyMs} ms, phase ${phase}\n${told.join('\n')}`;
              assert.deepEqual(broken(findings), [], what);
              // A bucket that refills faster than others use it hides them.
              if (atOnce > 1)
                assert.ok(
                  findings.some((one) => isTold(one, 'Free')),
                  what,
                );
            }
        });
  });
}
