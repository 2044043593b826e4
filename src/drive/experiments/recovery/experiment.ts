import type { Experiment } from '../experiment.js';

/** Sends one request after Retry-After, and one after Reset. */
export const recovery: Experiment = {
  name: 'recovery',
  after: ['burst'],
  keys: 'each-plan',
  runs: { kind: 'always' },
  cost: ({ minuteSeconds }) => ({ requests: 2, seconds: minuteSeconds + 1 }),
};
