import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { PetStatus } from '../../base/interface/contract.js';
import type { RequirementId } from '../../base/interface/types.js';
import { answeredAt } from '../../wire/exchange/headers.js';
import { judging } from '../checks/exchange.test.support.js';
import { judgeAnswer } from '../checks/judge-answer.js';
import { knownPage, type KnownPage } from '../checks/listing-asked.js';
import { petsOf } from '../checks/listing.js';
import { ownAnimal } from './animals.js';
import { addedRightly, idOf, returnedId, roundedId, twin, wrongInCategories } from './created-ids.js';
import { leftIn, spans } from './leftovers.js';
import { endOf, isWhole, mayBeBehind } from './whole-pages.js';
import { lackedBy, ownLackedBy } from './absent-animals.js';
import { matchingBeyond, matchingThen } from './matching-animals.js';
import { PATIENCE_MS } from './known-animals.js';
import {
  play,
  PREFIX,
  type Answered,
  type Held,
  type Lies,
  type Step,
  type StoreOptions,
  type Together,
} from './store.test.support.js';
import { newWorld, type World } from './world.js';
import { worldAfter } from './world-after.js';

const context = {
  ...judging,
  rates: { perMinute: 60, perDay: 1_000, minuteSeconds: 60, daySeconds: 86_400 },
};
const STATUSES: readonly PetStatus[] = ['available', 'pending', 'sold'];

const alone = (step: Step): Together => ({ steps: [step], turns: [0] });
const ALL: Step = { do: 'list', limit: 100, lagMs: 0 };
/** The first listings of exploring. */
const CENSUS: readonly Together[] = [undefined, ...STATUSES].map((status) =>
  alone({ do: 'list', limit: 100, ...(status && { status }), lagMs: 0 }),
);
const CREATED: Step = { do: 'create', status: 'available' };

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

/** Returns the ids of the run's animals that a page lacks although they had time to show. */
const overdueOn = (page: KnownPage, world: World): readonly string[] =>
  ownLackedBy(page, world).filter((id) => {
    const created = ownAnimal(id, world)?.exchange;
    return created !== undefined && answeredAt(created) + PATIENCE_MS <= page.exchange.sentAt;
  });

/** Folds responses, and collects what the world before each finds wrong with it. */
function judged(answers: readonly Answered[]) {
  let world: World = newWorld(judging, PREFIX);
  const rows = new Set<RequirementId>();
  const late = new Set<string>();
  const disputed = new Set<string>();
  for (const { exchange, asked } of answers) {
    const { findings, disputed: id } = judgeAnswer(exchange, asked, world, context);
    for (const finding of findings) if (finding.kind === 'violated') rows.add(finding.requirement);
    if (id !== null) disputed.add(id);
    const page = knownPage(exchange, judging);
    if (page && matchingBeyond(page, world) !== null) rows.add('list-page-full');
    world = worldAfter(world, exchange, asked.sent);
    if (page && isWhole(page, world)) for (const each of overdueOn(page, world)) late.add(each);
  }
  return { world, rows: [...rows].sort(), late: [...late], disputed: [...disputed] };
}

/** Contradictions that the whole of the responses shows. */
function contradictionsIn(world: World) {
  return {
    shared: [...world.shared],
    wrongIds: addedRightly(world).flatMap((creation) => {
      const { kind } = returnedId(creation, world);
      return kind === 'right' ? [] : [kind];
    }),
    copies: addedRightly(world).flatMap((creation) => twin(creation, world)?.pet.id ?? []),
    rounded: roundedId(world),
    categories: [...wrongInCategories(world)],
    lacked: world.pages.flatMap((page) => lackedBy(page, world).map(({ id }) => id)),
    short: world.pages.filter(
      (page) =>
        !mayBeBehind(page, world) &&
        petsOf(page).length < page.limit &&
        (matchingThen(page, world) > page.limit || endOf(page, world) !== null),
    ).length,
  };
}

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

