import { isViolated } from '../../findings/finding.js';
import type { Experiment } from '../experiment.js';
import { algorithm } from './algorithm.js';
import { windowLength } from './judge.js';

/** Sends more bursts if a 429 allows the next one before a window has passed. */
export const window: Experiment = {
  name: 'window',
  after: ['burst', 'recovery'],
  keys: 'each-plan',
  runs: { kind: 'always' },
  cost: () => ({ requests: 1, seconds: 0 }),
  judge: ({ key, all, clock, inParallel, blocker, known }) => [
    ...windowLength(inParallel.some(isViolated) ? { ...key, concurrent: null } : key, clock, blocker, known.clump),
    ...algorithm(key, all, clock),
  ],
};
