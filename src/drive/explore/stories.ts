import * as fc from 'fast-check';
import { loadContract, type PetStatus } from '../../base/interface/contract.js';
import { operationNames } from '../../base/interface/names.js';
import type { OperationName } from '../../base/interface/types.js';
import { droppable, orPlain, PLAIN, deck } from './values/value.js';
import type { Act, NewAnimal, Step, Story } from './story.js';
import { NAME_CLASSES, PLAIN_NAME, CATEGORY_CLASSES, PLAIN_CATEGORY } from './values/animals.js';
import { ID_CLASSES } from './values/ids.js';
import { LIMITS, QUERY_SPELLINGS, OPEN_QUERIES, type QuerySpelling } from './values/queries.js';
import { RESIDENT_CLASSES, type ResidentClass } from './values/residents.js';
import { SPELLINGS } from './values/spellings.js';
import { SCHEME_CASES, INVALID_CREDENTIALS } from './values/invalid-credentials.js';
import { OPEN_CLASSES, WRONG_CLASSES, WRONG_PAIRS } from './values/wrong-bodies.js';

export interface Scope {
  readonly writes: boolean;
  /** True while the target has the deprecated operation. */
  readonly fetches: boolean;
}

export const operationsIn = ({ writes, fetches }: Scope): readonly OperationName[] =>
  operationNames.filter((name) => (writes || name !== 'createPet') && (fetches || name !== 'getPet'));

/** Makes the nth story of a kind as a generator. Its shrinks leave out what does not matter. */
type Maker = (nth: number) => fc.Arbitrary<Story>;

/** Statuses of creations; null leaves it out. */
export const STATUSES: readonly (PetStatus | null)[] = [null, 'available', 'pending', 'sold'];
const FILTERS: readonly (PetStatus | undefined)[] = ['available', 'pending', 'sold', undefined];

const ASKED = [...LIMITS, undefined].flatMap((limit) => [
  { limit, isFiltered: false },
  { limit, isFiltered: true },
]);

/** Repetitions of a request, to show rare failures. */
const AGAIN = { few: 4, many: 30 } as const;

/** Parallel creations: as many as a small pool of connections or workers. */
const SIDE_BY_SIDE = 3;

/** Makes a story whose steps only shrinking can leave out. */
export const steps = (all: readonly fc.Arbitrary<Step>[]): fc.Arbitrary<Story> =>
  fc.tuple(...all.map(droppable)).map((some) => some.filter((step): step is Step => step !== null));

export const always = (...all: readonly Step[]): readonly fc.Arbitrary<Step>[] =>
  all.map((step) => fc.constant(step));

/** Returns a value that shrinks to the plain one. */
export const plainer = <T>(plain: T, value: T): fc.Arbitrary<T> =>
  orPlain<T>({ class: PLAIN, value: plain }, fc.constant({ class: '', value })).map((each) => each.value);

export const get = (of: 'story' | 'store', nth: number): Act => ({ do: 'get', whom: { of, nth } });

/** Returns the fetch of an animal of a class; the seed picks one of several. */
export const getOf = (name: ResidentClass, seed: number): Act => ({
  do: 'get',
  whom: { of: 'class', class: name, nth: seed >>> 0 },
});

/** Returns a listing within the interface. */
export const within = (
  limit: number | undefined,
  status: PetStatus | undefined | null,
  written: QuerySpelling = 'plain',
): Act => ({
  do: 'list',
  class: limit === undefined ? 'no limit' : `limit ${limit}`,
  query: { kind: 'within', ...(limit !== undefined && { limit }), ...(status && { status }), written },
});

export const everything = (status?: PetStatus | null): Act => within(loadContract().pageSize.max, status);

const three = <T>(nth: number, make: (at: number) => T): readonly T[] =>
  [0, 1, 2].map((at) => make(nth * 3 + at));

/**
 * Makes a creation and reads of it: a fetch, and a listing of its status or of all. A query may come before
 * it.
 */
function creations(seed: number, { fetches }: Scope): Maker {
  const names = deck(seed, 1, NAME_CLASSES);
  const categories = deck(seed, 2, CATEGORY_CLASSES);
  const statuses = deck(seed, 3, STATUSES);
  const spellings = deck(seed, 4, SPELLINGS);
  const limits = deck(seed, 5, LIMITS);
  const animal = (nth: number): fc.Arbitrary<NewAnimal> =>
    fc.record({
      name: orPlain<string>(PLAIN_NAME, names(nth).any),
      // Every second animal has a usual category, because a refusal of an odd one hides the effect of the name.
      category:
        nth % 2 === 0
          ? fc.constant(PLAIN_CATEGORY)
          : orPlain<string>(PLAIN_CATEGORY, categories(nth >> 1).any),
      status: plainer<PetStatus | null>(null, statuses(nth)),
      spelling: plainer('plain', spellings(nth)),
    });
  return (nth) => {
    const status = statuses(nth);
    const look =
      nth % 3 === 0 ? within(limits(nth), FILTERS[nth % 4]) : everything(nth % 3 === 1 ? status : undefined);
    const before = nth % 4 === 0 ? always(everything(status)) : [];
    const after = always(...(fetches ? [get('story', 0)] : []), look);
    // Shrinking first drops the steps around the creation, because each plainer creation adds an animal.
    return fc
      .tuple(
        steps(before),
        steps(after),
        animal(nth).map((each): Step => ({ do: 'create', animal: each })),
      )
      .map(([first, last, creation]) => [...first, creation, ...last]);
  };
}

