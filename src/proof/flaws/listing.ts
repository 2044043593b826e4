import type { Change, Context } from '../../reference/behaviour.js';
import {
  LISTED,
  after,
  anew,
  around,
  both,
  cachedListings,
  chain,
  changed,
  counted,
  failing,
  fallingOver,
  isOperation,
  on,
  seams,
} from '../changes/requests.js';
import { answeredWith, onJson } from '../changes/answers.js';
import {
  endingAt,
  endingAtTenWithFilter,
  isFiltered,
  isOriginal,
  limitAsked,
  listingNone,
  newestFirst,
  seenAs,
  selecting,
  sized,
  statusAsked,
} from '../changes/animals.js';
import { errorAnswer, invalid, read, refused } from '../../reference/messages.js';
import { notFound } from '../../reference/operations.js';
import { flawsBy, flawsTurning } from '../registry.js';

const isPlain = (context: Context) => context.request.query.size === 0;

const defaultLimitFor = (limit: number, which: (status: string | null) => boolean): Change =>
  around('listPets', (context, sound) =>
    which(statusAsked(context)) && limitAsked(context) === null
      ? sound(changed(context, seams({ readLimit: () => read(limit) })))
      : sound(context),
  );

const defaultLimit = (limit: number): Change =>
  after('readLimit', (usual, text) => (text === null ? read(limit) : usual));

const refusingLimit = (limit: string, message: string): Change =>
  after('readLimit', (usual, text) => (text === limit ? refused(invalid(message)) : usual));

/** Keeps the limit of a listing for later listings on its connection that have none. */
const limitKept: Change = anew(() => {
  const limits = new WeakMap<object, string>();
  return around('listPets', (context, sound) => {
    const { connection, query } = context.request;
    const limit = limitAsked(context) ?? limits.get(connection);
    if (limit === undefined) return sound(context);
    const asked = new URLSearchParams([...query, ['limit', limit]]);
    const answer = sound({ ...context, request: { ...context.request, query: asked } });
    if (answer.status === 200) limits.set(connection, limit);
    return answer;
  });
});

const hidingNew = (which: (context: Context) => boolean): Change =>
  seenAs((animal, context) => (which(context) && !isOriginal(animal) ? undefined : animal));

/** Animals in the index of listings when its job stops. */
const INDEXED = 17;

