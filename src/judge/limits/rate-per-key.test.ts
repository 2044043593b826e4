import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sample } from './sample.js';
import { NOTHING_RUN, type KeySeries } from './series.js';
import { judgementsOf } from '../findings/finding.js';
import { perKey } from './rate-per-key.js';

const START = Date.parse('2026-11-20T10:00:07Z');
const FREE = { perMinute: 60, perDay: 10_000, minuteSeconds: 60, daySeconds: 86_400 };
const PRO = { ...FREE, perMinute: 300 };

const answer = (more: Partial<Sample>): Sample => ({
  intendedAt: START,
  sentAt: START,
  answeredAt: START + 2,
  operation: 'listPets',
  status: 200,
  limit: 300,
  remaining: 290,
  reset: START / 1000 + 60,
  retryAfter: null,
  date: START,
  ...more,
});

/** Requests of the Free key in 500 ms, and the 429 that ends them. */
const SENT = 60;
const REFUSED_AT = START + 500;

/**
 * Returns an exhausted Free key, and the Pro key with its responses before and during the 429, and some later
 * ones.
 */
const exhausted = (
  before: Partial<Sample>,
  during: Partial<Sample>,
  later: readonly Partial<Sample>[] = [],
) => {
  const figures = { exclusive: true, aloneSince: START };
  const probe = {
    key: 'pro' as const,
    figures: PRO,
    before: answer(before),
    during: answer({ sentAt: REFUSED_AT + 5, answeredAt: REFUSED_AT + 7, ...during }),
  };
  const samples = Array.from({ length: SENT }, (_, index) =>
    answer({
      sentAt: START + 5 + 8 * index,
      answeredAt: START + 7 + 8 * index,
      limit: 60,
      remaining: 59 - index,
    }),
  );
  const refusal = answer({
    sentAt: REFUSED_AT,
    answeredAt: REFUSED_AT + 2,
    status: 429,
    limit: 60,
    remaining: 0,
  });
  const key: KeySeries = {
    ...NOTHING_RUN,
    ...figures,
    key: 'free',
    figures: FREE,
    burst: { samples: [...samples, refusal], refusalOperation: 'listPets', otherKey: probe, end: 'refused' },
  };
  const earlier = [probe.before, probe.during, ...later.map(answer)];
  const others: readonly KeySeries[] = [{ ...NOTHING_RUN, ...figures, key: 'pro', figures: PRO, earlier }];
  return { key, others };
};

const LATER = { sentAt: START + 900, answeredAt: START + 902 };

for (const [what, kinds, before, during, later] of [
  ['counts only its own requests', ['kept'], {}, { remaining: 289 }, []],
  ['counts the other key’s requests as well', ['violated'], {}, { remaining: 229 }, []],
  ['counts them, with a refill in between', ['violated'], {}, { remaining: 232 }, []],
  ['falls by more than all keys sent', ['inconclusive'], {}, { remaining: 180 }, []],
  ['falls by less than the other key sent', ['inconclusive'], {}, { remaining: 270 }, []],
  [
    'is used by another client later',
    ['inconclusive'],
    {},
    { remaining: 229 },
    [{ ...LATER, remaining: 200 }],
  ],
  [
    'counts the other key’s requests, then its own',
    ['violated'],
    {},
    { remaining: 229 },
    [{ ...LATER, remaining: 228 }],
  ],
  ['gets a 429', ['violated'], {}, { status: 429, remaining: 0 }, []],
  [
    'gets a 429, and later all of its allowance,',
    ['violated'],
    {},
    { status: 429, remaining: 0 },
    Array.from({ length: PRO.perMinute }, () => LATER),
  ],
  [
    'gets a 429 without rate headers',
    ['violated'],
    { limit: null, remaining: null },
    { status: 429, limit: null },
    [],
  ],
  [
    'gets a 429 sooner than W / L after its own request',
    ['inconclusive'],
    { answeredAt: REFUSED_AT },
    { status: 429, limit: null, remaining: null },
    [],
  ],
  ['has another Limit', ['kept', 'untried'], { limit: 290 }, { limit: 230, remaining: 230 }, []],
  ['has no Remaining', ['kept', 'untried'], { remaining: null }, { remaining: null }, []],
] as const)
  test(`a key that ${what} while another key is exhausted: ${kinds.join(', ')}`, () => {
    assert.deepEqual(
      judgementsOf(perKey(exhausted(before, during, later))).map(({ kind }) => kind),
      kinds,
    );
  });

test('a key that used its own allowance before gets 429 while another key is exhausted: inconclusive', () => {
  const { key, others } = exhausted(
    { limit: null, remaining: null },
    { status: 429, limit: null, remaining: null },
  );
  const used = Array.from({ length: 299 }, () => answer({ limit: null, remaining: null }));
  const own = others.map((other) => ({ ...other, earlier: [...used, ...other.earlier] }));
  assert.deepEqual(
    judgementsOf(perKey({ key, others: own })).map(({ kind }) => kind),
    ['inconclusive'],
  );
});
