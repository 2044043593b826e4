import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeTrial } from '../../proof/selftest/run-trial.js';
import { trials } from '../../proof/selftest/subjects.js';
import {
  calendarWindow,
  fixedFromFirst,
  slidingLogOldest,
  type MakeLimiter,
} from '../../testing/limiters/limiters.js';
import type { Finding } from '../../judge/findings/finding.js';
import { withSecondClient } from '../../testing/limiters/second-client.js';
import { broken, PLAIN, simulate } from '../../testing/simulated/simulate.js';

/** Rows that count a key's requests. */
const COUNTING = ['rate-429', 'rate-remaining-counts', 'rate-not-early', 'rate-concurrent', 'rate-window'];

const PRO_LIMIT = 3 * PLAIN.freeLimit;

/** Creates limiters of which only the Pro key's has a second client. */
const ofPro =
  (make: MakeLimiter, everyMs: number, atOnce: number): MakeLimiter =>
  (limit, ...more) =>
    (limit === PRO_LIMIT ? withSecondClient(everyMs, make, atOnce) : make)(limit, ...more);

/** Creates limiters of which the Free key's calls `before` each request, with its time since the first one. */
const ofFree =
  (
    make: MakeLimiter,
    before: (at: number, limiter: ReturnType<MakeLimiter>, start: number) => void,
  ): MakeLimiter =>
  (limit, ...more) => {
    const limiter = make(limit, ...more);
    if (limit !== PLAIN.freeLimit) return limiter;
    let start: number | null = null;
    return (now) => {
      start ??= now;
      before(now - start, limiter, start);
      return limiter(now);
    };
  };

/** Returns the rows that are open because somebody else used the Pro key. */
const openByOthers = (findings: readonly Finding[]): readonly string[] =>
  findings.flatMap((one) =>
    one.kind === 'inconclusive' && one.reason.text.startsWith('Something else used the Pro key')
      ? [one.requirement]
      : [],
  );

/** Creates limiters that allow a share of the limit, and nothing more after their first refusal. */
const refusingForEver =
  (make: MakeLimiter, share: number, waitMs: number | null): MakeLimiter =>
  (limit, ...more) => {
    const limiter = make(Math.ceil(limit * share), ...more);
    let isOver = false;
    return (now) => {
      const decision = limiter(now);
      isOver ||= !decision.served;
      if (!isOver) return decision;
      const wait = waitMs === null ? {} : { retryAt: now + waitMs, resetAt: now + waitMs };
      return { ...decision, ...wait, served: false, remaining: 0 };
    };
  };

describe('somebody else on a key', () => {
  for (const [name, everyMs, atOnce] of [
    ['in bursts of 6 every 3 s', 3000, 6],
    ['evenly, 2 a second', 500, 1],
    ['evenly, 1 a second', 1000, 1],
  ] as const)
    for (const make of [fixedFromFirst, calendarWindow, slidingLogOldest])
      it(`is named, and fails and passes no row that counts: ${make.name} ${name}`, async () => {
        for (const seed of [1, 2, 3]) {
          const { findings, told } = await simulate(
            { make: ofPro(make, everyMs, atOnce) },
            { ...PLAIN, seed },
          );
          assert.deepEqual(broken(findings), [], told.join('\n'));
          const open = openByOthers(findings);
          assert.deepEqual(
            COUNTING.filter((row) => !open.includes(row)),
            [],
            told.join('\n'),
          );
        }
      });

  it('is named where it uses more than the plan has', async () => {
    const { findings } = await simulate({ make: ofPro(fixedFromFirst, 3000, 12) }, PLAIN);
    assert.deepEqual(broken(findings), []);
    assert.ok(
      findings.some((one) => one.kind === 'inconclusive' && one.reason.text.startsWith('Something else')),
    );
  });

  for (const [name, everyMs, atOnce] of [
    ['12 every 3 s', 3000, 12],
    ['30 every 6 s', 6000, 30],
    ['4 every second', 1000, 4],
    ['nearly as much as there is, 3 a second', 333, 1],
  ] as const)
    it(`is named where a log has nothing left after silence: ${name}`, async () => {
      for (const seed of [1, 2]) {
        const { findings, told } = await simulate(
          { make: ofPro(slidingLogOldest, everyMs, atOnce) },
          { ...PLAIN, seed },
        );
        assert.deepEqual(broken(findings), [], told.join('\n'));
        const open = openByOthers(findings);
        assert.deepEqual(
          COUNTING.filter((row) => !open.includes(row)),
          [],
          told.join('\n'),
        );
      }
    });

  for (const make of [fixedFromFirst, slidingLogOldest])
    for (const shiftMs of [-40_000, -5000, -600, -100, 100, 600, 3000])
      it(`fails no row as a second run of the kit that rests when the first rests: ${make.name} ${shiftMs} ms later`, async () => {
        const around = { ...PLAIN, suites: 20 };
        const times: number[] = [];
        await simulate({ make: ofFree(make, (at) => void times.push(at)) }, { ...around, seed: 7 });
        const due = times.map((at) => at + shiftMs);
        const { findings, told } = await simulate(
          {
            make: ofFree(make, (at, limiter, start) => {
              while ((due[0] ?? Infinity) <= at) limiter(start + (due.shift() ?? 0));
            }),
          },
          around,
        );
        assert.deepEqual(broken(findings), [], told.join('\n'));
      });

  for (const [name, share, waitMs] of [
    ['the whole limit', 1, null],
    ['the whole limit, with a short wait each time', 1, 1000],
    ['half of the limit', 0.5, null],
    ['half of the limit, with a short wait each time', 0.5, 1000],
    ['few requests', 0.08, null],
  ] as const)
    for (const make of [fixedFromFirst, calendarWindow, slidingLogOldest])
      it(`is not named for a server that refuses for ever after ${name}: ${make.name}`, async () => {
        const { findings } = await simulate({ make: refusingForEver(make, share, waitMs) }, PLAIN);
        assert.ok(broken(findings).includes('rate-retry-after-honoured'), broken(findings).join());
        assert.deepEqual(openByOthers(findings), []);
      });

  it('is not named for a server that counts some requests twice', async () => {
    const trial = trials().find(({ subject }) => subject.name === 'counts-one-in-ten-double');
    assert.ok(trial);
    for (const minuteSeconds of [3, 6, 60]) {
      const { requirements } = await judgeTrial({ ...trial, minuteSeconds });
      const row = requirements.find(({ id }) => id === 'rate-remaining-counts');
      assert.equal(row?.outcome, 'failed');
      assert.match(
        row?.findings.map(({ message }) => message).join(' ') ?? '',
        /about 1 in (8|9|10|11) requests twice/,
      );
      assert.ok(!requirements.some(({ reason }) => /something else/i.test(reason?.text ?? '')));
    }
  });
});