/** A store of a size that is no usual length of pages: such a length hides a missing animal. */
const LIED: StoreOptions = {
  firstId: 1n,
  before: Array.from({ length: 31 }, (_, nth) => STATUSES[nth % 3] ?? 'sold'),
};

const later: Together = alone({ do: 'wait', ms: 2 * PATIENCE_MS });
const fetchOf = (nth: number): Together => alone({ do: 'fetch', nth, lagMs: 0 });

/** Single lies, each with the steps that show it and what must be found. */
const LIES: readonly {
  readonly what: string;
  readonly store?: Partial<StoreOptions>;
  readonly lies: (picked: number) => Lies;
  readonly steps: (picked: number) => readonly Together[];
  readonly finds: (found: ReturnType<typeof judged>) => boolean;
}[] = [
  {
    what: 'a listing that forgets an animal from before',
    lies: (picked) => ({
      listed: (page, { at }) => (at < AFTER ? page : page.filter((_, nth) => nth !== picked)),
    }),
    steps: () => [alone(ALL), later, alone(ALL)],
    finds: ({ world }) => contradictionsIn(world).lacked.length === 1,
  },
  {
    what: 'listings that forget a created animal',
    lies: () => ({ listed: (page) => page.filter(({ own }) => !own) }),
    steps: () => [alone(ALL), alone(CREATED), later, alone(ALL)],
    finds: ({ late }) => late.length === 1,
  },
  {
    what: 'a page one animal short',
    lies: () => ({ listed: (page, { limit }) => (page.length === limit ? page.slice(1) : page) }),
    steps: (picked) => [alone(ALL), later, alone({ do: 'list', limit: 2 + (picked % 18), lagMs: 0 })],
    finds: ({ world }) => contradictionsIn(world).short === 1,
  },
  {
    what: 'a page of half its limit',
    lies: () => ({
      listed: (page, { limit }) => (page.length === limit ? page.slice(page.length / 2) : page),
    }),
    steps: (picked) => [alone(ALL), later, alone({ do: 'list', limit: 2 + (picked % 18), lagMs: 0 })],
    finds: ({ world }) => contradictionsIn(world).short === 1,
  },
  {
    what: 'a page one animal too long',
    lies: () => ({ listed: (page, { limit }) => (page.length === limit ? [...page, extra(900n)] : page) }),
    steps: (picked) => [alone({ do: 'list', limit: 1 + (picked % 19), lagMs: 0 })],
    finds: ({ rows }) => rows.includes('list-limit-max-items') || rows.includes('list-limit-bounds'),
  },
  {
    what: 'an animal twice in a listing',
    lies: (picked) => ({ listed: (page) => [...page, ...page.slice(picked, picked + 1)] }),
    steps: () => [alone(ALL)],
    finds: ({ rows }) => rows.join() === 'pet-id-unique',
  },
  {
    what: 'another status under a filter',
    lies: (picked) => ({
      listed: (page) => page.map((one, nth) => (nth === picked % 10 ? { ...one, status: 'sold' } : one)),
    }),
    steps: () => [alone({ do: 'list', limit: 100, status: 'available', lagMs: 0 })],
    finds: ({ rows }) => rows.join() === 'list-status-filter',
  },
  {
    what: 'another name in a listing than in the fetch before',
    lies: (picked) => ({ listed: renamed(picked) }),
    steps: (picked) => [alone(ALL), fetchOf(picked), alone(ALL)],
    finds: ({ rows }) => rows.includes('list-matches-get'),
  },
  {
    what: 'another name in a second listing',
    lies: (picked) => ({ listed: (page, { at }) => (at < AFTER ? page : renamed(picked)(page)) }),
    steps: () => [alone(ALL), later, alone(ALL)],
    finds: ({ disputed }) => disputed.length === 1,
  },
  {
    what: 'another name in a listing than in the creation',
    lies: () => ({ listed: (page) => page.map((one) => (one.own ? { ...one, name: 'Tom' } : one)) }),
    steps: () => [alone(CREATED), alone(ALL)],
    finds: ({ rows }) => rows.join() === 'list-matches-created',
  },
  {
    what: 'another animal in a fetch',
    lies: () => ({ fetched: (animal) => ({ ...animal, id: animal.id + 1n }) }),
    steps: (picked) => [alone(ALL), fetchOf(picked)],
    finds: ({ rows }) => rows.join() === 'get-ok',
  },
  {
    what: 'another category in a fetch than in the creation',
    lies: () => ({ fetched: (animal) => ({ ...animal, category: 7 }) }),
    steps: () => [alone(CREATED), fetchOf(31)],
    finds: ({ rows, world }) =>
      rows.join() === 'get-matches-created' && contradictionsIn(world).categories.join() === 'getPet',
  },
  {
    what: 'a creation with the id of an animal from before',
    lies: (picked) => ({ created: (animal, all) => ({ ...animal, id: all[picked]?.id ?? 0n }) }),
    steps: () => [alone(ALL), alone(CREATED)],
    finds: ({ rows, world }) => rows.join() === 'pet-id-unique' && world.shared.size === 1,
  },
  {
    what: 'two parallel creations with one id',
    lies: () => ({ created: (animal) => ({ ...animal, id: 900n }) }),
    steps: () => [{ steps: [CREATED, CREATED], turns: [1, 0] }],
    finds: ({ rows, world }) => rows.join() === 'pet-id-unique' && world.shared.size === 1,
  },
  {
    what: 'a created id rounded to a double',
    store: { firstId: 2n ** 53n + 1n },
    lies: () => ({ created: (animal) => ({ ...animal, id: BigInt(Number(animal.id)) }) }),
    // Every second id equals its double.
    steps: () => [alone(ALL), alone(CREATED), alone(CREATED), alone(ALL)],
    finds: ({ world }) => contradictionsIn(world).wrongIds.join() === 'digits',
  },
  {
    what: 'another id in the response to a creation',
    lies: () => ({ created: (animal) => ({ ...animal, id: animal.id + 500n }) }),
    steps: () => [alone(CREATED), alone(ALL)],
    finds: ({ world }) => contradictionsIn(world).wrongIds.join() === 'either',
  },
  {
    what: 'a creation done twice',
    lies: () => ({ doubled: (animal) => [{ ...animal, id: animal.id + 1n }] }),
    steps: () => [alone(CREATED), alone(ALL)],
    finds: ({ world }) => contradictionsIn(world).copies.length === 1,
  },
  {
    what: 'a refused creation that leaves an animal',
    lies: () => ({ left: (id, at) => [{ ...extra(id), bornAt: at }] }),
    steps: () => [alone(ALL), alone({ do: 'refused creation' }), alone(ALL)],
    finds: ({ world }) => spans(world).flatMap((span) => leftIn(span, world)).length === 1,
  },
];

/** A time after the first listing of a lie and before the second, Unix ms. */
const AFTER = Date.parse('2026-11-20T10:00:02Z');

const extra = (id: bigint): Held => ({
  id,
  name: 'Extra',
  category: 1,
  status: 'sold',
  bornAt: 0,
  own: false,
});

const renamed =
  (picked: number) =>
  (page: readonly Held[]): readonly Held[] =>
    page.map((one, nth) => (nth === picked ? { ...one, name: 'Tom' } : one));

for (const { what, store, lies, steps, finds } of LIES)
  test(`${what} is found`, () => {
    fc.assert(
      fc.property(fc.nat(30), (picked) => {
        const { answers } = play(steps(picked), { ...LIED, ...store, lies: lies(picked) });
        assert.ok(finds(judged(answers)));
      }),
      { numRuns: 10 },
    );
  });
