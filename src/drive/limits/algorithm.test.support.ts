import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  calendarWindow,
  fixedFromFirst,
  gcra,
  type MakeLimiter,
  slidingCounter,
  tokenBucket,
} from '../../testing/limiters/limiters.js';
import { PLAIN, simulate } from '../../testing/simulated/simulate.js';

/** What must not be said of a limiter. A log that was used up at once gives all back at once, as a window. */
const LABELS: readonly (readonly [label: RegExp, make: MakeLimiter])[] = [
  [/bucket|sliding/, fixedFromFirst],
  [/bucket|sliding/, calendarWindow],
  [/fixed/, slidingCounter],
  [/fixed/, tokenBucket],
  [/fixed/, gcra],
];

export function testsObserved(numRuns: number): void {
  describe('a limiter is not taken for another one', () => {
    for (const [label, make] of LABELS) {
      it(make.name, async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.integer({ min: 1, max: 1e9 }),
            fc.constantFrom(10, 60),
            async (seed, minuteSeconds) => {
              const { findings } = await simulate({ make }, { ...PLAIN, seed, minuteSeconds });
              for (const finding of findings.filter(({ requirement }) => requirement === 'rate-algorithm')) {
                assert.ok(finding.kind === 'observed');
                assert.doesNotMatch(finding.value, label);
              }
            },
          ),
          { numRuns, includeErrorInReport: true },
        );
      });
    }
  });
}
