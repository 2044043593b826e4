import type { Change } from '../../reference/behaviour.js';
import { LISTED, after, around, cachedListings, chain, on, seams } from '../changes/requests.js';
import { onAnswers } from '../changes/answers.js';
import { endingAt, endingAtTenWithFilter, late, newestFirst, ordered, shuffled } from '../changes/animals.js';
import {
  errorAnswer,
  invalid,
  json,
  type Problem,
  type Read,
  read,
  refused,
  withHeader,
} from '../../reference/messages.js';
import { variantsBy, variantsOf } from '../registry.js';
import type { PetStatus } from '../../reference/store.js';

const wholeNumber = (text: string): number | undefined =>
  /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;

const BY_NAME = ordered((animals) => animals.toSorted((one, other) => (one.name < other.name ? -1 : 1)));

const refusedWith = (seam: 'readLimit' | 'readStatus', status: number): Change =>
  unread(seam, (problem) => refused({ ...problem, status }));

function unread(
  seam: 'readLimit' | 'readStatus',
  instead: (problem: Problem) => Read<number> | Read<PetStatus | undefined>,
): Change {
  return seams((before) => ({
    [seam]: (text: string | null) => {
      const value = before[seam](text);
      return value.ok ? value : instead(value.problem);
    },
  }));
}

const SHORT_PAGES = { warns: ['list-page-full'] } as const;

/** Freedom in listings: part 7 leaves wrong parameters open, part 4 the order and the pages. */
export const listingVariants = [
  ...variantsBy(
    'suites',
    endingAt,
    {
      'pages-of-ten: A page ends at 10 animals, with any limit.': 10,
      'pages-of-twenty: A page ends at 20 animals, with any limit.': 20,
      'pages-of-thirty-three: A page ends at 33 animals, with any limit.': 33,
      'pages-of-fifty-in-a-large-store: A page ends at 50 animals, with any limit, and the store holds 150.':
        [50, { options: { animals: 150 } }],
      'pages-of-ninety-nine: A page ends at 99 animals, with any limit, and the store holds 150.': [
        99,
        { options: { animals: 150 } },
      ],
    },
    SHORT_PAGES,
  ),
  ...variantsOf('suites', {
    'limit-clamped: A limit out of range is moved into it; one that is no number counts as 20.': seams({
      readLimit: (text) => read(Math.min(100, Math.max(1, wholeNumber(text ?? '20') ?? 20))),
    }),
    'limit-out-of-range-422: A limit out of range is rejected with 422.': refusedWith('readLimit', 422),
    'limit-out-of-range-default: A limit out of range counts as absent.': unread('readLimit', () => read(20)),
    'limit-zero-empty: limit=0 returns no animals, and more than 100 returns 100.': after(
      'readLimit',
      (limit, text) => (text === '0' ? read(0) : Number(text) > 100 ? read(100) : limit),
    ),
    'status-unknown-ignored: A filter for an unknown status is ignored.': unread('readStatus', () =>
      read(undefined),
    ),
    'status-unknown-empty: A filter for an unknown status matches nothing.': around(
      'listPets',
      (context, sound) =>
        context.behaviour.readStatus(context.request.query.get('status')).ok ? sound(context) : json(200, []),
    ),
    'status-unknown-422: A filter for an unknown status is rejected with 422.': refusedWith(
      'readStatus',
      422,
    ),
    'status-unknown-404: A filter for an unknown status returns 404.': refusedWith('readStatus', 404),
    'random-order: Every listing has another order.': ordered(shuffled),
    'newest-first: Listings start with the newest animal.': newestFirst,
    'order-by-name: Listings are ordered by name.': BY_NAME,
    'pages-of-twenty-newest-first: A page ends at 20 animals, with any limit, and starts with the newest.': [
      chain(newestFirst, endingAt(20)),
      SHORT_PAGES,
    ],
    'pages-of-fifty-five-by-name: A page ends at 55 animals and is sorted by name; a store of 20 reaches that as it grows.':
      [chain(BY_NAME, endingAt(55)), { options: { animals: 20 } }],
    'pages-of-ten-with-filter: A page with a filter ends at 10 animals, with any limit.': [
      endingAtTenWithFilter,
      SHORT_PAGES,
    ],
    'page-links: Listings have a Link to a next page and a total count.': onAnswers(
      LISTED,
      (answer, context) =>
        withHeader(
          withHeader(answer, 'Link', '</v1/pets?cursor=abc>; rel="next"'),
          'X-Total-Count',
          String(context.store.all().length),
        ),
    ),
    'eventual-consistency: A created animal appears in listings and fetches after 300 ms.': late(300),
    'eventual-listings: A created animal can be fetched immediately and appears in listings after a second.':
      late(1_000, on('listPets')),
    'cached-listings: The response to a listing is cached for a second, by its query.': [
      cachedListings(1_000),
      {
        // Too few of each status for a default page, so a run adds animals between two compared listings.
        options: { animals: 24 },
      },
    ],
    'unknown-parameter-refused: A listing with an undeclared parameter is rejected with 400.': around(
      'listPets',
      (context, sound) =>
        [...context.request.query.keys()].every((name) => name === 'limit' || name === 'status')
          ? sound(context)
          : errorAnswer(invalid('only limit and status are known')),
    ),
  }),
];
