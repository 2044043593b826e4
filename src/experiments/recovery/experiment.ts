import type { Experiment } from '../experiment.js';
import { onlyAfterAbuse, resetTruthful, retryAfterHonoured } from './judge.js';

/** One request at the time that a refusal gives, and one at its Reset. */
export const recovery: Experiment = {
  name: 'recovery',
  after: ['burst'],
  keys: 'each-plan',
  runs: { kind: 'always' },
  cost: ({ minuteSeconds }) => ({ requests: 2, seconds: minuteSeconds + 1 }),
  judge: ({ key, clock }) => [
    ...retryAfterHonoured(key, clock),
    ...resetTruthful(key, clock),
    ...onlyAfterAbuse(key, clock),
  ],
};
