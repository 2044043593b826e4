import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clumped } from '../../testing/limiters/clumped.js';
import { fixedFromFirst } from '../../testing/limiters/limiters.js';
import type { Behaviour } from '../../testing/limiters/server.js';
import { PLAIN, simulate, type Circumstances } from '../../testing/simulated/simulate.js';

const SEEDS = [1, 2, 3, 4];

/** A machine that is held up for a part of a window again and again, at a short window and at a real one. */
const HELD_UP: Readonly<Record<string, Partial<Circumstances>>> = {
  'for 0.06 s at a window of 1.5 s': {
    minuteSeconds: 1.5,
    busy: { everyMs: 200, longestMs: 60, atSends: 0, workMs: 0 },
  },
  'for 4 s at a window of 60 s': {
    minuteSeconds: 60,
    busy: { everyMs: 1000, longestMs: 4000, atSends: 0, workMs: 1 },
  },
};

/** Returns when the requests of a steady run were sent, ms, with whether they were refused; a list a key. */
async function steadyRuns(behaviour: Behaviour, circumstances: Partial<Circumstances>) {
  const { record, findings } = await simulate(behaviour, { ...PLAIN, ...circumstances });
  const pace = findings.filter(({ requirement }) => requirement === 'rate-not-early');
  const keys = record.keys.map(({ asked, figures }) => ({
    figures,
    steady: (asked ?? []).filter(({ question, part }) => question === 'steady' && part === 'paced'),
  }));
  return { pace, keys };
}

for (const [how, circumstances] of Object.entries(HELD_UP))
  test(`a machine that is held up ${how} keeps the pace, and no window sees more than the plan`, async () => {
    for (const seed of SEEDS) {
      const { pace, keys } = await steadyRuns({ make: fixedFromFirst }, { ...circumstances, seed });
      assert.deepEqual([...new Set(pace.map(({ kind }) => kind))], ['kept'], JSON.stringify(pace));
      for (const { figures, steady } of keys) {
        const sent = steady.map(({ sentAt }) => sentAt).toSorted((one, other) => one - other);
        const windowMs = figures.minuteSeconds * 1000;
        const most = Math.max(
          ...sent.map((from) => sent.filter((at) => at >= from && at < from + windowMs).length),
        );
        assert.ok(most <= figures.perMinute, `${most} of ${figures.perMinute} in a window, seed ${seed}`);
      }
    }
  });

test('what is late is caught up by less where a burst gets a part of the plan', async () => {
  const quarters = clumped({ share: 1 / 4, anchor: 'start', amount: 'sum', holds: 1 / 4, reset: 'beat' });
  for (const seed of SEEDS) {
    const held = HELD_UP['for 4 s at a window of 60 s'];
    const { keys } = await steadyRuns({ make: quarters }, { ...held, seed });
    for (const { steady } of keys)
      assert.deepEqual(
        steady.filter(({ status }) => status === 429),
        [],
        `seed ${seed}`,
      );
  }
});
