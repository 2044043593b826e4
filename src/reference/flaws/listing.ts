import {
  around,
  both,
  chain,
  failing,
  instead,
  isOperation,
  isOriginal,
  limitAsked,
  of,
  onAnswers,
  onJson,
  restated,
  seams,
  statusAsked,
  withStatus,
} from '../changes.js';
import type { Change, Context, ListingQuery } from '../behaviour.js';
import { invalid, read, refused } from '../messages.js';
import { flawsOf, flawsTurning } from '../registry.js';

const isPlain = (context: Context) => context.request.query.size === 0;

/** The newest first, so that a page which is too short still shows what was just created. */
export const newestFirst = seams(() => ({ order: (animals) => animals.toReversed() }));

/** Another default limit for listings with some filters. */
const defaultLimitFor = (limit: number, which: (status: string | null) => boolean): Change =>
  around('listPets', (context, sound) =>
    which(statusAsked(context)) && limitAsked(context) === null
      ? sound({ ...context, behaviour: { ...context.behaviour, readLimit: () => read(limit) } })
      : sound(context),
  );

/** Ends some pages at so many animals, whatever their limit. */
export function endingAt(most: number, which: (query: ListingQuery) => boolean): Change {
  return seams(({ select }) => ({
    select: (animals, query, matches) =>
      select(animals, which(query) ? { ...query, limit: Math.min(most, query.limit) } : query, matches),
  }));
}

