import type { Experiment } from '../experiment.js';
import { dayCeiling } from '../steady/drive.js';
import { steadyGapMs } from '../../../judge/limits/steady-run.js';

/** Uses up a plan's day at the pace that its minute allows. */
export const dayQuota: Experiment = {
  name: 'day-quota',
  after: [],
  keys: 'one-plan',
  runs: { kind: 'opt-in', because: "uses up a plan's day" },
  cost(figures) {
    const seconds = (figures.perDay * steadyGapMs(figures)) / 1000;
    return { requests: dayCeiling(figures, seconds * 1000), seconds };
  },
};
