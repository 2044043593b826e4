import type { HuntName } from './hunt.js';

/** A case that the kit once got wrong, as the hunt printed it. */
type Pinned = readonly [hunt: HuntName, subject: object];

/** Found once, mended, and kept: each is judged again in every run of the tests. */
export const PINNED: readonly Pinned[] = [
  ['stores', { flaws: ['default-limit-ten'], variants: [], animals: 21 }],
  ['pairs', { flaws: ['limit-one-too-many'], variants: ['huge-ids'] }],
  [
    'limiters',
    {
      algorithm: 'fixed',
      window: 50,
      over: 0,
      retryAfter: 'up',
      retryAfterAs: 'seconds',
      reset: 'up',
      grain: 1,
      beats: 2,
      minute: 60,
      limit: 60,
      latency: 2,
      jitter: 0.1,
      offset: 0,
      stale: 0,
      connections: 4,
      usedBefore: 0,
      seed: 1,
    },
  ],
];
