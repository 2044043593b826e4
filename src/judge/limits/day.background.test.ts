import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { Finding } from '../findings/finding.js';
import { worstSpan, type Figures } from './bounds.js';
import { wasServed, type Sample } from './sample.js';
import { judgeLimits } from './judge-limits.js';
import type { KeySeries, SeriesEnd } from './series.js';
import { freeKey, START } from '../../testing/limiters/free-key.js';
import { sampleWith } from '../../testing/limiters/sample-with.js';

const DAY_MS = 86_400_000;
const FIGURES: Figures = { perMinute: 60, perDay: 100, minuteSeconds: 60, daySeconds: DAY_MS / 1000 };

const NOTHING = freeKey(FIGURES);

/** Returns requests paced below the minute's limit; `at` changes each. */
const paced = (count: number, at: (index: number) => Partial<Sample> = () => ({})): readonly Sample[] =>
  Array.from({ length: count }, (_, index) => {
    const sentAt = START + 40_000 + index * 1060;
    const date = Math.floor(sentAt / 1000) * 1000;
    return sampleWith({ sentAt, answeredAt: sentAt + 5, date, reset: date / 1000 + 60, ...at(index) });
  });

const REFUSAL: Partial<Sample> = { status: 429, remaining: 0, retryAfter: '3600' };
const forbidden = (count: number): readonly Sample[] =>
  paced(count, (index) => (index === count - 1 ? { ...REFUSAL, status: 403 } : {}));
const usedUp = (count: number): readonly Sample[] =>
  paced(count, (index) => (index === count - 1 ? REFUSAL : {}));

const judged = (samples: readonly Sample[], end: SeriesEnd = 'refused', more: Partial<KeySeries> = {}) =>
  judgeLimits({
    keys: [{ ...NOTHING, ...more, dayQuota: { samples, end } }],
    refusalBodies: [],
    operations: ['listPets'],
  });

const found = (findings: readonly Finding[], row: string): Finding => {
  const finding = findings.find(({ requirement }) => requirement === row);
  assert.ok(finding !== undefined, `nothing was found about ${row}`);
  return finding;
};

const verdict = (samples: readonly Sample[], end?: SeriesEnd): string =>
  found(judged(samples, end), 'rate-day-quota').kind;

describe('the requirement on the daily quota', () => {
  it('is kept by a 429 after the whole quota', () => assert.equal(verdict(usedUp(101)), 'kept'));

  it('is kept despite an earlier 429 for the minute limit', () => {
    const samples = usedUp(102).map((sample, at) =>
      at === 40 ? { ...sample, status: 429, retryAfter: '1' } : sample,
    );
    assert.equal(verdict(samples), 'kept');
  });

  it('is kept if a lost response completes the quota', () => {
    const samples = usedUp(101).map((sample, at) => (at === 40 ? { ...sample, status: 0 } : sample));
    assert.equal(verdict(samples), 'kept');
  });

  it('is kept if 404 and minute-429 responses complete the quota, and inconclusive below', () => {
    const samples = usedUp(101).map((sample, at) =>
      at >= 40 && at < 52 ? { ...sample, status: at % 2 === 0 ? 429 : 404, retryAfter: '1' } : sample,
    );
    assert.equal(verdict(samples), 'kept');
    assert.equal(verdict(samples.slice(1)), 'inconclusive');
    // A 429 of the day does not count against the day.
    const ofDay = { status: 429, limit: FIGURES.perDay, retryAfter: '3600' };
    const early = usedUp(101).map((sample, at) => (at >= 89 ? { ...sample, ...ofDay } : sample));
    assert.equal(verdict(early), 'inconclusive');
  });

  it('is violated by one request too many', () => assert.equal(verdict(paced(103)), 'violated'));

  it('is inconclusive after an early 429', () => assert.equal(verdict(usedUp(51)), 'inconclusive'));

  it('is inconclusive if part of the requests are older than a day', () => {
    const old = paced(60).map((sample) => ({
      ...sample,
      sentAt: sample.sentAt - DAY_MS,
      answeredAt: sample.answeredAt - DAY_MS,
    }));
    assert.equal(verdict([...old, ...usedUp(51)]), 'inconclusive');
  });

  it('is violated by another status code than 429 at the end', () => {
    assert.equal(verdict(forbidden(101), 'unexpected-status'), 'violated');
    assert.equal(verdict(forbidden(51), 'unexpected-status'), 'inconclusive');
  });

  it('is inconclusive with a reason if the run ends before the quota', () => {
    for (const [samples, end, code] of [
      [usedUp(51), 'refused', 'rate-limited'],
      [paced(90), 'ceiling', 'too-little-data'],
      [paced(90), 'interrupted', 'interrupted'],
      [paced(90, (index) => (index === 89 ? { status: 0 } : {})), 'transport', 'transport'],
    ] as const) {
      const finding = found(judged(samples, end), 'rate-day-quota');
      assert.ok(finding.kind === 'inconclusive' && finding.reason.code === code, JSON.stringify(finding));
    }
  });

  it('is inconclusive if a new day begins during the run', () => {
    const midnight = Math.ceil(START / DAY_MS) * DAY_MS - START - 100_000;
    const shifted = paced(103).map((sample) => ({
      ...sample,
      sentAt: sample.sentAt + midnight,
      answeredAt: sample.answeredAt + midnight,
      date: (sample.date ?? 0) + midnight,
    }));
    assert.equal(verdict(shifted), 'inconclusive');
  });

  it('is inconclusive if a day from an earlier request ends during the run', () => {
    const before = DAY_MS - 60_000;
    const [first] = paced(1);
    assert.ok(first);
    const earlier = { ...first, sentAt: first.sentAt - before, answeredAt: first.answeredAt - before };
    assert.equal(verdict([earlier, ...paced(103)]), 'inconclusive');
    assert.equal(verdict([{ ...earlier, sentAt: earlier.sentAt - 120_000 }, ...paced(103)]), 'violated');
  });

  it('is not applicable if it was not requested', () => {
    const findings = judgeLimits({ keys: [NOTHING], refusalBodies: [], operations: ['listPets'] });
    assert.equal(found(findings, 'rate-day-quota').kind, 'not-applicable');
  });
});

