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

/** Returns an exhausted Free key, and the Pro key's responses before and during its 429s. */
const exhausted = (before: Partial<Sample>, during: Partial<Sample>): KeySeries => ({
  ...NOTHING_RUN,
  key: 'free',
  figures: FREE,
  exclusive: true,
  aloneSince: START,
  burst: {
    samples: [answer({ limit: 60, remaining: 0 }), answer({ status: 429, limit: 60, remaining: 0 })],
    refusalOperation: 'listPets',
    otherKey: { key: 'pro', figures: PRO, before: answer(before), during: answer(during) },
    end: 'refused',
  },
});

for (const [what, before, during, kinds] of [
  ['counts only its own requests', {}, { remaining: 289 }, ['kept']],
  ['counts the other key’s requests as well', {}, { remaining: 230 }, ['violated']],
  ['gets a 429', {}, { status: 429, remaining: 0 }, ['violated']],
  ['has another Limit', { limit: 290 }, { limit: 230, remaining: 230 }, ['kept', 'untried']],
  ['has no Remaining', { remaining: null }, { remaining: null }, ['kept', 'untried']],
] as const)
  test(`a key that ${what} while another key is exhausted: ${kinds.join(', ')}`, () => {
    assert.deepEqual(
      judgementsOf(perKey({ key: exhausted(before, during), otherPlans: 1 })).map(({ kind }) => kind),
      kinds,
    );
  });
