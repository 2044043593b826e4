import type { HuntName } from './hunt.js';

/** A case that the kit once got wrong, as the hunt printed it. */
type Pinned = readonly [hunt: HuntName, subject: object];

/** Found once, mended, and kept: each is judged again in every run of the tests. */
export const PINNED: readonly Pinned[] = [
  ['stores', { flaws: ['default-limit-twenty-five'], variants: [], animals: 20 }],
  ['stores', { flaws: ['default-limit-missing'], variants: [], animals: 20 }],
  ['stores', { flaws: ['default-limit-missing-with-filter'], variants: [], animals: 20 }],
  ['stores', { flaws: ['filter-dropped-on-small-pages-of-sold'], variants: [], animals: 0 }],
  ['stores', { flaws: ['filter-lost-behind-limit'], variants: [], animals: 0 }],
  ['stores', { flaws: ['limited-listing-cut-off'], variants: [], animals: 0 }],
  ['stores', { flaws: ['created-missing-from-plain-listing'], variants: [], animals: 0 }],
  ['stores', { flaws: ['created-missing-from-plain-listing'], variants: [], animals: 100 }],
  ['stores', { flaws: ['later-creations-fail'], variants: [], animals: 19 }],
  ['stores', { flaws: ['limit-lost-behind-filter'], variants: [], animals: 10 }],
  ['stores', { flaws: ['default-limit-thirty-for-pending'], variants: [], animals: 0 }],
  ['stores', { flaws: ['listing-as-lines'], variants: [], animals: 0 }],
  ['stores', { flaws: ['created-with-see-other'], variants: [], animals: 0 }],
  ['stores', { flaws: ['empty-listing-null'], variants: [], animals: 3 }],
  ['stores', { flaws: ['limit-one-too-many'], variants: [], animals: 0 }],
  ['pairs', { flaws: ['created-with-200', 'later-creations-misnamed'], variants: [] }],
  ['pairs', { flaws: ['second-full-listing-fails'], variants: ['thousands-newest-first'] }],
  ['pairs', { flaws: ['created-with-see-other', 'listed-sold-renamed'], variants: [] }],
  ['pairs', { flaws: ['created-with-see-other'], variants: ['every-fourth-without-status'] }],
  ['pairs', { flaws: ['other-animals-public', 'empty-listing-null'], variants: [] }],
  ['pairs', { flaws: ['listing-as-lines', 'later-creations-fail'], variants: [] }],
  ['pairs', { flaws: ['greatest-id-fails'], variants: ['ids-from-the-largest-down'] }],
  [
    'keys',
    { flaws: ['limit-one-over'], variants: [], plans: ['free'], minute: 6, used: 0, after: 0, before: 'preflight' },
  ],
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
      usedBefore: 0,
      seed: 1,
    },
  ],
];
