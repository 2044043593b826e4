import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { judging } from '../checks/exchange.test.support.js';
import { addedRightly, idOf } from './created-ids.js';
import { leftIn, spans } from './leftovers.js';
import { PATIENCE_MS } from './known-animals.js';
import { play, PREFIX, type Step, type StoreOptions, type Together } from './store.test.support.js';
import { newWorld } from './world.js';
import { worldAfter } from './world-after.js';
import { ALL, alone, contradictionsIn, judged, STATUSES } from './world.test.support.js';

/** The first listings of exploring. */
const CENSUS: readonly Together[] = [undefined, ...STATUSES].map((status) =>
  alone({ do: 'list', limit: 100, ...(status && { status }), lagMs: 0 }),
);

const aStatus = fc.constantFrom(...STATUSES);
/** A replica or a cache may be behind by less than the kit's patience. */
const aLag = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: PATIENCE_MS - 200 }));
const aListing: fc.Arbitrary<Step> = fc
  .record(
    { limit: fc.constantFrom(1, 2, 3, 5, 10, 19, 20, 50, 99, 100), status: aStatus, lagMs: aLag },
    { requiredKeys: ['lagMs'] },
  )
  .map((asked): Step => ({ do: 'list', ...asked }));
const ownSteps: readonly fc.Arbitrary<Step>[] = [
  aListing,
  aListing,
  aStatus.map((status): Step => ({ do: 'create', status })),
  fc.constant<Step>({ do: 'refused creation' }),
  fc.record({ nth: fc.nat(60), lagMs: aLag }).map((fetch): Step => ({ do: 'fetch', ...fetch })),
  fc.integer({ min: 0, max: 3_000 }).map((ms): Step => ({ do: 'wait', ms })),
];
const othersCreate = aStatus.map((status): Step => ({ do: 'others create', status }));

const groupsOf = (steps: readonly fc.Arbitrary<Step>[]): fc.Arbitrary<readonly Together[]> =>
  fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.oneof(...steps).map(alone) },
      {
        weight: 1,
        arbitrary: fc.array(fc.oneof(...steps), { minLength: 2, maxLength: 4 }).chain((some) =>
          fc.record({
            steps: fc.constant(some),
            turns: fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
          }),
        ),
      },
    ),
    { maxLength: 20 },
  );

/** Stores of any size, whose ids are small, negative or beyond 2^53. */
const aStore: fc.Arbitrary<StoreOptions> = fc.record({
  firstId: fc.constantFrom(1n, -70n, 2n ** 53n - 3n, 2n ** 53n + 1n, 2n ** 62n + 12_345n),
  before: fc.oneof(
    fc.array(aStatus, { maxLength: 8 }),
    fc
      .integer({ min: 9, max: 130 })
      .map((count) => Array.from({ length: count }, (_, nth) => STATUSES[nth % 3] ?? 'sold')),
  ),
});

const NOTHING = { shared: [], wrongIds: [], copies: [], rounded: null, categories: [], lacked: [], short: 0 };

test('no sound answer is impossible, with requests in parallel, late replicas and other clients', () => {
  fc.assert(
    fc.property(aStore, groupsOf([...ownSteps, othersCreate]), (store, groups) => {
      // What the first listings show counts as there before the run.
      const { world, ...found } = judged(play([...CENSUS, ...groups], store).answers);
      assert.deepEqual(found, { rows: [], late: [], disputed: [] });
      assert.deepEqual(contradictionsIn(world), NOTHING);
    }),
    { numRuns: 150 },
  );
});

test('nothing is left in a sound store that no other client uses', () => {
  fc.assert(
    fc.property(aStore, groupsOf(ownSteps), (store, groups) => {
      const { world } = judged(play([alone(ALL), ...groups, alone(ALL)], store).answers);
      assert.deepEqual(
        spans(world).flatMap((span) => leftIn(span, world)),
        [],
      );
    }),
    { numRuns: 75 },
  );
});

test('the same exchanges give the same world, at once or one by one', () => {
  fc.assert(
    fc.property(aStore, groupsOf([...ownSteps, othersCreate]), (store, groups) => {
      const { answers } = play(groups, store);
      const { world } = judged(answers);
      const again = answers.reduce(
        (so, { exchange, asked }) => worldAfter(so, exchange, asked.sent),
        newWorld(judging, PREFIX),
      );
      assert.deepEqual(again, world);
    }),
    { numRuns: 40 },
  );
});

test('every animal that a proof showed is known, and none is known that does not exist', () => {
  fc.assert(
    fc.property(aStore, groupsOf([...ownSteps, othersCreate]), (store, groups) => {
      const { answers, held } = play(groups, store);
      const { world } = judged(answers);
      const ids = new Set(held.map(({ id }) => id.toString()));
      for (const { id, since } of world.animals.values()) assert.ok(ids.has(id) && since !== undefined);
      for (const { own, id } of held)
        if (own) assert.ok(addedRightly(world).some((creation) => idOf(creation) === id.toString()));
    }),
    { numRuns: 60 },
  );
});
