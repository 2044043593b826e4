import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { scaled, reportedAsWhole } from '../../proof/limiters/broken.js';
import { fixedWindow } from '../../reference/limiter.js';
import { fixedFromFirst, ofReference, type MakeLimiter } from '../../testing/limiters/limiters.js';
import { searching } from '../../testing/limiters/searching.js';
import { PLAIN, simulate, type Circumstances } from '../../testing/simulated/simulate.js';

/** Creates windows of a part of a minute; headers describe them as whole minutes. */
const shorterThanTold = (part: number): MakeLimiter =>
  ofReference(reportedAsWhole(scaled(fixedWindow, (limit) => limit, part)));

const SEARCH = searching(4);

const around = (minutes: readonly number[]): fc.Arbitrary<Circumstances> =>
  fc.record({
    seed: fc.integer({ min: 1, max: 2 ** 31 }),
    minuteSeconds: fc.constantFrom(...minutes),
    latencyMs: fc.constantFrom(0.4, 2, 20),
    jitterMs: fc.constantFrom(0.1, 0.5, 8),
    staleMs: fc.constantFrom(0, 1300),
    freeLimit: fc.constant(PLAIN.freeLimit),
    offsetMs: fc.constant(PLAIN.offsetMs),
    grainMs: fc.constant(PLAIN.grainMs),
    usedBefore: fc.constant(PLAIN.usedBefore),
    dayLeft: fc.constant(PLAIN.dayLeft),
  });

const kindsOf = async (make: MakeLimiter, circumstances: Circumstances): Promise<ReadonlySet<string>> => {
  const { findings } = await simulate({ make }, circumstances);
  return new Set(
    findings.filter(({ requirement }) => requirement === 'rate-window').map((finding) => finding.kind),
  );
};

const PARTS: Readonly<Record<string, number>> = {
  'a half': 1 / 2,
  'two thirds': 2 / 3,
  'three quarters': 3 / 4,
};

describe('a short window that headers describe as a whole window', () => {
  // Headers count whole seconds, which say little of windows of a few.
  for (const [name, part] of Object.entries(PARTS))
    for (const [window, minutes] of [
      ['a minute', [60]],
      ['a shorter window', [10, 12, 15, 20, 30]],
    ] as const)
      it(`fails with ${name} of ${window}`, async () =>
        fc.assert(
          fc.asyncProperty(around(minutes), async (circumstances) => {
            const kinds = await kindsOf(shorterThanTold(part), circumstances);
            assert.ok(kinds.has('violated'), [...kinds].join());
          }),
          SEARCH,
        ));

  it('passes if it is a whole window', async () =>
    fc.assert(
      fc.asyncProperty(around([3, 10, 60]), async (circumstances) => {
        assert.deepEqual(await kindsOf(fixedFromFirst, circumstances), new Set(['kept']));
      }),
      SEARCH,
    ));
});
