import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseHttpDate } from '../../base/interface/retry-after.js';
import { wasRefused, type Sample } from '../../judge/limits/sample.js';
import { banMetSince } from './ban.js';
import { fixedFromFirst, type MakeLimiter } from '../../testing/limiters/limiters.js';
import type { Behaviour } from '../../testing/limiters/server.js';
import { PLAIN, simulate } from '../../testing/simulated/simulate.js';

/** A fixed window that another client used up just before: its first request is refused. */
const usedBefore: MakeLimiter = (limit, windowMs, phaseMs) => {
  const limiter = fixedFromFirst(limit, windowMs, phaseMs);
  let used = 0;
  return (now) => {
    for (; used < limit; used += 1) limiter(now);
    return limiter(now);
  };
};

/** Returns what was sent with a sacrificial key until its ban, or to the most that a run pushes. */
async function pushedBy(behaviour: Behaviour, minuteSeconds = 6) {
  const course = { ban: { declaredSeconds: null } };
  const { record } = await simulate(behaviour, { ...PLAIN, minuteSeconds }, course);
  return record.keys[0]?.ban?.pushed ?? [];
}

describe('a sacrificial key', () => {
  for (const retryAfterAs of ['seconds', 'date'] as const)
    it(`that is refused at once waits for its Retry-After in ${retryAfterAs}, then uses up its allowance`, async () => {
      const pushed = await pushedBy({
        make: usedBefore,
        retryAfterAs,
        // A date is the only time that this server names.
        spoil: (draft) => ({ ...draft, limit: null, remaining: null, reset: null }),
      });
      const [first, second] = pushed;
      assert.ok(first && second && wasRefused(first) && !wasRefused(second));
      const waitedMs = second.sentAt - first.answeredAt;
      const asked = first.retryAfter ?? '';
      const date = parseHttpDate(asked);
      const namedMs = date === null ? Number(asked) * 1000 : date - (first.date ?? 0);
      assert.ok(waitedMs >= namedMs - 1000 && waitedMs < namedMs + 2500, `${waitedMs} ms, ${asked}`);
      assert.equal(pushed.filter((sample) => !wasRefused(sample)).length, PLAIN.freeLimit);
    });

  for (const retryAfterAs of ['seconds', 'date'] as const)
    it(`is seen banned by a 429 whose wait in ${retryAfterAs} is longer than any window's`, async () => {
      const pushed = await pushedBy({
        make: fixedFromFirst,
        retryAfterAs,
        ban: { after: 5, ms: 60_000, status: 429 },
      });
      // Nothing more is sent once the ban has begun.
      assert.equal(pushed.filter(wasRefused).length, 6);
    });
});

const answerAt = (status: number, at: number): Sample => ({
  operation: 'listPets',
  intendedAt: at,
  sentAt: at,
  answeredAt: at + 5,
  status,
  limit: '60',
  remaining: '30',
  reset: null,
  retryAfter: null,
  date: null,
});

it('looks banned only while it stays refused', () => {
  const figures = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };
  const said = (...statuses: readonly number[]): string =>
    banMetSince(0, { figures, samples: () => statuses.map((status, at) => answerAt(status, at * 10)) });
  assert.match(said(200, 429, 403, 403), /looks banned: 403 after 1 refusal in a row/);
  assert.match(said(200, 429, 403), /looks banned/);
  assert.equal(said(200, 401, 200, 200), '');
});
