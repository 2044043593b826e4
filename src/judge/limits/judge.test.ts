import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../findings/finding.js';
import { judgeLimits } from './judge.js';
import type { Sample } from './sample.js';
import type { Figures } from './bounds.js';
import type { KeySeries } from './series.js';
import { freeKey, START } from '../../testing/limiters/free-key.js';
import { sampleWith } from '../../testing/limiters/sample-with.js';

const FIGURES: Figures = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };

const NOTHING = freeKey(FIGURES);

/** Returns sequential requests, 5 ms each; `at` changes each. */
const inARow = (count: number, at: (index: number) => Partial<Sample>): readonly Sample[] =>
  Array.from({ length: count }, (_, index) => {
    const sentAt = START + index * 6;
    return sampleWith({ sentAt, answeredAt: sentAt + 5, remaining: Math.max(0, 59 - index), ...at(index) });
  });

const REFUSAL: Partial<Sample> = { status: 429, remaining: 0, retryAfter: '60' };

const judge = (key: Partial<KeySeries>): readonly Finding[] =>
  judgeLimits({ keys: [{ ...NOTHING, ...key }], refusalBodies: [], operations: ['listPets'] });

const of = (findings: readonly Finding[], row: string): Finding => {
  const finding = findings.find(({ requirement }) => requirement === row);
  assert.ok(finding !== undefined, `nothing was found about ${row}`);
  return finding;
};

const burst = (samples: readonly Sample[]): Partial<KeySeries> => ({
  burst: { samples, refusalOperation: 'listPets', end: 'refused', otherKey: null },
});

/** Returns a correct burst, then a concurrent one. */
const inParallel = (at: (index: number) => Partial<Sample>): Partial<KeySeries> => ({
  ...burst(inARow(61, (index) => (index === 60 ? REFUSAL : {}))),
  concurrent: {
    samples: inARow(66, (index) => ({
      sentAt: START + 61_000 + 40 * Math.floor(index / 20) + index / 10,
      answeredAt: START + 61_030 + 40 * Math.floor(index / 20) + index / 10,
      date: START + 61_000,
      reset: START / 1000 + 120,
      ...at(index),
    })),
    together: [],
    connections: 20,
    end: 'ceiling',
  },
});

/** Returns the finding on a burst that ends with a 400 to a creation when Remaining is 0. */
const ended = (first: Partial<Sample>) =>
  of(
    judge({
      burst: {
        samples: inARow(61, (index) =>
          index === 60 ? { operation: 'createPet', status: 400, remaining: 0 } : index === 0 ? first : {},
        ),
        refusalOperation: 'createPet',
        end: 'unexpected-status',
        otherKey: null,
      },
    }),
    'rate-429',
  ).kind;

/** Returns the finding on one request too many in 1.5 s; Remaining rises by one at `rose`. */
const oneMore = (rose: number): Finding['kind'] => {
  const samples = inARow(62, (index) => ({
    sentAt: START + index * 25,
    answeredAt: START + index * 25 + 20,
    remaining: Math.max(0, (index < rose ? 59 : 60) - index),
    ...(index === 61 && REFUSAL),
  }));
  return of(judge(burst(samples)), 'rate-429').kind;
};

/** Returns a response `at` ms after the start, by the server's clock as well. */
const answeredAt = (at: number, more: Partial<Sample>): Sample =>
  sampleWith({
    sentAt: START + at,
    answeredAt: START + at + 5,
    date: START + Math.floor(at / 1000) * 1000,
    reset: START / 1000 + 700,
    ...more,
  });

/** Concurrent requests in the window after the retry. */
const side = (index: number): Partial<Sample> => ({
  sentAt: START + 121_000 + index / 10,
  answeredAt: START + 121_030 + index / 10,
  remaining: Math.max(40, 59 - index),
  reset: START / 1000 + 180,
});

/** Concurrent requests with two alternating Resets, each with its own counter. */
const inTurn = (index: number): Partial<Sample> => ({
  sentAt: START + 61_000 + index * 3,
  answeredAt: START + 61_020 + index * 3,
  remaining: Math.max(0, 59 - Math.floor(index / 2)),
  reset: START / 1000 + (index % 2 === 0 ? 120 : 180),
});

/** Concurrent requests of two consecutive windows. */
const rolled = (index: number): Partial<Sample> => ({
  ...inTurn(index),
  sentAt: START + 119_900 + index * 3,
  answeredAt: START + 119_920 + index * 3,
  date: START + (index < 33 ? 119_000 : 120_000),
  remaining: 59 - (index % 33),
  reset: START / 1000 + (index < 33 ? 120 : 180),
});

/** Returns a burst with a pause, up to its 429; Remaining begins at `first`. */
const served = (first: number) => (index: number) =>
  index === 60
    ? REFUSAL
    : {
        remaining: Math.max(0, first - index),
        ...(index >= 50 && { sentAt: START + 3000 + index * 6, answeredAt: START + 3005 + index * 6 }),
      };

