import type { Experiment } from '../experiment.js';
import { steadyPlan } from './schedule.js';

/** 95 % of the plan on an absolute schedule, after two windows without a request. */
export const steady: Experiment = {
  name: 'steady',
  after: [],
  keys: 'each-plan',
  runs: { kind: 'if-needed' },
  cost(figures) {
    const { requests, gapMs, silenceMs } = steadyPlan(figures, null, null);
    return { requests, seconds: (silenceMs + requests * gapMs) / 1000 };
  },
  judge: ({ early }) => early,
};
