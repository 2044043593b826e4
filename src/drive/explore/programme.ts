import * as fc from 'fast-check';
import { loadContract } from '../../base/interface/contract.js';
import { deck, mixed, orPlain, shuffled } from './values/value.js';
import {
  makersOf,
  always,
  get,
  getOf,
  operationsIn,
  plainer,
  STATUSES,
  steps,
  within,
  type Scope,
  everything,
} from './stories.js';
import type { Story, NewAnimal, Step } from './story.js';
import { NAME_CLASSES, PLAIN_NAME, CATEGORY_CLASSES, PLAIN_CATEGORY } from './values/animals.js';
import { ID_CLASSES } from './values/ids.js';
import { LIMITS, OPEN_QUERIES, QUERY_SPELLINGS } from './values/queries.js';
import { RESIDENT_CLASSES } from './values/residents.js';
import { fetchedBy, PATH_OF_LISTING } from './replay-paths.js';
import { nameShowing, SPELLINGS, statusShowing } from './values/spellings.js';
import { SCHEME_CASES, INVALID_CREDENTIALS } from './values/invalid-credentials.js';
import { OPEN_CLASSES, WRONG_CLASSES } from './values/wrong-bodies.js';

/** One creation in so many is followed by a fetch, or by a listing, to show its effects on reads. */
const LOOKED_AT = { fetched: 3, listed: 10 } as const;

/**
 * Parallel requests: reads, then creations. They come after this many classes, because races are likelier
 * than most odd values, and the usual number of requests of a Pro key must hold them.
 */
const PARALLEL = { after: 30, nth: [1, 0] } as const;

const one = (step: Step): fc.Arbitrary<Story> => steps(always(step));
/** Returns the status of the nth creation: each in turn, because none is odd. */
const status = (nth: number) => STATUSES[nth % STATUSES.length] ?? null;
/** Makes the nth creation with its odd part, and the reads after it. */
const created =
  (fetches: boolean) =>
  (animal: Partial<{ [Member in keyof NewAnimal]: fc.Arbitrary<NewAnimal[Member]> }>, nth: number) =>
    fc
      .tuple(
        fc.record({
          name: animal.name ?? fc.constant(PLAIN_NAME),
          category: animal.category ?? fc.constant(PLAIN_CATEGORY),
          status: animal.status ?? fc.constant(status(nth)),
          spelling: animal.spelling ?? fc.constant('plain' as const),
        }),
        steps(
          always(
            ...(fetches && nth % LOOKED_AT.fetched === 0 ? [get('story', 0)] : []),
            ...(nth % LOOKED_AT.listed === 0 ? [everything(status(nth))] : []),
          ),
        ),
      )
      .map(([made, looks]): Story => [{ do: 'create', animal: made }, ...looks]);

/**
 * Returns stories that cover every class of a name, category, spelling, refusal, query, id and key once, each
 * in a request without another odd part. Limits come last: they make a series of plain listings.
 */
function coverOf(seed: number, scope: Scope): readonly fc.Arbitrary<Story>[] {
  const { writes, fetches } = scope;
  const animals = [
    ...NAME_CLASSES.map(({ first }) => ({ name: orPlain<string>(PLAIN_NAME, first) })),
    ...CATEGORY_CLASSES.map(({ first }) => ({ category: orPlain<string>(PLAIN_CATEGORY, first) })),
    ...SPELLINGS.slice(1).map((spelling) => {
      const shown = statusShowing(spelling);
      return {
        name: orPlain<string>(PLAIN_NAME, fc.constant(nameShowing(spelling))),
        ...(shown && { status: fc.constant(shown) }),
        spelling: plainer('plain', spelling),
      };
    }),
  ];
  const wrongs = [...WRONG_CLASSES, ...OPEN_CLASSES].map(({ first }, nth) =>
    first.chain((wrong) => one({ do: 'wrong', wrong, status: status(nth) })),
  );
  const operations = operationsIn(scope);
  const all = [
    ...(writes ? [...shuffled(seed, animals).map(created(fetches)), ...wrongs] : []),
    ...OPEN_QUERIES.map(({ name, first }) => first.chain((query) => one({ do: 'list', query, class: name }))),
    ...QUERY_SPELLINGS.slice(1).map((written) =>
      one(within(loadContract().pageSize.default, 'available', written)),
    ),
    ...(fetches
      ? [
          ...ID_CLASSES.map((id, variety) =>
            one({ do: 'get about', whom: { of: 'store', nth: variety }, id, variety }),
          ),
          ...RESIDENT_CLASSES.map((name) => one(getOf(name, seed))),
        ]
      : []),
    ...shuffled(seed, INVALID_CREDENTIALS).map(({ name: stranger }, nth) =>
      one({ do: 'stranger', operation: operations[nth % operations.length] ?? 'listPets', stranger }),
    ),
    ...SCHEME_CASES.map((scheme) => one({ do: 'scheme', scheme })),
  ];
  return [
    ...shuffled(seed, all),
    ...shuffled(seed, [undefined, ...LIMITS]).map((limit) => one(within(limit, undefined))),
  ];
}

