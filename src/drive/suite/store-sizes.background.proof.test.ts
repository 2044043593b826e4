import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pLimit from 'p-limit';
import type { Results } from '../../outcome/results/results.js';
import { judge, NOT_YET, remarkable, SIDE_BY_SIDE } from './suites.test.support.js';

/** Most requests of the suites with a Free key: its minute. */
const ALLOWANCE = 60;
/** Most requests with the key of a larger plan, here Business: a quarter. */
const QUARTER = 250;

/**
 * Stores that need the most requests: no status is frequent, each is just beyond a page, or a long name is
 * refused.
 */
const STORES: readonly (readonly [animals: number, ...variants: readonly string[]])[] = [
  [48, 'statuses-evenly-spread'],
  [48, 'statuses-evenly-spread', 'unknown-members-refused', 'long-names-refused'],
  [48, 'every-fourth-without-status'],
  [60, 'every-fourth-without-status', 'long-names-refused'],
  [48, 'most-without-status', 'long-names-refused'],
  [54, 'statuses-evenly-spread', 'unknown-members-refused', 'long-names-refused'],
  [57, 'statuses-evenly-spread', 'unknown-members-refused', 'long-names-refused'],
  [60, 'statuses-evenly-spread', 'long-names-refused'],
  [99, 'statuses-evenly-spread', 'long-names-refused'],
  [100, 'statuses-evenly-spread', 'long-names-refused'],
  [2000, 'statuses-evenly-spread', 'long-names-refused'],
];

/** Animals that a run adds at most. */
const MOST_ADDED = 25;
/** A page of the default limit, and one more. */
const PAGE_AND_ONE = 21;

/** Store sizes at which a Free plan leaves a part of the default limit untested, with pages of any size. */
const UNTESTED_AT: readonly number[] = [0, 1, 3, 10, 20, 101];

/** Fails unless the default limit's row passed and states what the plan did not allow to test. */
function expectUntestedPart({ requirements }: Results): void {
  const row = requirements.find(({ id }) => id === 'list-limit-default');
  assert.equal(row?.outcome, 'passed');
  assert.match(row.partly?.join() ?? '', /against more than 20 animals/);
}

/** Around an empty store, a page of 20 with a run's additions, one of 100, and far beyond. */
const SIZES = [0, 1, 3, 10, 19, 20, 21, 25, 99, 100, 101, 1000];
/** Sizes for servers with short pages: none, few, around the default limit, and more than a page. */
const FEWER_SIZES = [0, 3, 20, 21, 101];

describe('a correct server', { concurrency: SIDE_BY_SIDE }, () => {
  test('passes everything with a quarter of the key’s minute limit', async () => {
    const { results, keyed, created } = await judge({});
    assert.deepEqual(remarkable(results), NOT_YET);
    assert.equal(results.verdict, 'conformant');
    assert.ok(keyed <= QUARTER, `${keyed} requests with the key`);
    assert.equal(results.requests.byKey['business'], keyed);
    assert.ok(created.length > 0 && created.every(({ name }) => name.startsWith('conformance-')));
  });

  test('needs the same number of requests in any listing order', async () => {
    const [steady, ...others] = await Promise.all(
      [[], ['random-order'], ['newest-first']].map((variants) => judge({ variants })),
    );
    for (const { results, keyed } of others) {
      assert.deepEqual(remarkable(results), NOT_YET);
      assert.equal(keyed, steady?.keyed);
    }
  });

  for (const animals of [0, 3, 20, 48, 101])
    test(`stays within a Free minute with ${animals} animals if it refuses long names`, async () => {
      const { results, keyed } = await judge(
        { animals, variants: ['long-names-refused'] },
        {},
        { suiteKey: 'free' },
      );
      assert.equal(results.verdict, 'conformant');
      assert.ok(keyed <= ALLOWANCE, `${keyed} requests with the key`);
      expectUntestedPart(results);
    });

  for (const cap of [null, 'pages-of-ten', 'pages-of-twenty', 'pages-of-fifty-in-a-large-store'])
    test(`never exceeds the plan, nor the animals to add, with any store size: ${cap ?? 'full pages'}`, async () => {
      const settings = (cap === null ? SIZES : FEWER_SIZES).flatMap((animals) =>
        (
          [
            ['free', ALLOWANCE],
            ['business', QUARTER],
          ] as const
        ).map(([suiteKey, most]) => ({ animals, suiteKey, most })),
      );
      const limit = pLimit(SIDE_BY_SIDE);
      await Promise.all(
        settings.map(({ animals, suiteKey, most }) =>
          limit(async () => {
            const variants = cap === null ? [] : [cap];
            const { results, keyed, created } = await judge({ animals, variants }, {}, { suiteKey });
            assert.equal(results.verdict, 'conformant', `${animals} animals, ${suiteKey}`);
            assert.ok(keyed <= most, `${keyed} requests with the ${suiteKey} key at ${animals} animals`);
            assert.ok(created.length <= MOST_ADDED, `${created.length} animals added to ${animals}`);
            if (suiteKey === 'free' && UNTESTED_AT.includes(animals)) expectUntestedPart(results);
            if (suiteKey === 'business' && cap === null && animals <= PAGE_AND_ONE)
              assert.deepEqual(remarkable(results), NOT_YET, `${animals} animals`);
          }),
        ),
      );
    });

  test('passes with 2,000 animals, except for requirements that need a complete listing', async () => {
    const { results, keyed } = await judge({ animals: 2000 });
    assert.deepEqual(remarkable(results), {
      ...NOT_YET,
      'list-shows-created': 'not-applicable: store-too-large',
      'list-matches-created': 'not-applicable: store-too-large',
      'create-rejected-leaves-nothing': 'not-applicable: store-too-large',
    });
    assert.equal(results.verdict, 'conformant');
    assert.ok(keyed <= QUARTER, `${keyed} requests with the key`);
  });

  for (const [animals, ...variants] of STORES)
    test(`stays within a Free minute: ${animals} animals, ${variants.join(', ')}`, async () => {
      const { results, keyed } = await judge({ animals, variants }, {}, { suiteKey: 'free' });
      assert.equal(results.verdict, 'conformant');
      assert.ok(keyed <= ALLOWANCE, `${keyed} requests with the key`);
    });

  test('stays within a quarter of a larger plan on the stores that need the most requests', async () => {
    // A larger plan is far from its bound, so two of the stores show it.
    for (const [animals, ...variants] of STORES.slice(-2)) {
      const { results, keyed } = await judge({ animals, variants });
      assert.equal(results.verdict, 'conformant');
      assert.ok(keyed <= QUARTER, `${keyed} requests with the key`);
    }
  });
});
