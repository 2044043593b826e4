import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../findings/finding.js';
import {
  fixedFromFirst,
  type MakeLimiter,
  slidingLogNewest,
  slidingLogOldest,
  tokenBucket,
} from '../../testing/limiters/limiters.js';
import { broken, PLAIN, simulate } from '../../testing/simulated/simulate.js';
import {
  restartedAfter,
  restartedAt,
  testsRestarts,
  testsRestartsInBurst,
  withOneKey,
} from './mishaps.test.support.js';

/* What goes wrong once, and is no fault of a limiter. */

const of = (findings: readonly Finding[], row: string): readonly Finding[] =>
  findings.filter(({ requirement }) => requirement === row);

describe('one 500 to a valid request', () => {
  for (const [where, at] of [
    ['in the first burst', 30],
    ['in the steady run', 150],
    ['in the second burst', 220],
  ] as const)
    it(`costs no row: ${where}`, async () => {
      const { findings } = await simulate(
        {
          make: fixedFromFirst,
          spoil: (draft, { key, count }) =>
            key === 'free' && count === at ? { ...draft, status: 500 } : draft,
        },
        PLAIN,
      );
      assert.deepEqual(broken(findings), []);
      for (const row of ['rate-429', 'rate-not-early', 'rate-remaining-counts'])
        assert.deepEqual(
          of(findings, row).filter(({ kind }) => kind === 'inconclusive'),
          [],
          row,
        );
      const text = JSON.stringify([...of(findings, 'rate-429'), ...of(findings, 'rate-not-early')]);
      if (at < 200) assert.match(text, /1 of \d+ (?:requests )?got (?:500|no usable response)/);
    });
});

describe('responses with 500 at the edge of the first burst', () => {
  for (const [what, odd] of [
    ['the last one', [60]],
    ['two in a row', [58, 59]],
    ['the last two', [59, 60]],
  ] as const)
    it(`leave the limit where it was: ${what}`, async () => {
      const { findings, told } = await simulate(
        {
          make: fixedFromFirst,
          spoil: (draft, { key, count }) =>
            key === 'free' && odd.some((at) => at === count) ? { ...draft, status: 500 } : draft,
        },
        PLAIN,
      );
      assert.deepEqual(broken(findings), []);
      const open = findings.filter(({ kind }) => kind === 'inconclusive');
      assert.deepEqual(open, []);
      const edges = told.filter((line) => /, free .* with \d+ left/.test(line)).slice(1);
      assert.ok(edges.length > 0);
      for (const line of edges) assert.match(line, / with 2 left: 2 allowed/);
    });
});

/** Creates limiters that forget everything again and again. */
const forgettingEvery =
  (ms: number, make: MakeLimiter): MakeLimiter =>
  (limit, ...more) => {
    let [limiter, since] = [make(limit, ...more), -Infinity];
    return (now) => {
      if (now >= since + ms) [limiter, since] = [make(limit, ...more), now];
      return limiter(now);
    };
  };

describe('a server that is restarted in the middle of the load', () => {
  testsRestarts({ fixedFromFirst, slidingLogNewest, tokenBucket }, [0.6, 1.46, 2.7, 4]);

  it('is reported where it explains a fault', async () => {
    const { findings } = await simulate({ make: restartedAfter(12_600, tokenBucket) }, PLAIN);
    assert.match(
      JSON.stringify(findings),
      /a restart of the server \(Remaining of all keys was whole again at \d\d:/,
    );
  });

  for (const [name, make] of Object.entries({
    fixedFromFirst,
    slidingLogNewest,
    tokenBucket,
  }))
    it(`is no excuse for one that forgets its keys every now and then: ${name}`, async () => {
      const { findings } = await simulate({ make: forgettingEvery(24_000, make) }, PLAIN);
      assert.ok(broken(findings).includes('rate-window'), broken(findings).join());
    });
});

describe('a server that is restarted within a burst of the only key', () => {
  testsRestartsInBurst({ fixedFromFirst, slidingLogOldest, tokenBucket }, [6, 10, 60]);

  it('fails a row where it comes again in the next burst, and nothing ever comes back by steps', async () => {
    for (const minuteSeconds of [6, 10, 60]) {
      const { record } = await withOneKey(restartedAt([25], fixedFromFirst), minuteSeconds);
      const second = record.keys[0]?.asked?.findIndex(({ question }) => question === 'second') ?? 0;
      const again = restartedAt([25, second + 25], fixedFromFirst);
      const { findings, told } = await withOneKey(again, minuteSeconds);
      assert.ok(broken(findings).includes('rate-window'), told.join('\n'));
    }
  });
});
