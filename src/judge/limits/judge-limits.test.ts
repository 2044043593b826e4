import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../findings/finding.js';
import { judgeLimits } from './judge-limits.js';
import type { Sample } from './sample.js';
import type { Figures } from './bounds.js';
import type { KeySeries } from './series.js';
import { freeKey, START } from '../../testing/limiters/free-key.js';
import { sampleWith } from '../../testing/limiters/sample-with.js';

const FIGURES: Figures = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };

/** Returns sequential requests, 5 ms each; `at` changes each. */
const inARow = (count: number, at: (index: number) => Partial<Sample> = () => ({})): readonly Sample[] =>
  Array.from({ length: count }, (_, index) => {
    const sentAt = START + index * 6;
    return sampleWith({ sentAt, answeredAt: sentAt + 5, remaining: Math.max(0, 59 - index), ...at(index) });
  });

const REFUSAL: Partial<Sample> = { status: 429, remaining: 0, retryAfter: '60' };

const judge = (key: Partial<KeySeries>): readonly Finding[] =>
  judgeLimits({
    keys: [{ ...freeKey(FIGURES), ...key }],
    refusalBodies: [],
    operations: ['listPets'],
  });

const of = (findings: readonly Finding[], row: string): readonly Finding[] =>
  findings.filter(({ requirement }) => requirement === row);

const kinds = (findings: readonly Finding[], row: string): readonly string[] =>
  of(findings, row).map(({ kind }) => kind);

const bansIn = (watched: readonly Sample[]): readonly string[] =>
  kinds(
    judge({
      key: 'sacrificial',
      ban: {
        pushed: inARow(64, (index) => (index >= 60 ? REFUSAL : {})),
        lastBody: null,
        watched,
        otherKey: null,
      },
    }),
    'ban-temporary',
  );

const after = (ms: number, more: Partial<Sample>) =>
  sampleWith({ sentAt: START + ms, answeredAt: START + ms + 5, ...more });

const dated = (ms: number) => ({ date: START + ms });

/** A date 20 s after the given time, as Retry-After may name it. */
const in20Seconds = (ms: number): string => new Date(START + ms + 20_000).toUTCString();

describe('the judgement of limits', () => {
  it('never passes without recorded requests', () => {
    const all = new Set(judge({}).map(({ kind }) => kind));
    assert.ok(!all.has('kept') && !all.has('violated'), [...all].join());
  });

  it('names the plan of every violation', () => {
    const violations = judge({
      earlier: inARow(9, (index) => ({ limit: 100, reset: index === 3 ? 0 : null })),
    }).filter(({ kind }) => kind === 'violated');
    assert.deepEqual(new Set(violations.map(({ requirement }) => requirement)), new Set(ROWS_OF_HEADERS));
    assert.ok(violations.every((finding) => finding.kind === 'violated' && finding.plan === 'free'));
  });

  it('compares the Limit of the key given up for a ban with no plan', () => {
    const findings = judge({ key: 'sacrificial', earlier: inARow(9, () => ({ limit: 100 })) });
    assert.deepEqual(kinds(findings, 'rate-limit-value'), []);
  });

  it('does not take missing responses after a 429 as proof against a ban', () => {
    const lost = sampleWith({ sentAt: START + 5000, answeredAt: START + 5005, status: 0 });
    assert.deepEqual([bansIn([]), bansIn([lost])], [['not-applicable'], ['inconclusive']]);
  });

  const [first, over] = [62_000, 85_000];
  for (const [how, retryAfter] of [
    ['in seconds', '20'],
    ['as a date', in20Seconds(first)],
  ] as const)
    it(`measures a ban after the last request by its own responses, ${how}`, () => {
      for (const [answer, last, kind] of [
        [{ status: 403, retryAfter }, { status: 200 }, 'kept'],
        [{ ...REFUSAL, retryAfter }, { status: 200 }, 'kept'],
        [{ status: 403, retryAfter }, { status: 403, retryAfter }, 'violated'],
        [{ ...REFUSAL, retryAfter }, { ...REFUSAL, retryAfter }, 'violated'],
      ] as const)
        assert.deepEqual(
          bansIn([after(first, { ...dated(first), ...answer }), after(over, { ...dated(over), ...last })]),
          [kind],
          JSON.stringify([answer, last]),
        );
      assert.deepEqual(bansIn([after(first, { status: 403, retryAfter, ...dated(first) })]), [
        'inconclusive',
      ]);
    });
});

const ROWS_OF_HEADERS = ['rate-headers-present', 'rate-headers-wellformed', 'rate-limit-value'];
