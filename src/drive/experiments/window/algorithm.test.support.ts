import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  calendarWindow,
  fixedFromFirst,
  gcra,
  type MakeLimiter,
  slidingCounter,
  slidingLogNewest,
  tokenBucket,
} from '../../../testing/limiters/limiters.js';
import { PLAIN, simulate } from '../../../testing/simulated/simulate.js';

const LABELS: readonly (readonly [label: RegExp, make: MakeLimiter])[] = [
  [/Fits .*a fixed window from its first/, fixedFromFirst],
  [/Fits .*a clock-aligned fixed window/, calendarWindow],
  [/Fits .*a sliding window log/, slidingLogNewest],
  [/Fits .*a sliding window counter/, slidingCounter],
  [/Fits .*a token bucket or GCRA/, tokenBucket],
  [/Fits .*a token bucket or GCRA/, gcra],
];

/**
 * Tests that the algorithms that fit a limiter include its own.
 *
 * @param numRuns random cases of each limiter
 */
export function testsObserved(numRuns: number): void {
  describe('the observed algorithms include the limiter’s own', () => {
    for (const [label, make] of LABELS) {
      it(`${make === gcra ? 'GCRA: ' : ''}${label.source}`, async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.integer({ min: 1, max: 1e9 }),
            fc.constantFrom(10, 60),
            async (seed, minuteSeconds) => {
              const { findings } = await simulate({ make }, { ...PLAIN, seed, minuteSeconds });
              for (const finding of findings.filter(({ requirement }) => requirement === 'rate-algorithm')) {
                assert.ok(finding.kind === 'observed');
                assert.match(finding.value.replace(/;.*/, ''), label, finding.value);
              }
            },
          ),
          { numRuns, includeErrorInReport: true },
        );
      });
    }
  });
}
