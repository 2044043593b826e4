import type { Experiment } from '../experiment.js';
import { steadyPlan } from './drive.js';

/** Runs at 95 % of the plan on a fixed schedule, after two windows of silence. */
export const steady: Experiment = {
  name: 'steady',
  after: [],
  keys: 'each-plan',
  runs: { kind: 'if-needed' },
  cost(figures) {
    const { requests, gapMs, silenceMs } = steadyPlan(figures);
    return { requests, seconds: (silenceMs + requests * gapMs) / 1000 };
  },
};
