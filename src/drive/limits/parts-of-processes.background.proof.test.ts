import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PlanFigures } from '../../base/interface/plans.js';
import type { PlanName } from '../../base/interface/types.js';
import { randomFrom } from '../../base/kernel/random.js';
import { calendarWindow, fixedFromFirst, slidingLogOldest } from '../../testing/limiters/limiters.js';
import { ofParts } from '../../testing/limiters/mistakes.js';
import { withSecondClient } from '../../testing/limiters/second-client.js';
import type { Behaviour } from '../../testing/limiters/server.js';
import { broken, PLAIN, simulate } from '../../testing/simulated/simulate.js';
import { expectNamed, isTold, ofLimit } from './second-client.test.support.js';

/** The interface's three smallest plans. */
const PLANS = new Map<PlanName, PlanFigures>([
  ['free', { perMinute: 60, perDay: 1000 }],
  ['pro', { perMinute: 300, perDay: 10_000 }],
  ['business', { perMinute: 1000, perDay: 100_000 }],
]);

describe('processes that each allow a part of the limit', () => {
  for (const isInTurn of [true, false])
    for (const processes of [2, 3, 4])
      for (const minuteSeconds of [10, 60])
        it(`fail what they are: ${processes} ${isInTurn ? 'in turn' : 'by connection'}, ${minuteSeconds} s`, async () => {
          const behaviour = ofParts(processes, isInTurn);
          const { findings, told } = await simulate(behaviour, { ...PLAIN, minuteSeconds }, { plans: PLANS });
          const red = broken(findings);
          assert.ok(red.includes('rate-remaining-counts'), `${red.join()}\n${told.join('\n')}`);
          // A window of each process ends when it should.
          const texts = findings.map((one) => (one.kind === 'violated' ? one.message : ''));
          assert.ok(!texts.some((text) => text.includes('whole again')), texts.join('\n'));
          // Listings that count apart show no operation that does not.
          assert.ok(!red.includes('rate-all-operations'), texts.join('\n'));
        });

  it('are not taken for somebody else who takes as much of a key each time', async () => {
    const behaviour = ofParts(2, false, calendarWindow);
    const around = { ...PLAIN, minuteSeconds: 10, latencyMs: 20 };
    const two = new Map([...PLANS].slice(0, 2));
    for (const seed of [1, 5]) {
      const { findings, told } = await simulate(behaviour, { ...around, seed }, { plans: two });
      assert.ok(broken(findings).includes('rate-remaining-counts'), told.join('\n'));
      assert.ok(!findings.some((one) => isTold(one, 'Free') || isTold(one)), told.join('\n'));
    }
  });
});

/** Processes that count apart, of which one gets most requests. */
const busiestOf = (processes: number, make: Behaviour['make']): Behaviour => {
  const random = randomFrom(7);
  return {
    make,
    countedBy: (key) => `${key} ${random() < 4 / 5 ? 0 : 1 + Math.floor(random() * (processes - 1))}`,
  };
};

describe('a Remaining that rises to that of another counter', () => {
  for (const [name, processes, make] of [
    ['logs', 2, slidingLogOldest],
    ['logs', 5, slidingLogOldest],
    ['windows', 5, fixedFromFirst],
  ] as const)
    it(`is no use by somebody else: ${processes} processes with ${name}, one of them busy`, async () => {
      const around = { ...PLAIN, seed: 2, minuteSeconds: 6, latencyMs: 25, jitterMs: 1 };
      const two = new Map([...PLANS].slice(0, 2));
      const { findings, told } = await simulate(busiestOf(processes, make), around, { plans: two });
      assert.ok(broken(findings).includes('rate-remaining-counts'), told.join('\n'));
    });

  it('does so once in a log in which somebody else takes as much of a key each time', async () => {
    const log = slidingLogOldest;
    const plans = new Map<PlanName, PlanFigures>([
      ['free', { perMinute: 300, perDay: 3000 }],
      ['pro', { perMinute: 1000, perDay: 100_000 }],
    ]);
    for (const seed of [7, 8]) {
      const make = ofLimit(300, withSecondClient(83, log, 1, (83 * seed) / 9), log);
      const behaviour = { make, rounded: { retryAfter: 'up', reset: 'down' } } as const;
      const around = { ...PLAIN, seed, minuteSeconds: 10, latencyMs: 0.4, jitterMs: 0.2 };
      expectNamed(await simulate(behaviour, around, { plans }), 'Free');
    }
  });
});
