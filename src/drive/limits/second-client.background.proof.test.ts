import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../judge/findings/finding.js';
import type { PlanFigures } from '../../base/interface/plans.js';
import type { PlanName } from '../../base/interface/types.js';
import { judgeTrial } from '../../proof/selftest/run-trial.js';
import { trials } from '../../proof/selftest/subjects.js';
import {
  calendarWindow,
  fixedFromFirst,
  gcra,
  slidingCounter,
  slidingLogNewest,
  slidingLogOldest,
  tokenBucket,
  type MakeLimiter,
} from '../../testing/limiters/limiters.js';
import { oneLess } from '../../testing/limiters/mistakes.js';
import { withSecondClient } from '../../testing/limiters/second-client.js';
import { broken, PLAIN, simulate } from '../../testing/simulated/simulate.js';
import { expectNamed, isTold, ofLimit, testsFreeKey } from './second-client.test.support.js';

/** Rows that count a key's requests. */
const COUNTING = ['rate-429', 'rate-remaining-counts', 'rate-not-early', 'rate-concurrent', 'rate-window'];

const PRO_LIMIT = 3 * PLAIN.freeLimit;

/** The interface's two smallest plans. */
const PLANS = new Map<PlanName, PlanFigures>([
  ['free', { perMinute: 60, perDay: 1000 }],
  ['pro', { perMinute: 300, perDay: 10_000 }],
]);
const PRO_BY_INTERFACE = 300;

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

const oneLessOfPro: MakeLimiter = (limit, ...more) =>
  calendarWindow(limit === PRO_LIMIT ? limit - 1 : limit, ...more);

