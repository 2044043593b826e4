import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  fixedFromFirst,
  type Limiter,
  type MakeLimiter,
  slidingLogOldest,
  strictPacer,
  tokenBucket,
} from '../../testing/limiters/limiters.js';
import { withSecondClient } from '../../testing/limiters/second-client.js';
import { PLAIN, simulate } from '../../testing/simulated/simulate.js';
import type { Behaviour } from '../../testing/limiters/server.js';

/** Limit of the Pro key of a simulation. */
const PRO_LIMIT = 3 * PLAIN.freeLimit;

const kindsOf = async (behaviour: Behaviour, minuteSeconds: number): Promise<readonly string[]> => {
  const { findings } = await simulate(behaviour, { ...PLAIN, minuteSeconds });
  return findings.filter(({ requirement }) => requirement === 'rate-per-key').map(({ kind }) => kind);
};

/** Creates limiters that each count the requests of all keys, with the limit of their own plan. */
const sharedByAll = (make: MakeLimiter): MakeLimiter => {
  const all: Limiter[] = [];
  return (...figures) => {
    const own = make(...figures);
    all.push(own);
    return (now) => {
      for (const other of all) if (other !== own) other(now);
      return own(now);
    };
  };
};

const withoutHeaders: Behaviour['spoil'] = (draft) => ({
  ...draft,
  limit: null,
  remaining: null,
  reset: null,
});

describe('rate-per-key', () => {
  for (const minuteSeconds of [3, 10, 60]) {
    it(`is kept by strict pacers, with and without rate headers, in windows of ${minuteSeconds} s`, async () => {
      assert.ok(!(await kindsOf({ make: strictPacer }, minuteSeconds)).includes('violated'));
      const bare = await kindsOf({ make: strictPacer, spoil: withoutHeaders }, minuteSeconds);
      assert.ok(bare.includes('kept') && !bare.includes('violated'), bare.join());
    });

    it(`is open if a second client uses the other key, in windows of ${minuteSeconds} s`, async () => {
      for (const make of [fixedFromFirst, slidingLogOldest, tokenBucket]) {
        const used = withSecondClient((2 * minuteSeconds * 1000) / PRO_LIMIT, make);
        const ofPro: MakeLimiter = (limit, ...more) => (limit === PRO_LIMIT ? used : make)(limit, ...more);
        const kinds = await kindsOf({ make: ofPro }, minuteSeconds);
        assert.ok(!kinds.includes('violated'), kinds.join());
      }
    });

    it(`fails if all keys share one counter, in windows of ${minuteSeconds} s`, async () => {
      for (const make of [fixedFromFirst, slidingLogOldest, tokenBucket]) {
        const kinds = await kindsOf({ make: sharedByAll(make) }, minuteSeconds);
        assert.ok(kinds.includes('violated'), kinds.join());
      }
    });
  }
});
