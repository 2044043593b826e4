import { burstSeconds } from '../../load/bursting/pace.js';
import type { Experiment } from '../experiment.js';
import { banFindings } from './judge.js';

/** Of a ban whose length nobody knows, s: as long as it is watched. */
const UNTOLD_S = 15 * 60;

/** Requests sent on after 429 with a key that was given up for it, and what becomes of the key. */
export const ban: Experiment = {
  name: 'ban',
  after: [],
  keys: 'sacrificial',
  runs: { kind: 'opt-in', because: 'may get a key banned' },
  cost: (figures, { latencyMs, ban: { maxRequests, maxSeconds } }) => ({
    requests: figures.perMinute + maxRequests + 2,
    seconds: burstSeconds(figures, latencyMs) + (maxSeconds ?? UNTOLD_S),
  }),
  judge: ({ key, clock }) => (key.ban === null ? [] : banFindings(key, key.ban, clock)),
};
