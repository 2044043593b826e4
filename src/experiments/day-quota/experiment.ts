import { isViolated } from '../../findings/finding.js';
import type { Experiment } from '../experiment.js';
import { dayCeiling, STEADY_SHARE } from '../steady/schedule.js';
import { dayRemaining } from './day-remaining.js';
import { dayQuota as judgeDay } from './judge.js';

/** A plan's day, used up at the pace that its minute allows. */
export const dayQuota: Experiment = {
  name: 'day-quota',
  after: [],
  keys: 'one-plan',
  runs: { kind: 'opt-in', because: "uses up a plan's day" },
  cost(figures) {
    const seconds = (figures.perDay * figures.minuteSeconds) / (STEADY_SHARE * figures.perMinute);
    return { requests: dayCeiling(figures, seconds * 1000), seconds };
  },
  judge({ key, clock }) {
    const day = judgeDay(key, clock);
    // What a day serves beyond its allowance no Remaining can count.
    return [...(day.some(isViolated) ? [] : dayRemaining(key)), ...day];
  },
};
