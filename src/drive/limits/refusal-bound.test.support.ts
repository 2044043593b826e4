import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { MOST_REFUSED } from '../../judge/limits/asked.js';
import { tokenBucket as wholeBucket } from '../../proof/limiters/buckets.js';
import { fixedWindow } from '../../reference/limiter.js';
import {
  calendarWindow,
  countingLate,
  fixedFromFirst,
  type MakeLimiter,
  ofReference,
  renewedByRefusal,
  slidingCounter,
  slidingLogOldest,
  smallBucket,
  strictPacer,
  tokenBucket,
} from '../../testing/limiters/limiters.js';
import { searching } from '../../testing/limiters/searching.js';
import type { Behaviour, Draft } from '../../testing/limiters/server.js';
import { broken, type Course, PLAIN, simulate } from '../../testing/simulated/simulate.js';

const SOUND: Readonly<Record<string, MakeLimiter>> = {
  'fixed window': fixedFromFirst,
  'window extended by every 429': renewedByRefusal,
  'window of the clock': calendarWindow,
  'sliding log': slidingLogOldest,
  'sliding counter': slidingCounter,
  'token bucket': tokenBucket,
  'small bucket': smallBucket,
  'strict pacer': strictPacer,
};

const withoutHeaders = (draft: Draft): Draft => ({ ...draft, limit: null, remaining: null, reset: null });

/** Servers of which a client may meet many refusals. */
const UNSOUND: Readonly<Record<string, Partial<Behaviour> & Pick<Behaviour, 'make'>>> = {
  'a limit of three quarters': {
    make: (limit, ...rest) => fixedFromFirst(Math.floor(limit * 0.75), ...rest),
  },
  'a limit of three quarters, with the headers of the plan': {
    make: fixedFromFirst,
    applied: (figures) => ({ ...figures, perMinute: Math.floor(figures.perMinute * 0.75) }),
    spoil: (draft, { figures }) => ({
      ...draft,
      remaining: String(Number(draft.remaining) + figures.perMinute / 4),
    }),
  },
  'a Remaining that stays at half of the plan, whatever is left': {
    make: tokenBucket,
    spoil: (draft, { figures }) => ({
      ...draft,
      remaining: String(Math.max(Number(draft.remaining), Math.floor(figures.perMinute / 2))),
    }),
  },
  'an allowance of its own for creations': {
    make: tokenBucket,
    countedBy: (key, operation) => (operation === 'createPet' ? `${key} creations` : key),
  },
  'a window of two minutes': {
    make: (limit, windowMs, phaseMs) => fixedFromFirst(limit, 2 * windowMs, phaseMs),
  },
  'a Retry-After of 1 in all 429s': {
    make: fixedFromFirst,
    spoil: (draft) => (draft.retryAfter === null ? draft : { ...draft, retryAfter: '1' }),
  },
  'a counter that is written late': { make: countingLate(30) },
  'a bucket that refills at half the rate': {
    make: (limit, windowMs, phaseMs) => ofReference(wholeBucket)(limit, 2 * windowMs, phaseMs),
  },
  'a limit of one in a minute': {
    make: (_limit, windowMs, phaseMs) => ofReference(fixedWindow)(1, windowMs, phaseMs),
  },
};

/** Runs against a server that bans after 9 refusals in a row, counts there, and returns the run. */
async function metNoBan(behaviour: Behaviour, latencyMs: number, seed: number, course: Course) {
  const ban = { after: MOST_REFUSED + 1, ms: 120_000, status: 403 };
  const run = await simulate({ ...behaviour, ban }, { ...PLAIN, latencyMs, seed }, course);
  for (const [key, most] of run.mostRefused)
    assert.ok(most <= MOST_REFUSED, `${key}: ${most}\n${run.told.join('\n')}`);
  return run;
}

/**
 * Tests the bound of refusals with these plans, on servers that ban after one more.
 *
 * @param runs of each server; of one run each, every server gets another seed
 */
export function testsRefusalBound(course: Course, runs: number): void {
  const seeds = fc.integer({ min: 1, max: 1e9 });
  let servers = 0;
  const usual = () => searching(runs, runs === 1 ? (servers += 1) : 1);
  describe('no key meets more than 8 refusals in a row', () => {
    for (const [name, make] of Object.entries(SOUND))
      for (const [headers, spoil] of [
        ['with', undefined],
        ['without', withoutHeaders],
      ] as const)
        it(`of a ${name} ${headers} rate headers`, async () => {
          const behaviour = spoil === undefined ? { make } : { make, spoil };
          await fc.assert(
            fc.asyncProperty(seeds, fc.constantFrom(0.4, 30, 150), async (seed, latencyMs) => {
              const run = await metNoBan(behaviour, latencyMs, seed, course);
              if (spoil === undefined) assert.deepEqual(broken(run.findings), []);
            }),
            usual(),
          );
        });
    for (const [name, behaviour] of Object.entries(UNSOUND))
      it(`of ${name}`, async () => {
        await fc.assert(
          fc.asyncProperty(seeds, fc.constantFrom(0.4, 50), async (seed, latencyMs) => {
            await metNoBan(behaviour, latencyMs, seed, course);
          }),
          usual(),
        );
      });
  });
}

/** Tests that an earlier ban is reported, whatever its status. */
export function testsEarlyBans(): void {
  for (const status of [401, 403, 429])
    it(`a ban with ${status} after 2 or 4 is reported, and fails no row`, async () => {
      for (const after of [2, 4]) {
        const ban = { after, ms: 120_000, status };
        const run = await simulate({ make: fixedFromFirst, ban }, PLAIN);
        assert.deepEqual(broken(run.findings), []);
        const told = run.told.filter((text) =>
          / free .*The key looks banned: \d+ after \d refusals? in a row\.$/.test(text),
        );
        assert.equal(told.length, 1, run.told.join('\n'));
      }
    });
}