describe('every response of a day', () => {
  for (const [row, fault] of [
    ['rate-headers-present', { remaining: null }],
    ['rate-headers-wellformed', { remaining: 'many' }],
    ['rate-headers-wellformed', { reset: (START - 600_000) / 1000 }],
    ['rate-headers-wellformed', { reset: (START - 600_000) / 1000, date: null }],
    ['rate-headers-wellformed', { reset: (START + 3_600_000) / 1000, date: null }],
    ['rate-limit-value', { limit: 61 }],
    ['rate-retry-after-present', { ...REFUSAL, retryAfter: 'soon' }],
  ] as const)
    it(`violates ${row} if it alone has ${JSON.stringify(fault)}`, () => {
      const samples = usedUp(101);
      assert.notEqual(found(judged(samples), row).kind, 'violated');
      const wrong = samples.map((sample, at) => (at === 57 ? { ...sample, ...fault } : sample));
      assert.equal(found(judged(wrong), row).kind, 'violated');
    });

  it('can use the clock from responses to other requests', () => {
    const far = (START + 3_600_000) / 1000;
    const earlier = [sampleWith({ sentAt: START, answeredAt: START + 5, date: null, reset: far })];
    assert.equal(
      found(judged(usedUp(101), 'refused', { earlier }), 'rate-headers-wellformed').kind,
      'violated',
    );
  });

  it('without Date is dated by responses to other requests, or else by our clock if every Reset fits it', () => {
    const undated = usedUp(101).map((sample) => ({ ...sample, date: null }));
    assert.equal(found(judged(undated), 'rate-headers-wellformed').kind, 'kept');
    const late = undated.map((sample, at) => (at === 57 ? { ...sample, reset: START / 1000 - 600 } : sample));
    assert.equal(found(judged(late), 'rate-headers-wellformed').kind, 'inconclusive');
    const earlier = [sampleWith({ sentAt: START, answeredAt: START + 5, date: START })];
    assert.equal(found(judged(undated, 'refused', { earlier }), 'rate-headers-wellformed').kind, 'kept');
    for (const [off, words] of [
      [-600_000, 'in the past'],
      [3_600_000, 'ahead'],
    ] as const) {
      const wrong = undated.map((sample, at) =>
        at === 57 ? { ...sample, reset: (START + off) / 1000 } : sample,
      );
      const finding = found(judged(wrong, 'refused', { earlier }), 'rate-headers-wellformed');
      assert.ok(finding.kind === 'violated');
      assert.match(finding.actual ?? '', new RegExp(`${words} \\(on 1 response of 102\\)`));
    }
  });
});

/** Tolerance for products of rates and differences of Unix times. */
const ROUNDED = 1e-9;

