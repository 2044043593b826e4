import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { searching } from '../../testing/limiters/searching.js';
import { broken, type Circumstances, simulate } from '../../testing/simulated/simulate.js';
import { SOUND } from './sound.test.support.js';

/** Windows of a sound limiter: each is tried with each number of cases, s. */
const WINDOWS = [1.5, 6, 10, 60] as const;

const circumstances = fc.record<Omit<Circumstances, 'minuteSeconds'>>({
  seed: fc.integer({ min: 1, max: 2 ** 31 }),
  freeLimit: fc.integer({ min: 60, max: 90 }),
  latencyMs: fc.constantFrom(0.05, 2, 20, 150, 200),
  jitterMs: fc.constantFrom(0.01, 1, 8, 40),
  offsetMs: fc.integer({ min: -90_000, max: 90_000 }),
  staleMs: fc.constantFrom(0, 1300),
  grainMs: fc.constantFrom(0, 1),
  usedBefore: fc.constantFrom(0, 1, 25),
  suites: fc.constantFrom(0, 30),
  dayLeft: fc.constantFrom(null, 100, 400),
});

/** A quiet machine, or one whose other programs delay the client. */
const busy = fc.option(
  fc.record({
    everyMs: fc.constantFrom(200, 1000, 5000),
    longestMs: fc.constantFrom(100, 4000),
    atSends: fc.constantFrom(0, 0.02),
    workMs: fc.constantFrom(0, 1),
  }),
);

/** Windows at which a sound limiter is tried: `at` is its place in the list. */
type WindowsOf = (possible: readonly number[], at: number) => readonly number[];

export const EACH: WindowsOf = (possible) => possible;

/** One window, another for the next limiter. */
export const IN_TURN: WindowsOf = (possible, at) => possible.slice(at % possible.length).slice(0, 1);

/** Tests each sound limiter at these windows, in that many circumstances. */
export function testsSound(
  search: ReturnType<typeof searching>,
  windowsOf: WindowsOf,
  limiters = SOUND,
): void {
  describe('no correct limiter turns a row red, also on a busy machine', () => {
    for (const [at, [name, { behaviour, leastSeconds = 0, around: own = {} }]] of Object.entries(
      limiters,
    ).entries())
      it(name, async () => {
        const possible = WINDOWS.filter((seconds) => seconds >= leastSeconds);
        for (const minuteSeconds of windowsOf(possible, at))
          await fc.assert(
            fc.asyncProperty(circumstances, busy, async (around, stalls) => {
              const { findings } = await simulate(
                { ...behaviour, countsDays: around.dayLeft !== null },
                { ...around, minuteSeconds, ...own, ...(stalls !== null && { busy: stalls }) },
              );
              const red = findings.filter(({ kind }) => kind === 'violated');
              assert.deepEqual(broken(findings), [], JSON.stringify(red, null, 1));
            }),
            { ...search, ...(search.seed !== undefined && { seed: search.seed + 10 * minuteSeconds }) },
          );
      });
  });
}
