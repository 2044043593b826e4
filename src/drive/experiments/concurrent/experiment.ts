import { burstSeconds } from '../bursting/pace.js';
import type { Experiment } from '../experiment.js';
import { concurrentRequests } from './drive.js';

/** Uses up the allowance on many concurrent connections. */
export const concurrent: Experiment = {
  name: 'concurrent',
  after: ['burst', 'recovery'],
  keys: 'each-plan',
  runs: { kind: 'always' },
  cost(figures, { latencyMs }) {
    const seconds = burstSeconds(figures, latencyMs);
    return { requests: concurrentRequests(figures, seconds * 1000), seconds };
  },
};