const passed = (findings: readonly Finding[]): readonly string[] =>
  COUNTING.filter((row) =>
    findings.every(({ requirement, kind }) => requirement !== row || kind !== 'inconclusive'),
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

const WINDOWS: readonly (readonly [string, MakeLimiter])[] = [
  ['window from the first request', fixedFromFirst],
  ['window of the clock', calendarWindow],
  ['log', slidingLogOldest],
];
const ALL: typeof WINDOWS = [...WINDOWS, ['counter', slidingCounter], ['bucket', tokenBucket]];

testsFreeKey([0.13, 0.87]);

/** Situations in which a sound server was failed: limiter, its name, key, window, others' ms and number. */
const ONCE_RED: readonly (readonly [MakeLimiter, string, 'Free' | 'Pro', number, number, number, number])[] =
  [
    [slidingLogNewest, 'a log that names its newest end', 'Free', 60, 2000, 1, 0.13],
    [slidingLogOldest, 'a log with one of others each window', 'Free', 60, 60_000, 1, 0.61],
    [slidingLogNewest, 'a log with two of others each window', 'Free', 60, 30_000, 1, 0.61],
    [slidingLogOldest, 'a log with two of others each short window', 'Free', 6, 3000, 1, 0.61],
    [slidingLogOldest, 'a log, as many each window', 'Free', 6, 200, 1, 0.13],
    [fixedFromFirst, 'a window that begins inside the burst', 'Free', 10, 1000, 1, 0.13],
    [tokenBucket, 'a bucket that is full but for moments', 'Free', 10, 1000, 1, 0.61],
    [tokenBucket, 'a bucket that fills slowly', 'Free', 10, 250, 1, 0.13],
    [slidingCounter, 'a counter that others fill', 'Free', 6, 25, 1, 0.13],
    [gcra, 'a bucket that others drain', 'Pro', 60, 250, 1, 0.13],
    [slidingLogOldest, 'a log that others fill in bursts', 'Pro', 6, 300, 12, 0.61],
    [calendarWindow, 'a window that others use up', 'Pro', 10, 1000 / 24, 1, 0.61],
    [fixedFromFirst, 'a window that one of others begins each time', 'Free', 60, 60_000, 1, 0.5],
    [fixedFromFirst, 'a window that six of others begin each time', 'Pro', 20, 20_000, 6, 0.61],
    [fixedFromFirst, 'a window that others begin just before us', 'Free', 6, 6000, 2, 0.97],
    [fixedFromFirst, 'a short window that twelve of others begin', 'Free', 10, 10_000, 12, 0.05],
    [fixedFromFirst, 'a window that five of others use now and then', 'Free', 60, 138_000, 5, 0.5],
    [slidingLogOldest, 'a log that five of others use now and then', 'Free', 20, 46_000, 5, 0.05],
    [calendarWindow, 'a window of the clock with one of others in each half', 'Pro', 10, 5000, 1, 0.13],
  ];

describe('somebody else on a key', () => {
  for (const [make, name, key, minuteSeconds, everyMs, atOnce, phase] of ONCE_RED)
    it(`is named, and fails no row: ${name}, ${key}, ${minuteSeconds} s`, async () => {
      const shared = withSecondClient(everyMs, make, atOnce, phase * everyMs);
      const limitOf = key === 'Free' ? PLAIN.freeLimit : PRO_BY_INTERFACE;
      const of = ofLimit(limitOf, shared, make);
      expectNamed(await simulate({ make: of }, { ...PLAIN, minuteSeconds }, { plans: PLANS }), key);
    });

  it('is not what a server is excused with that holds one less of each key, by the windows of a clock', async () => {
    const { findings } = await simulate(oneLess(calendarWindow), PLAIN);
    assert.deepEqual(broken(findings), ['rate-not-early']);
  });

  it('may be what takes one of one key as each window of a clock begins', async () => {
    const { findings, told } = await simulate({ make: oneLessOfPro }, PLAIN);
    assert.deepEqual(broken(findings), [], told.join('\n'));
    assert.ok(findings.some((one) => isTold(one)));
  });

  for (const [how, everyMs, atOnce, limiters] of [
    ['12 every 3 s', 3000, 12, ALL],
    ['30 every 6 s', 6000, 30, ALL],
    ['6 every 3 s', 3000, 6, ALL],
    ['4 a second', 1000, 4, ALL],
    ['2 a second', 500, 1, ALL.filter(([name]) => name !== 'bucket')],
    ['1 a second', 1000, 1, ALL.filter(([name]) => name !== 'bucket')],
  ] as const)
    for (const [name, make] of limiters)
      it(`is named, fails no row and passes none that counts: ${name}, ${how}`, async () => {
        const of = ofLimit(PRO_LIMIT, withSecondClient(everyMs, make, atOnce), make);
        const { findings, told } = await simulate({ make: of }, PLAIN);
        expectNamed({ findings, told }, 'Pro');
        // Parallel requests with nothing left show the limit, whoever used it.
        assert.deepEqual(
          passed(findings).filter((row) => row !== 'rate-concurrent'),
          [],
          told.join('\n'),
        );
      });

  for (const [name, make] of WINDOWS)
    for (const shiftMs of [-20_000, -600, 100, 3000])
      it(`fails no row as a second run of the kit with the same keys: ${name}, ${shiftMs} ms later`, async () => {
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

  for (const [how, share, waitMs] of [
    ['the whole limit', 1, null],
    ['half of the limit, with a short wait each time', 0.5, 1000],
    ['few requests', 0.08, null],
  ] as const)
    for (const [name, make] of WINDOWS)
      it(`is not named for a server that refuses for ever after ${how}: ${name}`, async () => {
        const { findings } = await simulate({ make: refusingForEver(make, share, waitMs) }, PLAIN);
        assert.ok(broken(findings).includes('rate-retry-after-honoured'), broken(findings).join());
        assert.ok(!findings.some((one) => isTold(one)));
      });

  it('is not named for a server that counts some requests twice', async () => {
    const trial = trials().find(({ subject }) => subject.name === 'counts-one-in-ten-double');
    assert.ok(trial);
    for (const minuteSeconds of [3, 60]) {
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

const refusing: MakeLimiter = (_, windowMs) => (now) => ({
  served: false,
  remaining: 0,
  resetAt: now + windowMs / 2,
  retryAt: now + windowMs / 4,
});

describe('a key that is refused each time, without a word of what is left', () => {
  for (const minuteSeconds of [10, 60])
    it(`may have been used up by somebody else: ${minuteSeconds} s`, async () => {
      const { findings } = await simulate(
        { make: refusing, spoil: (draft) => ({ ...draft, limit: null, remaining: null, reset: null }) },
        { ...PLAIN, minuteSeconds },
        { plans: new Map([['free', { perMinute: PLAIN.freeLimit, perDay: 1000 }]]) },
      );
      assert.deepEqual(broken(findings), ['rate-headers-present']);
      const texts = findings.map((finding) => (finding.kind === 'inconclusive' ? finding.reason.text : ''));
      assert.ok(
        texts.includes('Something else used the Free key: 60 requests before the first request of the load.'),
        texts.join('\n'),
      );
    });
});