/** Returns a day's last requests in sequence, with the day's headers; `left` gives each Remaining. */
const told = (left: (index: number) => number, more: (index: number) => Partial<Sample> = () => ({})) =>
  paced(31, (index) => ({
    limit: FIGURES.perDay,
    remaining: left(index),
    reset: START / 1000 + 3600,
    ...(index === 30 ? REFUSAL : {}),
    ...more(index),
  }));

/** True if no finding is wrong about Remaining. */
const counts = (samples: readonly Sample[], more: Partial<KeySeries> = {}): boolean =>
  !judged(samples, 'refused', more).some(
    (finding) => finding.kind === 'violated' && finding.requirement === 'rate-remaining-counts',
  );

/** Returns such responses, each of a request that was open while its neighbours were. */
const inPairs = (left: (index: number) => number) =>
  told(left, (index) => ({
    answeredAt: START + 40_000 + (index + 2) * 1060,
    ...(index === 30 ? { remaining: 0 } : {}),
  }));

/** Returns such responses, of which one is refused early, with some of the day left. */
const refuses = (retryAfter: string | null) =>
  told(
    (index) => (index < 12 ? 28 : 29) - index,
    (index) => (index === 12 ? { status: 429, retryAfter } : {}),
  );

describe('Remaining of the daily quota', () => {
  it('falls by 1 per request', () => assert.ok(counts(told((index) => 29 - index))));
  it('may be rounded down by one', () => assert.ok(counts(told((index) => Math.max(0, 28 - index)))));
  it('must not stay constant', () => assert.ok(!counts(told(() => 29))));
  it('must not fall by 2 per request until 0', () =>
    assert.ok(!counts(told((index) => Math.max(0, 29 - 2 * index)))));
  it('must not be 0 while requests are allowed', () => assert.ok(!counts(told(() => 0))));
  it('must not be above 0 before a 429', () => assert.ok(!counts(told((index) => 35 - index))));
  it('may be above 0 before a 429 whose wait is the minute’s', () => {
    assert.ok(counts(refuses('48')));
    assert.ok(!counts(refuses('3600')));
    assert.ok(!counts(refuses(null)));
  });
  it('may stay constant while the headers describe the minute', () =>
    assert.ok(
      counts(
        told(
          () => 29,
          () => ({ limit: FIGURES.perMinute }),
        ),
      ),
    ));
  it('may swap on parallel requests', () =>
    assert.ok(counts(inPairs((index) => 29 - (index % 2 === 0 ? index + 1 : index - 1)))));
  it('may stay at 0 while a log forgets the requests of the day before, at the same pace', () => {
    // The log's Reset is when its oldest request leaves.
    const forgets = told(
      () => 0,
      (index) => ({ reset: Math.ceil((START + 40_000 + (index + 1) * 1060) / 1000) }),
    );
    assert.ok(counts(forgets));
  });
  it('is not checked if other clients use the key', () =>
    assert.ok(
      counts(
        told(() => 29),
        { exclusive: false },
      ),
    ));
});

/** A day's responses in order of sending, some refused or lost. */
const day = fc
  .array(
    fc.record({
      after: fc.oneof(fc.nat(100), fc.nat(10_000_000)),
      status: fc.constantFrom(200, 200, 200, 0, 429, 404),
      took: fc.integer({ min: 1, max: 300 }),
    }),
    { minLength: 1, maxLength: 80 },
  )
  .map((requests) => {
    let sentAt = START;
    return requests.map(({ after, status, took }) => {
      sentAt += after;
      return sampleWith({ sentAt, answeredAt: sentAt + took, status });
    });
  });

describe('the worst span of a day', () => {
  it('finds the worst span, and nothing worse when responses overtake each other', () => {
    fc.assert(
      fc.property(day, fc.double({ min: 1e-9, max: 0.1, noNaN: true }), (samples, rate) => {
        const served = samples.filter(wasServed);
        const worst = worstSpan(served, rate);
        const most = worst === null ? -Infinity : worst.count - rate * (worst.to - worst.from);
        const excesses = served.flatMap((first, from) =>
          served.slice(from).map((_, more) => {
            const span = served.slice(from, from + more + 1);
            return (
              span.length - rate * (Math.max(...span.map(({ answeredAt }) => answeredAt)) - first.sentAt)
            );
          }),
        );
        const wanted = Math.max(...excesses);
        const isInOrder = served.every(
          ({ answeredAt }, at) => answeredAt >= (served[at - 1]?.answeredAt ?? 0),
        );
        assert.ok(!(most > wanted + ROUNDED), `${most} for ${wanted}`);
        assert.ok(!isInOrder || !(most < wanted - ROUNDED), `${most} for ${wanted}`);
      }),
    );
  });
});
