import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PlanFigures } from '../../base/interface/plans.js';
import type { PlanName } from '../../base/interface/types.js';
import { ofParts } from '../../testing/limiters/mistakes.js';
import { broken, PLAIN, simulate } from '../../testing/simulated/simulate.js';

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
        });
});
