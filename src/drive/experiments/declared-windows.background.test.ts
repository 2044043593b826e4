import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { scaled, reportedAsWhole } from '../../proof/limiters/broken.js';
import { fixedWindow } from '../../reference/limiter.js';
import { fixedFromFirst, ofReference, type MakeLimiter } from '../../testing/limiters/limiters.js';
import type { Finding } from '../../judge/findings/finding.js';
import { searching } from '../../testing/limiters/searching.js';
import { PLAIN, simulate, type Circumstances } from '../../testing/simulated/simulate.js';

/** Creates windows of a part of a minute; headers describe them as whole minutes. */
const shorterThanTold = (part: number): MakeLimiter =>
  ofReference(reportedAsWhole(scaled(fixedWindow, (limit) => limit, part)));

const SEARCH = searching(8);

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

/** Returns the findings on `rate-window`: one for each key, and the untested part. */
const said = async (make: MakeLimiter, circumstances: Circumstances): Promise<readonly Finding[]> =>
  (await simulate({ make }, circumstances)).findings.filter(
    ({ requirement }) => requirement === 'rate-window',
  );

const kindsOf = async (make: MakeLimiter, circumstances: Circumstances): Promise<ReadonlySet<string>> =>
  new Set((await said(make, circumstances)).map(({ kind }) => kind));

const PARTS: Readonly<Record<string, number>> = {
  'a half': 1 / 2,
  'two thirds': 2 / 3,
  'three quarters': 3 / 4,
};

describe('a short window that headers describe as a whole window', () => {
  for (const [name, part] of Object.entries(PARTS)) {
    it(`fails with ${name} of a minute`, async () =>
      fc.assert(
        fc.asyncProperty(around([60]), async (circumstances) => {
          const kinds = await kindsOf(shorterThanTold(part), circumstances);
          assert.ok(kinds.has('violated'), [...kinds].join());
        }),
        SEARCH,
      ));
    it(`does not silently pass with ${name} of a shorter window`, async () =>
      fc.assert(
        fc.asyncProperty(around([3, 6, 10, 12, 15, 20, 30]), async (circumstances) => {
          const kinds = await kindsOf(shorterThanTold(part), circumstances);
          assert.ok(!kinds.has('kept') || kinds.size > 1, [...kinds].join());
        }),
        SEARCH,
      ));
  }
  it('passes if it is a whole window, with one part not tested', async () =>
    fc.assert(
      fc.asyncProperty(around([60]), async (circumstances) => {
        const findings = await said(fixedFromFirst, circumstances);
        assert.deepEqual(
          findings.flatMap((finding) => (finding.kind === 'untried' ? [finding.what] : [])),
          ['whether windows of the free key are shorter than announced'],
        );
        assert.deepEqual(new Set(findings.map(({ kind }) => kind)), new Set(['kept', 'untried']));
      }),
      SEARCH,
    ));
});
