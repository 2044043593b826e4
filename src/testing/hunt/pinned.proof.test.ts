import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findLines } from './account.js';
import { judgeCase } from './replay.js';
import type { HuntName } from './hunt.js';

/** Case that the kit once got wrong, as the hunt printed it. */
type Pinned = readonly [hunt: HuntName, subject: object];

/** Corrected since then; every run of the tests judges them again. */
const PINNED: readonly Pinned[] = [
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
  ['stores', { flaws: ['filter-misses-first'], variants: [], animals: 0 }],
  ['stores', { flaws: ['small-pages-with-names-cut'], variants: [], animals: 0 }],
  ['stores', { flaws: ['listed-ids-of-rows'], variants: [], animals: 0 }],
  ['stores', { flaws: [], variants: ['status-changed-again-and-again'], animals: 1 }],
  ['stores', { flaws: [], variants: ['status-changed-again-and-again'], animals: 3 }],
  ['stores', { flaws: [], variants: ['status-changed-before-fetch'], animals: 0 }],
  ['stores', { flaws: ['created-ids-negative'], variants: [], animals: 1_000 }],
  ['stores', { flaws: [], variants: ['replica-behind'], animals: 0 }],
  ['pairs', { flaws: ['second-full-listing-fails'], variants: ['thousands-newest-first'] }],
  ['pairs', { flaws: ['created-with-see-other'], variants: ['every-fourth-without-status'] }],
  ['pairs', { flaws: ['greatest-id-fails'], variants: ['ids-from-the-largest-down'] }],
  ['pairs', { flaws: ['strangers-leave-unnamed'], variants: ['eventual-consistency'] }],
  ['pairs', { flaws: ['missing-body-taken'], variants: ['other-clients-add'] }],
  ['pairs', { flaws: ['empty-token-accepted'], variants: ['cached-listings'] }],
  ['pairs', { flaws: ['every-fourth-leaks'], variants: ['small-bucket'] }],
  ['pairs', { flaws: ['counts-double', 'every-fourth-leaks'], variants: [] }],
  ['pairs', { flaws: ['bucket-refills-at-half', 'counts-double'], variants: [] }],
  ['pairs', { flaws: ['bucket-refills-at-four-fifths', 'retry-after-in-milliseconds'], variants: [] }],
  ['pairs', { flaws: ['retry-after-in-milliseconds', 'retry-after-half'], variants: [] }],
  ['pairs', { flaws: ['created-id-string'], variants: ['replica-behind'] }],
  ['pairs', { flaws: ['creation-without-status-answers-200'], variants: ['eventual-consistency'] }],
  ['pairs', { flaws: ['retry-after-in-words'], variants: ['ban-401'] }],
  ['pairs', { flaws: ['one-of-two-without-limit'], variants: ['ban-403'] }],
  ['pairs', { flaws: ['animal-saved-before-key'], variants: ['cached-listings'] }],
  ['pairs', { flaws: ['filter-misses-first'], variants: ['newest-first'] }],
  ['pairs', { flaws: ['default-limit-ten'], variants: ['pages-of-twenty'] }],
  ['pairs', { flaws: ['missing-key-400-on-creation'], variants: ['blanks-around-json'] }],
  ['pairs', { flaws: ['listed-categories-as-doubles'], variants: ['integers-with-point'] }],
  ['pairs', { flaws: ['empty-listing-null'], variants: ['other-clients-add'] }],
  ['pairs', { flaws: ['names-escaped-for-html'], variants: ['names-of-fifty-at-most'] }],
  ['pairs', { flaws: ['reset-in-milliseconds-on-404'], variants: ['empty-store-closed-categories'] }],
  ['pairs', { flaws: ['retry-after-for-ever'], variants: ['no-date'] }],
  ['pairs', { flaws: ['listed-names-swapped'], variants: ['eventual-listings'] }],
  ['pairs', { flaws: ['limit-capped-at-ten-with-filter'], variants: ['status-changed-again-and-again'] }],
  ['pairs', { flaws: [], variants: ['most-without-status', 'pages-of-thirty-three'] }],
  [
    'keys',
    {
      flaws: ['limit-one-over'],
      variants: [],
      plans: ['free'],
      minute: 60,
      used: 0,
      after: 0,
      before: 5,
      latency: 0,
      offset: 0,
    },
  ],
];

/** Some wait for windows to end. */
const SIDE_BY_SIDE = 8;

describe('earlier finds of the hunt stay fixed', { concurrency: SIDE_BY_SIDE }, () => {
  for (const [hunt, subject] of PINNED)
    test(`${hunt}: ${JSON.stringify(subject)}`, async () => {
      const came = await judgeCase(hunt, subject);
      assert.equal(came.type, 'judged', came.type === 'found' ? findLines(came.find).join('\n') : '');
    });
});
