import { burstSeconds } from '../bursting/pace.js';
import type { Experiment } from '../experiment.js';

/** Uses up the allowance on few connections, to the first 429. */
export const burst: Experiment = {
  name: 'burst',
  after: [],
  keys: 'each-plan',
  runs: { kind: 'always' },
  cost: (figures, { latencyMs }) => ({ requests: figures.perMinute + 1, seconds: burstSeconds(figures, latencyMs) }),
};
