import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PlanFigures } from '../../base/interface/plans.js';
import type { PlanName } from '../../base/interface/types.js';
import { clumped } from '../../testing/limiters/clumped.js';
import { countingOthersLate } from '../../testing/limiters/mistakes.js';
import type { Behaviour } from '../../testing/limiters/server.js';
import { broken, PLAIN, simulate } from '../../testing/simulated/simulate.js';
import { isTold } from './second-client.test.support.js';

/** The interface's two smallest plans. */
const PLANS = new Map<PlanName, PlanFigures>([
  ['free', { perMinute: 60, perDay: 1000 }],
  ['pro', { perMinute: 300, perDay: 10_000 }],
]);

/** A bucket that refills by steps, and sends `Retry-After: 0`. */
const inSteps = (stepSeconds: number, minuteSeconds: number): Behaviour => ({
  make: clumped({
    share: stepSeconds / minuteSeconds,
    anchor: 'first',
    amount: 'sum',
    holds: 1,
    reset: 'full',
  }),
  spoil: (draft) => ({ ...draft, retryAfter: draft.retryAfter === null ? null : '0' }),
});

/** Windows and steps, s. */
const STEPS = [
  [1.5, 0.1],
  [6, 0.5],
  [10, 1],
  [15, 1],
  [10, 2],
  [15, 2],
  [60, 5],
  [60, 1],
] as const;

/** Windows, s, lateness, ms, and processes. */
const LATE = [
  [10, 300, 2],
  [15, 300, 2],
  [10, 50, 2],
  [6, 300, 2],
] as const;

/** Fails unless rows are red by themselves, and nobody else is named. */
async function expectNobody(behaviour: Behaviour, minuteSeconds: number, latencyMs: number, red: RegExp) {
  const around = { ...PLAIN, minuteSeconds, latencyMs };
  const { findings, told } = await simulate(behaviour, around, { plans: PLANS });
  assert.match(broken(findings).join(' '), red, told.join('\n'));
  for (const key of ['Free', 'Pro'])
    assert.ok(!findings.some((one) => isTold(one, key)), `${key}\n${told.join('\n')}`);
}

describe('a key that nobody else uses', () => {
  for (const [minuteSeconds, step] of STEPS)
    it(`has a bucket with steps of ${step} s that sends Retry-After: 0, in ${minuteSeconds} s`, () =>
      expectNobody(inSteps(step, minuteSeconds), minuteSeconds, 2, /rate-retry-after-honoured/));

  for (const [minuteSeconds, lateMs, processes] of LATE)
    it(`has ${processes} processes that count those of others ${lateMs} ms late, in ${minuteSeconds} s`, () =>
      expectNobody(
        countingOthersLate(lateMs, processes),
        minuteSeconds,
        20,
        /rate-(429|window|remaining-counts)/,
      ));
});
