import type { Experiment } from '../experiment.js';

/** Sends more bursts if a 429 allows the next one before a window has passed. */
export const window: Experiment = {
  name: 'window',
  after: ['burst', 'recovery'],
  keys: 'each-plan',
  runs: { kind: 'always' },
  cost: () => ({ requests: 1, seconds: 0 }),
};
