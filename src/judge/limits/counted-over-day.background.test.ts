import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fixed } from '../../testing/limiters/mistakes.js';
import type { Behaviour } from '../../testing/limiters/server.js';
import { broken, PLAIN, simulate } from '../../testing/simulated/simulate.js';

/** A server whose headers show the day, but for a refusal by the minute's limit. */
const showingDay = (leftAfter: (perDay: number, requests: number) => number): Behaviour => ({
  ...fixed,
  spoil: (draft, { now, figures: { perDay, daySeconds }, count }) =>
    draft.status === 429
      ? draft
      : {
          ...draft,
          limit: String(perDay),
          remaining: String(leftAfter(perDay, count)),
          reset: String((Math.floor(now / 1000 / daySeconds) + 1) * daySeconds),
        },
});

const judged = async (behaviour: Behaviour) => {
  const { findings } = await simulate(behaviour, PLAIN);
  const own = findings.filter(({ requirement }) => requirement === 'rate-remaining-counts');
  return { broken: broken(findings), own };
};

describe('headers that describe the day', () => {
  it('show a Remaining that counts', async () => {
    const { broken: red, own } = await judged(showingDay((perDay, requests) => perDay - requests));
    assert.deepEqual(red, []);
    assert.deepEqual(new Set(own.map(({ kind }) => kind)), new Set(['kept']), JSON.stringify(own));
  });

  for (const [what, leftAfter] of [
    ['falls by two', (perDay: number, requests: number) => perDay - 2 * requests],
    ['does not fall', (perDay: number) => perDay - 1],
  ] as const)
    it(`show one that ${what}, as one of the minute does`, async () => {
      const { broken: red, own } = await judged(showingDay(leftAfter));
      assert.deepEqual(new Set(red), new Set(['rate-remaining-counts']));
      assert.match(JSON.stringify(own), /Remaining of the day does not count its requests/);
    });

  it('show one that is now and then lower by two, which somebody else explains', async () => {
    const { broken: red, own } = await judged(
      showingDay((perDay, requests) => perDay - requests - Math.floor(requests / 7)),
    );
    assert.deepEqual(red, []);
    assert.match(JSON.stringify(own), /Remaining describes the day, and was lower by/);
  });
});