/** Flaws of pages: number of animals. */
export const listingFlaws = [
  ...flawsTurning('list-ok', 'suites', {
    'plain-listing-fails: A listing without parameters returns 500, because a missing limit is parsed as a number.':
      fallingOver('listPets', isPlain),
    'plain-listing-partial: A listing without parameters returns 206 Partial Content, as for a byte range.':
      answeredWith(both(LISTED, isPlain), 206),
    'listings-partial: Every listing returns 206 Partial Content, as for a byte range.': answeredWith(
      LISTED,
      206,
    ),
    'listings-of-none-not-found: A listing without animals returns 404.': [
      listingNone(() => errorAnswer(notFound)),
      { options: { animals: 0 } },
    ],
  }),
  ...flawsTurning('list-limit-bounds', 'suites', {
    'second-full-listing-fails: The second request with limit=100 returns 500: the first left a lock, which the second removes.':
      counted(
        'listPets',
        (count, context, sound) => (count === 2 ? failing : sound(context)),
        (context) => !isFiltered(context) && limitAsked(context) === '100',
      ),
    'limit-one-refused: limit=1 is rejected: the smallest limit is compared with "greater than".':
      refusingLimit('1', 'limit must be greater than 1'),
    'limit-hundred-refused: limit=100 is rejected: the largest limit is compared with "less than".':
      refusingLimit('100', 'limit must be less than 100'),
    'limit-hundred-fails: limit=100 returns 500, because the database driver stops at 99 rows.': fallingOver(
      'listPets',
      (context) => limitAsked(context) === '100',
    ),
    'limits-refused: Every limit is rejected: the check is of a parameter that was renamed.': around(
      'listPets',
      (context, sound) => (limitAsked(context) === null ? sound(context) : errorAnswer(invalid('limit'))),
    ),
  }),
  ...flawsTurning(['list-limit-max-items', 'list-filter-with-limit'], 'suites', {
    'limit-below-default-ignored: A page never has fewer than 20 animals, even for a smaller limit.': sized(
      (limit) => Math.max(20, limit),
    ),
  }),
  ...flawsTurning('list-limit-max-items', 'suites', {
    'limit-rounded-up-to-tens: A limit of two digits is rounded up to the next ten, the size of a page in the cache.':
      [sized((limit) => (limit < 10 ? limit : Math.ceil(limit / 10) * 10)), { options: { animals: 60 } }],
  }),
  ...flawsTurning(['list-limit-max-items', 'list-filter-with-limit', 'list-limit-default'], 'suites', {
    'limit-one-too-many: A page has one animal more than its limit: the one that shows whether another page follows.':
      sized((limit) => limit + 1),
  }),
  ...flawsBy('list-page-full', 'suites', sized, {
    'limit-between-default-and-greatest-ignored: A limit above 20 counts as 20, except 100, which a form offers.':
      [(limit) => (limit < 100 ? Math.min(20, limit) : limit), { options: { animals: 60 } }],
    'limit-one-too-few: A page has one animal less than its limit allows, by an off-by-one error.': (limit) =>
      limit - 1,
  }),
  ...flawsTurning('list-page-full', 'suites', {
    'limit-capped-at-fifty: A page has at most 50 animals, because the database layer caps it again.': [
      chain(newestFirst, endingAt(50)),
      { options: { animals: 240 } },
    ],
    'limit-capped-at-twenty: A page has at most 20 animals with any limit: the default is used as the maximum.':
      endingAt(20),
    'limit-capped-at-ninety-nine: A page has at most 99 animals: its index ends one before the largest limit.':
      [endingAt(99), { options: { animals: 150 } }],
    'limit-capped-at-ten-with-filter: With a filter a page has at most 10 animals, with any limit.':
      endingAtTenWithFilter,
  }),
  ...flawsBy('list-limit-default', 'suites', defaultLimit, {
    'default-limit-twenty-five-for-twenty: Without a limit a listing has up to 25 animals, and the store starts with exactly 20.':
      [25, { options: { animals: 20 } }],
    'default-limit-ten: Without a limit a listing has 10 animals, the framework’s default.': [
      10,
      ['list-page-full'],
    ],
    'default-limit-twenty-five: Without a limit a listing has 25 animals.': 25,
    'default-limit-missing: Without a limit a listing has all animals of the store.': Number.MAX_SAFE_INTEGER,
  }),
  ...flawsTurning('list-limit-default', 'suites', {
    'default-limit-ten-for-sold: Without a limit the listing of sold animals has 10: it was written for an archive page.':
      [defaultLimitFor(10, (status) => status === 'sold'), { options: { animals: 150 } }],
    'default-limit-thirty-for-pending: Without a limit the listing of pending animals has 30, so that users overlook none.':
      [defaultLimitFor(30, (status) => status === 'pending'), { options: { animals: 300 } }],
    'default-limit-missing-with-filter: Only the plain listing has a default limit; a filtered one has all matches.':
      defaultLimitFor(Number.MAX_SAFE_INTEGER, (status) => status !== null),
    'default-limit-ten-with-filter: A filtered listing without limit has 10 animals, although a plain one has 20.':
      [defaultLimitFor(10, (status) => status !== null), ['list-page-full']],
    'limit-kept-on-connection: A listing without a limit has the limit of the last listing on its connection.':
      limitKept,
  }),
  ...flawsTurning('pet-id-unique', 'suites', {
    'animal-listed-twice: A join with the categories lists the first animal twice.': selecting(
      (select, animals, query, matches) => {
        const first = animals.find(matches);
        return select(first === undefined ? animals : [first, ...animals], query, matches);
      },
    ),
  }),
  ...flawsTurning('list-shows-created', 'suites', {
    'plain-listing-of-available-only: A listing without a filter shows only available animals, as in a shop window.':
      [
        selecting((select, animals, query, matches) =>
          select(
            animals,
            query,
            query.status === undefined ? ({ status }) => status === 'available' : matches,
          ),
        ),
        { also: ['list-page-full'], options: { animals: 10 } },
      ],
  }),
  ...flawsBy('list-shows-created', 'suites', hidingNew, {
    'created-missing-from-plain-listing: The plain listing comes from a cache that creations do not clear.': [
      (context) => isOperation(context, 'listPets') && !isFiltered(context),
      ['list-page-full'],
    ],
    'created-missing-from-listings: A created animal never appears in a listing: the search index is built once, at the start.':
      [on('listPets'), ['get-replacement']],
  }),
  ...flawsTurning('list-shows-created', 'suites', {
    'filtered-listing-from-cache: The response to a filtered listing is cached for a minute, by its query.': [
      cachedListings(60_000, isFiltered),
      ['list-page-full'],
    ],
    // With this many, a filtered page has a usual length, as where a target ends its pages.
    'later-animals-never-listed: Listings leave out animals from the eighteenth on, since the job that indexes them stopped.':
      [
        seenAs((animal, context) =>
          isOperation(context, 'listPets') && context.store.all().indexOf(animal) >= INDEXED
            ? undefined
            : animal,
        ),
        { options: { animals: 8 } },
      ],
    'newest-missing-from-largest-page: The largest page leaves out its newest animal: its query ends one before the last id.':
      onJson(
        both(LISTED, (context) => limitAsked(context) === '100'),
        (value) => (Array.isArray(value) ? value.slice(0, -1) : value),
      ),
  }),
  ...flawsTurning('pets-array', 'suites', {
    'listing-wrapped: The animals are wrapped in an object with a member "data", as in the house style of other services.':
      seams({ renderListing: (animals) => ({ data: animals, total: animals.length }) }),
    'filtered-listing-wrapped: A filtered listing is wrapped in an object, although the plain one is an array.':
      onJson(LISTED, (value, context) => (statusAsked(context) === null ? value : { items: value })),
    'empty-listing-null: A listing without animals is null, as Go writes a nil slice.': [
      seams({ renderListing: (animals) => (animals.length === 0 ? null : animals) }),
      { options: { animals: 0 } },
    ],
    'listing-keyed-by-id: The listing is an object with the ids as member names.': onJson(LISTED, (value) =>
      Array.isArray(value) ? Object.fromEntries(value.map((animal, index) => [`${index}`, animal])) : value,
    ),
  }),
];
