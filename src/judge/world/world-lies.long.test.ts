import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { leftIn, spans } from './leftovers.js';
import { PATIENCE_MS } from './known-animals.js';
import { play, type Held, type Lies, type StoreOptions, type Together } from './store.test.support.js';
import { ALL, alone, contradictionsIn, CREATED, judged, STATUSES } from './world.test.support.js';

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
