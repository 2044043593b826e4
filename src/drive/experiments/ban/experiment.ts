import { burstSeconds } from '../bursting/pace.js';
import { LONGEST_WATCH_MS } from '../../../judge/limits/ban.js';
import type { Experiment } from '../experiment.js';

/** Pushes a sacrificial key beyond its 429, to see whether it gets banned. */
export const ban: Experiment = {
  name: 'ban',
  after: [],
  keys: 'sacrificial',
  runs: { kind: 'opt-in', because: 'may get a key banned' },
  cost: (figures, { latencyMs, ban: { maxRequests, maxSeconds } }) => ({
    requests: figures.perMinute + maxRequests + 2,
    seconds: burstSeconds(figures, latencyMs) + (maxSeconds ?? LONGEST_WATCH_MS / 1000),
  }),
};