const createdAtOnce = (nth: number): readonly Act[] =>
  Array.from({ length: SIDE_BY_SIDE }, (_, at) => ({
    do: 'create',
    animal: {
      name: { class: PLAIN, value: `Rex ${at + 1}` },
      category: PLAIN_CATEGORY,
      status: STATUSES[(nth + at) % STATUSES.length] ?? null,
      spelling: 'plain',
    },
  }));

/** Makes parallel requests: creations with distinct ids and animals, or reads with distinct responses. */
function inParallel(seed: number, { writes, fetches }: Scope): Maker {
  const strangers = deck(seed, 6, INVALID_CREDENTIALS);
  const reads = (nth: number): readonly Act[] => [
    within(1, 'sold'),
    everything('available'),
    within(undefined, undefined),
    within(3, undefined),
    ...(fetches ? [0, 1, 2].map((at) => get('store', nth + at)) : []),
    { do: 'stranger', operation: 'listPets', stranger: strangers(nth).name },
  ];
  return (nth) => {
    const isCreating = writes && nth % 4 === 0;
    return fc
      .tuple(...(isCreating ? createdAtOnce(nth) : reads(nth)).map((act) => droppable(fc.constant(act))))
      .map((some) => {
        const acts = some.filter((act): act is Act => act !== null);
        const looks = isCreating
          ? [...(fetches ? acts.map((_, at) => get('story', at)) : []), everything()]
          : [];
        return [{ do: 'at once', acts }, ...looks];
      });
  };
}

function strangers(seed: number, { writes, fetches }: Scope): Maker {
  const all = deck(seed, 7, INVALID_CREDENTIALS);
  const operations = deck<OperationName>(seed, 8, [
    'listPets',
    ...(fetches ? (['getPet'] as const) : []),
    ...(writes ? (['createPet'] as const) : []),
  ]);
  return (nth) =>
    steps([
      ...always(
        ...three(nth, (at): Step => ({ do: 'stranger', operation: operations(at), stranger: all(at).name })),
      ),
      ...(nth % 6 === 0
        ? always({
            do: 'scheme',
            scheme: SCHEME_CASES[Math.floor(nth / 6) % SCHEME_CASES.length] ?? 'bearer',
          })
        : []),
    ]);
}

const again =
  (times: number, act: (nth: number) => Act): Maker =>
  (nth) =>
    steps(always({ do: 'again', act: act(nth), times }));

export function makersOf(seed: number, scope: Scope) {
  const { fetches } = scope;
  const statuses = deck(seed, 9, STATUSES);
  const wrongs = deck(seed, 10, WRONG_CLASSES);
  const opens = deck(seed, 11, OPEN_CLASSES);
  const asked = deck(seed, 12, ASKED);
  const filters = deck<PetStatus>(seed, 13, ['available', 'pending', 'sold']);
  const written = deck(seed, 14, QUERY_SPELLINGS);
  const openQueries = deck(seed, 15, OPEN_QUERIES);
  const ids = deck(seed, 16, ID_CLASSES);
  const residents = deck(seed, 17, RESIDENT_CLASSES);
  return {
    created: creations(seed, scope),
    wrong: (nth) =>
      steps(
        three(nth, (at) =>
          wrongs(at).any.map((wrong): Step => ({ do: 'wrong', wrong, status: statuses(at) })),
        ),
      ),
    open: (nth) =>
      steps([
        opens(nth).any.map((wrong): Step => ({ do: 'wrong', wrong, status: statuses(nth) })),
        ...(fetches ? always(get('story', 0)) : []),
      ]),
    stranger: strangers(seed, scope),
    listing: (nth) =>
      steps(
        always(
          ...three(nth, (at) => {
            const { limit, isFiltered } = asked(at);
            return within(limit, isFiltered ? filters(at) : undefined, written(at));
          }),
        ),
      ),
    openListing: (nth) =>
      steps(
        three(nth, (at) =>
          openQueries(at).any.map((query): Step => ({ do: 'list', query, class: openQueries(at).name })),
        ),
      ),
    fetch: (nth) =>
      steps([
        ...always(getOf(residents(nth), seed + nth)),
        ...three(nth, (at) =>
          fc.noShrink(fc.integer({ min: 0, max: 59 })).map((variety): Step => ({
            do: 'get about',
            whom: { of: 'store', nth: variety },
            id: ids(at),
            variety,
          })),
        ),
      ]),
    atOnce: inParallel(seed, scope),
    fetchedAgain: again(AGAIN.few, (nth) => get('store', nth)),
    listedAgain: again(AGAIN.many, (nth) =>
      within(nth === 0 ? undefined : 1 + (nth % 3), FILTERS[(seed + nth) & 3]),
    ),
    wrongPairs: () =>
      steps(WRONG_PAIRS.map(({ any }) => any.map((wrong): Step => ({ do: 'wrong', wrong, status: null })))),
    filtered: () =>
      steps(
        always(
          ...[undefined, LIMITS[seed & 7]].flatMap((limit) =>
            FILTERS.flatMap((status) => (status === undefined ? [] : [within(limit, status)])),
          ),
        ),
      ),
  } as const satisfies Readonly<Record<string, Maker>>;
}
