import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseHttpDate } from '../../base/interface/retry-after.js';
import { wasRefused, type Sample } from '../../judge/limits/sample.js';
import { banMetSince } from './ban-sentences.js';
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

/** Fixed windows that end right after their third refusal: so many of them, then one that lasts. */
const endingEarly =
  (windows: number): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    let limiter = fixedFromFirst(limit, windowMs, phaseMs);
    let refused = 0;
    return (now) => {
      const decision = limiter(now);
      if (!decision.served) refused += 1;
      if (!decision.served && refused % 3 === 0 && refused <= 3 * windows)
        limiter = fixedFromFirst(limit, windowMs, phaseMs);
      return decision;
    };
  };

/** Returns what was sent with a sacrificial key until its ban, or to the most that a run pushes. */
async function pushedBy(behaviour: Behaviour) {
  const { record } = await banRun(behaviour);
  return record.keys[0]?.ban?.pushed ?? [];
}

const banRun = (behaviour: Behaviour) =>
  simulate(behaviour, { ...PLAIN, minuteSeconds: 6 }, { ban: { declaredSeconds: null } });

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

  it('is banned although a window ends among its refusals', async () => {
    const pushed = await pushedBy({ make: endingEarly(1), ban: { after: 50, ms: 60_000, status: 403 } });
    assert.equal(pushed.at(-1)?.status, 403);
    assert.equal(pushed.filter(wasRefused).length, 53);
  });

  it('sends no more refused requests than the target file allows, wherever a window ends', async () => {
    const pushed = await pushedBy({ make: endingEarly(1) });
    assert.equal(pushed.filter(wasRefused).length, 61);
  });

  it('shows nothing about a ban where windows end before enough refusals', async () => {
    const { findings } = await banRun({
      make: endingEarly(Infinity),
      ban: { after: 4, ms: 60_000, status: 403 },
    });
    const row = findings.find(({ requirement }) => requirement === 'ban-temporary');
    assert.equal(row?.kind, 'inconclusive');
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
  const [usual, odd] = [{ ...answerAt(429, 10), remaining: '0' }, answerAt(429, 30)];
  const samples = [answerAt(200, 0), usual, answerAt(200, 20), odd];
  assert.equal(
    banMetSince(0, { figures, samples: () => samples }),
    '',
    'a single refusal is the limit’s own',
  );
});