const refusedWith = (status: number) =>
  judge(inParallel((index) => (index >= 60 ? { ...REFUSAL, status } : {}))).filter(
    ({ kind, requirement }) => kind === 'violated' && requirement === 'rate-429',
  ).length;

const countingIn = (remaining: (index: number) => number) =>
  of(
    judge(inParallel((index) => (index >= 60 ? REFUSAL : { remaining: remaining(index) }))),
    'rate-remaining-counts',
  ).kind;

/** Returns the finding on concurrent requests of which the later ones show a Remaining of 58 and less. */
const risenWith = (reset: number) =>
  of(
    judge(
      inParallel((index) =>
        index < 40 ? { remaining: 59 - index, reset: START / 1000 + 61 } : { remaining: 98 - index, reset },
      ),
    ),
    'rate-remaining-counts',
  ).kind;

const after = (ms: number, more: Partial<Sample>) =>
  sampleWith({ sentAt: START + ms, answeredAt: START + ms + 5, ...more });

const bansIn = (watched: readonly Sample[]) =>
  of(
    judge({
      key: 'sacrificial',
      ban: {
        pushed: inARow(64, (index) => (index >= 60 ? REFUSAL : {})),
        lastBody: null,
        watched,
        otherKey: null,
        declaredSeconds: null,
      },
    }),
    'ban-temporary',
  ).kind;

