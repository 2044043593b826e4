import { burstSeconds } from '../../load/bursting/pace.js';
import type { Experiment } from '../experiment.js';
import { refusedOtherwiseInParallel, refusesPastLimit } from './judge.js';
import { perKey } from './per-key.js';
import { remainingCounts } from './remaining-counts.js';

/** Uses up the allowance on few connections, to the first 429. */
export const burst: Experiment = {
  name: 'burst',
  after: [],
  keys: 'each-plan',
  runs: { kind: 'always' },
  cost: (figures, { latencyMs }) => ({
    requests: figures.perMinute + 1,
    seconds: burstSeconds(figures, latencyMs),
  }),
  judge: ({ key, first, later, exempt, known, counted, past, counting, miscount, otherPlans }) => [
    ...(first === null ? [] : refusesPastLimit(key.key, first, later, key.figures, exempt, known, miscount !== null)),
    ...refusedOtherwiseInParallel(key),
    ...remainingCounts(counted, past, counting),
    ...perKey(key, otherPlans),
  ],
};
