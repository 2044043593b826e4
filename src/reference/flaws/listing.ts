import type { Change, Context } from '../behaviour.js';
import { LISTED, around, chain, counted, failing, fallingOver, isOperation, seams } from '../changes/requests.js';
import { onAnswers, onJson, restated } from '../changes/answers.js';
import {
  asking,
  endingAt,
  isOriginal,
  limitAsked,
  newestFirst,
  seenAs,
  selecting,
  statusAsked,
} from '../changes/animals.js';
import { invalid, read, refused } from '../messages.js';
import { flawsTurning } from '../registry.js';

const isPlain = (context: Context) => context.request.query.size === 0;

/** Changes the default limit of listings with some filters. */
const defaultLimitFor = (limit: number, which: (status: string | null) => boolean): Change =>
  around('listPets', (context, sound) =>
    which(statusAsked(context)) && limitAsked(context) === null
      ? sound({ ...context, behaviour: { ...context.behaviour, readLimit: () => read(limit) } })
      : sound(context),
  );

const defaultLimit = (limit: number): Change =>
  seams(({ readLimit }) => ({ readLimit: (text) => (text === null ? read(limit) : readLimit(text)) }));

const refusingLimit = (limit: string, message: string): Change =>
  seams(({ readLimit }) => ({ readLimit: (text) => (text === limit ? refused(invalid(message)) : readLimit(text)) }));