describe('the judgement of limits', () => {
  it('never passes without recorded requests', () => {
    const kinds = new Set(judge({}).map(({ kind }) => kind));
    assert.ok(!kinds.has('kept') && !kinds.has('violated'), [...kinds].join());
  });

  it('states the numbers of allowed and refused requests', () => {
    const finding = of(judge(burst(inARow(61, (index) => (index === 60 ? REFUSAL : {})))), 'rate-429');
    assert.deepEqual(finding, {
      kind: 'kept',
      requirement: 'rate-429',
      message: '60 of 60 requests allowed; the next one got 429 after 5 ms.',
      exchanges: [],
    });
  });

  it('reports one request too many as a violation', () => {
    const finding = of(judge(burst(inARow(62, (index) => (index === 61 ? REFUSAL : {})))), 'rate-429');
    assert.ok(finding.kind === 'violated');
    assert.equal(finding.actual, '61 requests allowed');
  });

  it('reports an extra request in a later burst, in each row whose samples show it', () => {
    const first = inARow(61, (index) => (index === 60 ? { ...REFUSAL, retryAfter: '30' } : {}));
    const shift = { sentAt: START + 31_000, answeredAt: START + 31_005 };
    const second = inARow(62, (index) => ({
      ...(index === 61 ? REFUSAL : {}),
      sentAt: shift.sentAt + index * 6,
      answeredAt: shift.answeredAt + index * 6,
    }));
    const findings = judge({ ...burst(first), window: [first, second] });
    assert.equal(of(findings, 'rate-429').kind, 'violated');
    assert.equal(of(findings, 'rate-window').kind, 'violated');
  });

  it('allows a window to end during a burst', () => {
    const rolled = inARow(81, (index) =>
      index === 80 ? REFUSAL : index < 20 ? { reset: START / 1000 } : { remaining: 79 - index },
    );
    assert.equal(of(judge(burst(rolled)), 'rate-429').kind, 'kept');
    assert.equal(of(judge(burst(rolled)), 'rate-remaining-counts').kind, 'kept');
  });

  it('assigns parallel requests to a new window if Reset shows it', () => {
    const retry = sampleWith({
      sentAt: START + 100_000,
      answeredAt: START + 100_005,
      reset: START / 1000 + 120,
    });
    const refusal = sampleWith({ ...REFUSAL, sentAt: START + 400, answeredAt: START + 405 });
    const findings = judge({
      ...inParallel(side),
      recoveries: [{ refusal, refusals: 1, retry, resetRetry: null }],
    });
    assert.equal(of(findings, 'rate-concurrent').kind, 'violated');
  });

  it('takes alternating Resets as two counters, not as a new window', () => {
    assert.equal(of(judge(inParallel(inTurn)), 'rate-concurrent').kind, 'violated');
    assert.notEqual(of(judge(inParallel(rolled)), 'rate-concurrent').kind, 'violated');
  });

  it('counts earlier requests of the run in the same window', () => {
    const before = sampleWith({ sentAt: START - 3000, answeredAt: START - 2990, remaining: 59 });
    // Either the first of a window is not counted, or one too many is allowed: 60 and the earlier one.
    for (const first of [59, 58])
      assert.equal(
        of(judge({ ...burst(inARow(61, served(first))), earlier: [before] }), 'rate-429').kind,
        'violated',
      );
    const sound = inARow(60, (index) => (index === 59 ? REFUSAL : served(58)(index)));
    assert.equal(of(judge({ ...burst(sound), earlier: [before] }), 'rate-429').kind, 'kept');
  });

  it('is inconclusive without rate headers', () => {
    const bare = inARow(81, (index) => ({
      ...(index === 80 ? REFUSAL : {}),
      limit: null,
      remaining: null,
      reset: null,
    }));
    assert.equal(of(judge(burst(bare)), 'rate-429').kind, 'inconclusive');
  });

  it('does not blame the target if other clients use the key', () => {
    const findings = judge({
      ...burst(inARow(31, (index) => (index === 30 ? REFUSAL : {}))),
      exclusive: false,
    });
    assert.equal(of(findings, 'rate-not-early').kind, 'not-applicable');
    assert.equal(of(findings, 'rate-remaining-counts').kind, 'not-applicable');
  });

  it('leaves a short burst to the steady run', () => {
    const findings = judge(
      burst(inARow(31, (index) => (index === 30 ? REFUSAL : { remaining: 29 - index }))),
    );
    assert.equal(of(findings, 'rate-not-early').kind, 'inconclusive');
  });

  it('does not take a broken connection for a violation', () => {
    const broken = inARow(30, (index) =>
      index === 29 ? { status: 0, limit: null, remaining: null, reset: null, date: null } : {},
    );
    const findings = judge({
      burst: { samples: broken, refusalOperation: 'listPets', end: 'transport', otherKey: null },
    });
    assert.ok(!findings.some(({ kind }) => kind === 'violated'));
    const finding = of(findings, 'rate-429');
    assert.ok(finding.kind === 'inconclusive' && finding.reason.code === 'transport');
  });

  it('takes a served key after several 429s as proof against a ban', () => {
    const refusal = sampleWith({ ...REFUSAL, sentAt: START + 400, answeredAt: START + 405 });
    const retry = sampleWith({ sentAt: START + 60_500, answeredAt: START + 60_505 });
    const findings = judge({ recoveries: [{ refusal, refusals: 3, retry, resetRetry: null }] });
    assert.equal(of(findings, 'ban-only-after-abuse').kind, 'kept');
  });

  it('is inconclusive if one more request may come from a refill at the end', () => {
    assert.deepEqual([40, 61].map(oneMore), ['kept', 'inconclusive']);
  });

  it('takes a 400 at the limit as a refusal only if the operation succeeded before', () => {
    assert.equal(ended({ operation: 'createPet', status: 201 }), 'violated');
    assert.equal(ended({}), 'inconclusive');
  });

  it('does not compare the wait of a ban with Reset', () => {
    const samples = ['30', '30', '600'].map((retryAfter, index) =>
      answeredAt(90_000 + index, { ...REFUSAL, reset: START / 1000 + 120, retryAfter }),
    );
    const [, , refusal] = samples;
    assert.ok(refusal);
    const resetRetry = answeredAt(122_000, { ...REFUSAL, reset: START / 1000 + 180, retryAfter: '568' });
    const recoveries = [{ refusal, refusals: 3, retry: answeredAt(691_000, {}), resetRetry }];
    const judged = (side: readonly Sample[]): Finding['kind'] =>
      of(
        judge({ recoveries, concurrent: { samples: side, together: [], connections: 3, end: 'refused' } }),
        'rate-reset-truthful',
      ).kind;
    assert.equal(judged(samples), 'inconclusive');
    assert.equal(judged([refusal]), 'violated');
  });

  it('reports another status than 429 for parallel requests as for single ones', () => {
    assert.deepEqual([refusedWith(429), refusedWith(503)], [0, 1]);
  });

  it('finds a constant Remaining among parallel requests', () => {
    // Twenty concurrent requests may all get the Remaining after all twenty.
    assert.equal(
      countingIn((index) => 40 - 20 * Math.floor(index / 20)),
      'kept',
    );
    assert.equal(
      countingIn(() => 59),
      'violated',
    );
  });

  it('does not take missing responses after a 429 as proof against a ban', () => {
    const lost = sampleWith({ sentAt: START + 5000, answeredAt: START + 5005, status: 0 });
    assert.deepEqual([bansIn([]), bansIn([lost])], ['not-applicable', 'inconclusive']);
  });

  it('measures a ban after the last request by its own responses', () => {
    const [first, over] = [62_000, 85_000];
    for (const [answer, last, kind] of [
      [{ status: 403, retryAfter: '20' }, { status: 200 }, 'kept'],
      [{ ...REFUSAL, retryAfter: '20' }, { status: 200 }, 'kept'],
      [{ status: 403, retryAfter: '20' }, { status: 403, retryAfter: '20' }, 'violated'],
      [{ ...REFUSAL, retryAfter: '20' }, { ...REFUSAL, retryAfter: '20' }, 'violated'],
    ] as const)
      assert.equal(bansIn([after(first, answer), after(over, last)]), kind, JSON.stringify([answer, last]));
    assert.equal(bansIn([after(first, { status: 403, retryAfter: '20' })]), 'inconclusive');
  });

  it('detects a new window among parallel requests without a first response', () => {
    assert.equal(risenWith(START / 1000 + 121), 'kept');
    assert.equal(risenWith(START / 1000 + 61), 'violated');
  });

  it('does not take an overload for a limit', () => {
    const busy = inARow(20, (index) => (index === 19 ? { status: 503 } : {}));
    assert.equal(of(judge(burst(busy)), 'rate-429').kind, 'inconclusive');
  });
});
