import { burstSeconds } from '../../load/bursting/pace.js';
import type { Experiment } from '../experiment.js';
import { concurrentRequests } from './drive.js';

/** The allowance asked for on many connections at once. */
export const concurrent: Experiment = {
  name: 'concurrent',
  after: ['burst', 'recovery'],
  keys: 'each-plan',
  runs: { kind: 'always' },
  cost(figures, { latencyMs }) {
    const seconds = burstSeconds(figures, latencyMs);
    return { requests: concurrentRequests(figures, seconds * 1000), seconds };
  },
  judge: ({ inParallel }) => inParallel,
};