/** Flaws of pages: number of animals. */
export const listingFlaws = [
  ...flawsTurning('list-ok', 'suites', {
    'plain-listing-fails: A listing without parameters returns 500, because a missing limit is parsed as a number.':
      fallingOver('listPets', isPlain),
  }),
  ...flawsTurning('list-limit-bounds', 'suites', {
    'second-full-listing-fails: The second request with limit=100 returns 500: the first left a lock, which the second removes.':
      counted(
        'listPets',
        (count, context, sound) => (count === 2 ? failing : sound(context)),
        (context) => statusAsked(context) === null && limitAsked(context) === '100',
      ),
  }),
  ...flawsTurning('list-ok', 'suites', {
    'plain-listing-partial: A listing without parameters returns 206 Partial Content, as for a byte range.': onAnswers(
      LISTED,
      (answer, context) => (isPlain(context) ? restated(answer, 206) : answer),
    ),
  }),
  ...flawsTurning(['list-limit-max-items', 'list-filter-with-limit'], 'suites', {
    'limit-below-default-ignored: A page never has fewer than 20 animals, even for a smaller limit.': asking(
      (query) => ({ limit: Math.max(20, query.limit) }),
    ),
  }),
  ...flawsTurning('list-limit-max-items', 'suites', {
    'limit-rounded-up-to-tens: A limit of two digits is rounded up to the next ten, the size of a page in the cache.': [
      asking((query) => ({ limit: query.limit < 10 ? query.limit : Math.ceil(query.limit / 10) * 10 })),
      { options: { animals: 60 } },
    ],
  }),
  ...flawsTurning('list-page-full', 'suites', {
    'limit-between-default-and-greatest-ignored: A limit above 20 counts as 20, except 100, which a form offers.': [
      asking((query) => ({ limit: query.limit < 100 ? Math.min(20, query.limit) : query.limit })),
      { options: { animals: 60 } },
    ],
  }),
  ...flawsTurning(['list-limit-max-items', 'list-filter-with-limit', 'list-limit-default'], 'suites', {
    'limit-one-too-many: A page has one animal more than its limit: the one that shows whether another page follows.':
      asking(({ limit }) => ({ limit: limit + 1 })),
  }),
  ...flawsTurning('list-page-full', 'suites', {
    'limit-one-too-few: A page has one animal less than its limit allows, by an off-by-one error.': asking((query) => ({
      limit: query.limit - 1,
    })),
  }),
  ...flawsTurning('list-limit-bounds', 'suites', {
    'limit-one-refused: limit=1 is rejected: the smallest limit is compared with "greater than".': refusingLimit(
      '1',
      'limit must be greater than 1',
    ),
    'limit-hundred-refused: limit=100 is rejected: the largest limit is compared with "less than".': [
      refusingLimit('100', 'limit must be less than 100'),
      ['declared-status'],
    ],
    'limit-hundred-fails: limit=100 returns 500, because the database driver stops at 99 rows.': [
      fallingOver('listPets', (context) => limitAsked(context) === '100'),
      ['declared-status'],
    ],
  }),
  ...flawsTurning('list-page-full', 'suites', {
    'limit-capped-at-fifty: A page has at most 50 animals, because the database layer caps it again.': [
      chain(newestFirst, endingAt(50)),
      { options: { animals: 240 } },
    ],
    'limit-capped-at-twenty: A page has at most 20 animals with any limit: the default is used as the maximum.':
      endingAt(20),
    'limit-capped-at-ninety-nine: A page has at most 99 animals: its index ends one before the largest limit.': [
      endingAt(99),
      { options: { animals: 150 } },
    ],
    'limit-capped-at-ten-with-filter: With a filter a page has at most 10 animals, with any limit.': endingAt(
      10,
      ({ status }) => status !== undefined,
    ),
  }),
  ...flawsTurning('list-limit-default', 'suites', {
    'default-limit-twenty-five-for-twenty: Without a limit a listing has up to 25 animals, and the store starts with exactly 20.':
      [defaultLimit(25), { options: { animals: 20 } }],
    'default-limit-ten: Without a limit a listing has 10 animals, the framework’s default.': [
      defaultLimit(10),
      ['list-page-full'],
    ],
    'default-limit-twenty-five: Without a limit a listing has 25 animals.': defaultLimit(25),
    'default-limit-missing: Without a limit a listing has all animals of the store.': defaultLimit(
      Number.MAX_SAFE_INTEGER,
    ),
    'default-limit-ten-for-sold: Without a limit the listing of sold animals has 10: it was written for an archive page.':
      [defaultLimitFor(10, (status) => status === 'sold'), { options: { animals: 150 } }],
    'default-limit-thirty-for-pending: Without a limit the listing of pending animals has 30, so that users overlook none.':
      [defaultLimitFor(30, (status) => status === 'pending'), { options: { animals: 300 } }],
    'default-limit-missing-with-filter: Only the plain listing has a default limit; a filtered one without limit has all matches.':
      defaultLimitFor(Number.MAX_SAFE_INTEGER, (status) => status !== null),
    'default-limit-ten-with-filter: A filtered listing without limit has 10 animals, although a plain one has 20.': [
      defaultLimitFor(10, (status) => status !== null),
      ['list-page-full'],
    ],
  }),
  ...flawsTurning('pet-id-unique', 'suites', {
    'animal-listed-twice: A join with the categories lists the first animal twice.': selecting(
      (select) => (animals, query, matches) => {
        const first = animals.find(matches);
        return select(first === undefined ? animals : [first, ...animals], query, matches);
      },
    ),
  }),
  ...flawsTurning('list-shows-created', 'suites', {
    'plain-listing-of-available-only: A listing without a filter shows only available animals, as in a shop window.': [
      selecting(
        (select) => (animals, query, matches) =>
          select(
            query.status === undefined ? animals.filter(({ status }) => status === 'available') : animals,
            query,
            matches,
          ),
      ),
      { also: ['list-page-full'], options: { animals: 10 } },
    ],
    'created-missing-from-plain-listing: The plain listing comes from a cache that creations do not clear; filtered ones are current.':
      [
        seenAs((animal, context) =>
          isOperation(context, 'listPets') && statusAsked(context) === null && !isOriginal(animal) ? undefined : animal,
        ),
        ['list-page-full'],
      ],
    'created-missing-from-listings: A created animal never appears in a listing: the search index is built once, at the start.':
      [
        seenAs((animal, context) => (isOperation(context, 'listPets') && !isOriginal(animal) ? undefined : animal)),
        ['get-replacement'],
      ],
  }),
  ...flawsTurning('pets-array', 'suites', {
    'listing-wrapped: The animals are wrapped in an object with a member "data", as in the house style of other services.':
      seams({ renderListing: (animals) => ({ data: animals, total: animals.length }) }),
    'filtered-listing-wrapped: A filtered listing is wrapped in an object, although the plain one is an array.': onJson(
      LISTED,
      (value, context) => (statusAsked(context) === null ? value : { items: value }),
    ),
    'empty-listing-null: A listing without animals is null, as Go writes a nil slice.': [
      seams({ renderListing: (animals) => (animals.length === 0 ? null : animals) }),
      { options: { animals: 0 } },
    ],
    'listing-keyed-by-id: The listing is an object with the ids as member names.': onJson(LISTED, (value) =>
      Array.isArray(value) ? Object.fromEntries(value.map((animal, index) => [`${index}`, animal])) : value,
    ),
  }),
];
