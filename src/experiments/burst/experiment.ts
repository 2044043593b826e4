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
  judges: [
    [
      'rate-429',
      ({ key, first, later, exempt, known, miscount }) => {
        const burst = first();
        const isMiscounted = miscount() !== null;
        return [
          burst && refusesPastLimit(key.key, burst, later(), key.figures, exempt, known(), isMiscounted),
          refusedOtherwiseInParallel(key),
        ];
      },
    ],
    ['rate-remaining-counts', ({ unpaused, past, counting }) => remainingCounts(unpaused(), past(), counting())],
    ['rate-per-key', ({ key, otherPlans }) => perKey(key, otherPlans)],
  ],
};