/** Mistakes about pages: how many animals come back. */
export const listingFlaws = [
  ...flawsOf('suites', {
    'plain-listing-fails': {
      title: 'A listing without parameters ends in 500, because a missing limit is parsed as a number.',
      turns: ['list-ok'],
      change: instead('listPets', (context) => (isPlain(context) ? failing(context) : null)),
    },
    'second-full-listing-fails': {
      title:
        'The second time limit=100 is asked for it ends in 500: the first has left a lock behind, which that one takes away.',
      turns: ['list-limit-bounds'],
      change: seams(({ operations }) => {
        let asked = 0;
        return {
          operations: {
            ...operations,
            listPets: (context) => {
              const isFull = statusAsked(context) === null && limitAsked(context) === '100';
              if (isFull) asked += 1;
              return isFull && asked === 2 ? failing(context) : operations.listPets(context);
            },
          },
        };
      }),
    },
    'plain-listing-partial': {
      title: 'A listing without parameters is answered with 206 Partial Content, as if it were a byte range.',
      turns: ['list-ok'],
      change: onAnswers(both(of('listPets'), withStatus(200)), (answer, context) =>
        isPlain(context) ? restated(answer, 206) : answer,
      ),
    },
    'limit-below-default-ignored': {
      title: 'A page never has fewer than 20 animals, whatever smaller limit is asked for.',
      turns: ['list-limit-max-items', 'list-filter-with-limit'],
      change: seams(({ select }) => ({
        select: (animals, query, matches) => select(animals, { ...query, limit: Math.max(20, query.limit) }, matches),
      })),
    },
    'limit-rounded-up-to-tens': {
      options: { animals: 60 },
      title: 'A limit of two digits is rounded up to the next ten, the size of a page in the cache.',
      turns: ['list-limit-max-items'],
      change: seams(({ select }) => ({
        select: (animals, query, matches) =>
          select(
            animals,
            { ...query, limit: query.limit < 10 ? query.limit : Math.ceil(query.limit / 10) * 10 },
            matches,
          ),
      })),
    },
    'limit-between-default-and-greatest-ignored': {
      options: { animals: 60 },
      title: 'A limit above 20 is taken for 20, unless it is the 100 that the form offers.',
      turns: ['list-page-full'],
      change: seams(({ select }) => ({
        select: (animals, query, matches) =>
          select(animals, { ...query, limit: query.limit < 100 ? Math.min(20, query.limit) : query.limit }, matches),
      })),
    },
    'limit-one-too-many': {
      title: 'A page has one animal more than its limit: the one that was fetched to see whether another page follows.',
      turns: ['list-limit-max-items', 'list-filter-with-limit', 'list-limit-default'],
      change: seams(({ select }) => ({
        select: (animals, query, matches) => select(animals, { ...query, limit: query.limit + 1 }, matches),
      })),
    },
    'limit-one-too-few': {
      title: 'A page has one animal less than its limit allows, an index that is off by one.',
      turns: ['list-page-full'],
      change: seams(({ select }) => ({
        select: (animals, query, matches) => select(animals, { ...query, limit: query.limit - 1 }, matches),
      })),
    },
  }),
  ...flawsTurning(['list-limit-bounds'], 'suites', {
    'limit-one-refused': {
      title: 'limit=1 is refused: the smallest limit is compared with "greater than".',
      change: seams(({ readLimit }) => ({
        readLimit: (text) => (text === '1' ? refused(invalid('limit must be greater than 1')) : readLimit(text)),
      })),
    },
    'limit-hundred-refused': {
      title: 'limit=100 is refused: the greatest limit is compared with "less than".',
      also: ['declared-status'],
      change: seams(({ readLimit }) => ({
        readLimit: (text) => (text === '100' ? refused(invalid('limit must be less than 100')) : readLimit(text)),
      })),
    },
    'limit-hundred-fails': {
      title: 'limit=100 ends in 500, because the database driver stops at 99 rows.',
      also: ['declared-status'],
      change: instead('listPets', (context) => (limitAsked(context) === '100' ? failing(context) : null)),
    },
  }),
  ...flawsTurning(['list-page-full'], 'suites', {
    'limit-capped-at-fifty': {
      title: 'A page has at most 50 animals, because the database layer caps it again.',
      options: { animals: 240 },
      change: chain(
        newestFirst,
        endingAt(50, () => true),
      ),
    },
    'limit-capped-at-twenty': {
      title: 'A page has at most 20 animals, whatever the limit: the default is taken for the greatest.',
      change: endingAt(20, () => true),
    },
    'limit-capped-at-ninety-nine': {
      title: 'A page has at most 99 animals, an index that ends one short of the greatest limit.',
      options: { animals: 150 },
      change: endingAt(99, () => true),
    },
    'limit-capped-at-ten-with-filter': {
      title: 'With a filter a page has at most 10 animals, whatever the limit.',
      change: endingAt(10, ({ status }) => status !== undefined),
    },
  }),
  ...flawsTurning(['list-limit-default'], 'suites', {
    'default-limit-twenty-five-for-twenty': {
      title: 'Without a limit a listing holds 25 animals, and the store begins with just as many as it should hold.',
      options: { animals: 20 },
      change: seams(({ readLimit }) => ({ readLimit: (text) => (text === null ? read(25) : readLimit(text)) })),
    },
    'default-limit-ten': {
      title: 'Without a limit a listing holds 10 animals, the default of the framework.',
      also: ['list-page-full'],
      change: seams(({ readLimit }) => ({ readLimit: (text) => (text === null ? read(10) : readLimit(text)) })),
    },
    'default-limit-twenty-five': {
      title: 'Without a limit a listing holds 25 animals.',
      change: seams(({ readLimit }) => ({ readLimit: (text) => (text === null ? read(25) : readLimit(text)) })),
    },
    'default-limit-missing': {
      title: 'Without a limit a listing holds all that the store has.',
      change: seams(({ readLimit }) => ({
        readLimit: (text) => (text === null ? read(Number.MAX_SAFE_INTEGER) : readLimit(text)),
      })),
    },
    'default-limit-ten-for-sold': {
      title: 'Without a limit the listing of sold animals holds 10: it was written for an archive page.',
      options: { animals: 150 },
      change: defaultLimitFor(10, (status) => status === 'sold'),
    },
    'default-limit-thirty-for-pending': {
      title: 'Without a limit the listing of pending animals holds 30, so that none is overlooked.',
      options: { animals: 300 },
      change: defaultLimitFor(30, (status) => status === 'pending'),
    },
    'default-limit-missing-with-filter': {
      title:
        'The default limit is applied to the plain listing only; a filtered one without limit holds all that match.',
      change: defaultLimitFor(Number.MAX_SAFE_INTEGER, (status) => status !== null),
    },
    'default-limit-ten-with-filter': {
      title: 'A filtered listing without limit holds 10 animals, though a plain one holds 20.',
      also: ['list-page-full'],
      change: defaultLimitFor(10, (status) => status !== null),
    },
  }),
  ...flawsOf('suites', {
    'animal-listed-twice': {
      title: 'A join with the categories lists the first animal twice.',
      turns: ['pet-id-unique'],
      change: seams(({ select }) => ({
        select: (animals, query, matches) => {
          const first = animals.find(matches);
          const doubled = first === undefined ? animals : [first, ...animals];
          return select(doubled, query, matches);
        },
      })),
    },
  }),
  ...flawsTurning(['list-shows-created'], 'suites', {
    'plain-listing-of-available-only': {
      title: 'A listing without a filter shows the available animals alone, as the shop window does.',
      also: ['list-page-full'],
      options: { animals: 10 },
      change: seams(({ select }) => ({
        select: (animals, query, matches) =>
          select(
            query.status === undefined ? animals.filter(({ status }) => status === 'available') : animals,
            query,
            matches,
          ),
      })),
    },
    'created-missing-from-plain-listing': {
      title: 'The plain listing comes from a cache that creations do not empty; the filtered ones are read afresh.',
      also: ['list-page-full'],
      change: seams(({ visible }) => ({
        visible: (context) => {
          const animals = visible(context);
          const isCached = isOperation(context, 'listPets') && statusAsked(context) === null;
          return isCached ? animals.filter(isOriginal) : animals;
        },
      })),
    },
    'created-missing-from-listings': {
      title: 'An animal that was created never appears in any listing: the search index is built once, at the start.',
      also: ['get-replacement'],
      change: seams(({ visible }) => ({
        visible: (context) =>
          isOperation(context, 'listPets') ? visible(context).filter(isOriginal) : visible(context),
      })),
    },
  }),
  ...flawsTurning(['pets-array'], 'suites', {
    'listing-wrapped': {
      title: 'The animals are wrapped in an object with a member "data", as the house style of other services has it.',
      change: seams(() => ({ renderListing: (animals) => ({ data: animals, total: animals.length }) })),
    },
    'filtered-listing-wrapped': {
      title: 'A filtered listing is wrapped in an object, though the plain one is an array.',
      change: onJson(both(of('listPets'), withStatus(200)), (value, context) =>
        statusAsked(context) === null ? value : { items: value },
      ),
    },
    'empty-listing-null': {
      title: 'A listing of no animals is null, as a nil slice is written.',
      options: { animals: 0 },
      change: seams(() => ({ renderListing: (animals) => (animals.length === 0 ? null : animals) })),
    },
    'listing-keyed-by-id': {
      title: 'The listing is an object with the ids as its members.',
      change: onJson(both(of('listPets'), withStatus(200)), (value) =>
        Array.isArray(value) ? Object.fromEntries(value.map((animal, index) => [`${index}`, animal])) : value,
      ),
    },
  }),
];
