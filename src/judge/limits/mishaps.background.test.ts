import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../findings/finding.js';
import { fixedFromFirst, slidingLogOldest, type MakeLimiter } from '../../testing/limiters/limiters.js';
import { broken, PLAIN, simulate } from '../../testing/simulated/simulate.js';

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

/** Creates limiters that forget everything once, so long after the first request of any key. */
function restartedAfter(ms: number, make: MakeLimiter): MakeLimiter {
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

describe('a server that is restarted in the middle of the load', () => {
  for (const [name, make] of [
    ['windows', fixedFromFirst],
    ['a log', slidingLogOldest],
  ] as const)
    for (const seconds of [20, 80, 100, 130, 150])
      it(`fails no row: ${name}, after ${seconds} s`, async () => {
        const { findings, told } = await simulate({ make: restartedAfter(1000 * seconds, make) }, PLAIN);
        assert.deepEqual(broken(findings), [], told.join('\n'));
      });

  it('is told', async () => {
    const { findings } = await simulate({ make: restartedAfter(80_000, fixedFromFirst) }, PLAIN);
    assert.match(
      JSON.stringify(findings),
      /a restart of the server \(Remaining of all keys was whole again at \d\d:/,
    );
  });
});
