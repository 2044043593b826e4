import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAltered } from '../index.js';
import { judgeWithoutPlaywright } from './judge-by-suites.js';
import { targetOf } from './run-trial.js';

/** A plan of 30 requests a minute, the smallest that an Enterprise key may have here. */
const SMALL = { perMinute: 30, perDay: 10_000 };

/** Animals of a store, of which a quarter are sold: 15 and 25. */
const STORES = [60, 100] as const;

const KEYS = [
  { suiteKey: 'free', name: 'a Free key' },
  { suiteKey: 'enterprise', name: 'a small Enterprise key' },
] as const;

for (const { suiteKey, name } of KEYS)
  test(`a page of sold animals that is too short never passes with ${name}, in any store`, async () => {
    const judged = STORES.flatMap((animals) =>
      [true, false].map(async (writes) => {
        await using server = await startAltered({
          minuteSeconds: 2,
          animals,
          flaws: ['default-limit-ten-for-sold'],
          plans: { enterprise: SMALL },
        });
        const target = targetOf(server, { minuteSeconds: 2, suiteKey, enterprise: SMALL });
        const { requirements } = await judgeWithoutPlaywright({ ...target, writes });
        const row = requirements.find(({ id }) => id === 'list-limit-default');
        return { animals, writes, outcome: row?.outcome, reason: row?.reason?.text };
      }),
    );
    for (const one of await Promise.all(judged))
      assert.ok(
        one.outcome === 'failed' || (one.outcome === 'inconclusive' && one.reason !== undefined),
        JSON.stringify(one),
      );
  });
