import * as fc from 'fast-check';
import { operationNames } from '../contract/operation-names.js';
import { shuffled } from './deck.js';
import { always, get, STATUSES, steps, within, type Scope } from './stories.js';
import type { NewAnimal, Step, Story } from './story.js';
import { CATEGORY_CLASSES, PLAIN_CATEGORY } from './values/categories.js';
import { ID_CLASSES } from './values/ids.js';
import { NAME_CLASSES, PLAIN_NAME } from './values/names.js';
import { LIMITS, OPEN_QUERIES, QUERY_SPELLINGS } from './values/queries.js';
import { SPELLINGS } from './values/spellings.js';
import { SCHEME_CASES, STRANGERS } from './values/strangers.js';
import { orPlain } from './values/value.js';
import { OPEN_CLASSES, WRONG_CLASSES } from './values/wrongs.js';

/** Of so many creations one is fetched, and after so many all animals are listed: what creations do shows there as well. */
const LOOKED_AT = { fetched: 3, listed: 10 } as const;

/** A story of one request. */
const one = (step: Step): fc.Arbitrary<Story> => steps(always(step));
/** The status of the nth creation: each in turn, for none of them is odd. */
const status = (nth: number) => STATUSES[nth % STATUSES.length] ?? null;
/** The nth creation, with what is odd about it, and the looks that follow it. */
const created =
  (fetches: boolean) =>
  (animal: Partial<{ [Member in keyof NewAnimal]: fc.Arbitrary<NewAnimal[Member]> }>, nth: number) =>
    fc
      .tuple(
        fc.record({
          name: animal.name ?? fc.constant(PLAIN_NAME),
          category: animal.category ?? fc.constant(PLAIN_CATEGORY),
          status: fc.constant(status(nth)),
          spelling: animal.spelling ?? fc.constant('plain' as const),
        }),
        steps(
          always(
            ...(fetches && nth % LOOKED_AT.fetched === 0 ? [get('story', 0)] : []),
            ...(nth % LOOKED_AT.listed === 0 ? [within(100, status(nth))] : []),
          ),
        ),
      )
      .map(([made, looks]): Story => [{ do: 'create', animal: made }, ...looks]);

/**
 * Every class of a name, category, spelling, refusal, query, id and key once, each in a request with nothing else odd in it.
 * Limits come last: with what is repeated after them they are plain listings in a row.
 */
export function coverOf(seed: number, { writes, fetches }: Scope): readonly fc.Arbitrary<Story>[] {
  const animals = [
    ...NAME_CLASSES.map(({ first }) => ({ name: orPlain<string>(PLAIN_NAME, first) })),
    ...CATEGORY_CLASSES.map(({ first }) => ({ category: orPlain<string>(PLAIN_CATEGORY, first) })),
    ...SPELLINGS.slice(1).map((spelling) => ({ spelling: fc.constant(spelling) })),
  ];
  const wrongs = [...WRONG_CLASSES, ...OPEN_CLASSES].map(({ first }, nth) =>
    first.chain((wrong) => one({ do: 'wrong', wrong, status: status(nth) })),
  );
  const operations = operationNames.filter(
    (name) => (writes || name !== 'createPet') && (fetches || name !== 'getPet'),
  );
  const all = [
    ...(writes ? [...shuffled(seed, animals).map(created(fetches)), ...wrongs] : []),
    ...OPEN_QUERIES.map(({ name, first }) => first.chain((query) => one({ do: 'list', query, class: name }))),
    ...QUERY_SPELLINGS.slice(1).map((written) => one(within(20, 'available', written))),
    ...(fetches
      ? ID_CLASSES.map((id, variety) => one({ do: 'get about', whom: { of: 'store', nth: variety }, id, variety }))
      : []),
    ...shuffled(seed, STRANGERS).map(({ name: stranger }, nth) =>
      one({ do: 'stranger', operation: operations[nth % operations.length] ?? 'listPets', stranger }),
    ),
    ...SCHEME_CASES.map((scheme) => one({ do: 'scheme', scheme })),
  ];
  return [
    ...shuffled(seed, all),
    ...shuffled(seed, [undefined, ...LIMITS]).map((limit) => one(within(limit, undefined))),
  ];
}