/**
 * Stories of each kind in a round of about 400 requests. Created animals stay behind, so the usual number of
 * animals bounds the creations, which show most.
 */
const ROUND = {
  created: 31,
  wrong: 17,
  open: 3,
  stranger: 17,
  listing: 21,
  openListing: 4,
  fetch: 6,
  atOnce: 4,
  fetchedAgain: 1,
  listedAgain: 1,
} as const;

type Kind = keyof ReturnType<typeof makersOf>;

/**
 * Order after each class was tried: repeated fetches, pairs, and then repeated listings, as many as there are
 * requests for.
 */
const AFTER_ALL: readonly (readonly [Kind, nth: number])[] = [
  ['fetchedAgain', 0],
  ['filtered', 0],
  ['wrongPairs', 0],
  ['created', 1],
  ['created', 3],
  ['listedAgain', 0],
];

const NEED_WRITES: readonly Kind[] = ['created', 'wrong', 'open', 'wrongPairs'];
const NEED_FETCHES: readonly Kind[] = ['fetch', 'fetchedAgain'];

export type Programme = ReturnType<typeof programmeOf>;

/** Returns the endless stories of a seed and a scope: each class by itself, then combinations, then rounds. */
export function programmeOf(seed: number, scope: Scope) {
  const makers = makersOf(seed, scope);
  const isInScope = (kind: Kind): boolean =>
    (scope.writes || !NEED_WRITES.includes(kind)) && (scope.fetches || !NEED_FETCHES.includes(kind));
  const cover = coverOf(seed, scope);
  const first = [
    ...cover.slice(0, PARALLEL.after),
    ...PARALLEL.nth.map((nth) => makers.atOnce(nth)),
    ...cover.slice(PARALLEL.after),
    ...AFTER_ALL.filter(([kind]) => isInScope(kind)).map(([kind, nth]) => makers[kind](nth)),
  ];
  const all = (Object.keys(ROUND) as (keyof typeof ROUND)[])
    .filter(isInScope)
    .flatMap((kind) => Array.from({ length: ROUND[kind] }, () => kind));
  const kinds = deck(seed, 0, all);

  function storyAt(nth: number): fc.Arbitrary<Story> {
    const covering = first[nth];
    if (covering) return covering;
    const [round, at] = [Math.floor((nth - first.length) / all.length), (nth - first.length) % all.length];
    const [kind, ...before] = Array.from({ length: at + 1 }, (_, back) =>
      kinds(round * all.length + at - back),
    );
    if (kind === undefined) throw new RangeError(`there is no story ${nth}`);
    // Skips the first of each kind: earlier rounds have them.
    return makers[kind]((round + 1) * ROUND[kind] + before.filter((other) => other === kind).length);
  }

  const sampled = (path: string, numRuns: number): readonly Story[] => {
    const [nth = '', ...shrinks] = path.split(':');
    return fc.sample(storyAt(Number(nth)), {
      seed: mixed(seed, 99, Number(nth)),
      path: ['0', ...shrinks].join(':'),
      numRuns,
      unbiased: true,
    });
  };

  /**
   * Returns the nth story, the one at a path of shrinks (`N:0:3`), the fetch of one animal (`pets/N`), or the
   * listing of all (`pets`). Null where fast-check throws, after the last.
   */
  function at(path: string): Story | null {
    if (path === PATH_OF_LISTING) return [everything()];
    const id = fetchedBy(path);
    if (id !== null) return scope.fetches ? [{ do: 'get', whom: { of: 'id', id } }] : null;
    try {
      return sampled(path, 1)[0] ?? null;
    } catch {
      return null;
    }
  }

  /** Plainest first. */
  const smaller = (path: string, most: number): readonly Story[] =>
    fetchedBy(path) === null && path !== PATH_OF_LISTING ? sampled(`${path}:0`, most) : [];
  /** `covers`: number of stories until each class was tried. */
  return { covers: first.length, at, smaller };
}
