import { around, both, chain, isOperation, of, onAnswers, seams, withStatus } from '../changes.js';
import { invalid, json, read, refused, withHeader, type Answer } from '../messages.js';
import { endingAt } from '../flaws/listing.js';
import { variantsOf } from '../registry.js';

/** Any whole number, as far as a listing can use it. */
const wholeNumber = (text: string): number | undefined => (/^-?\d{1,15}$/.test(text) ? Number(text) : undefined);

const shuffled = <T>(items: readonly T[]): readonly T[] =>
  items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);

/** Freedom in listings: part 7 leaves wrong parameters open, part 4 the order and the pages. */
export const listingVariants = variantsOf('suites', {
  'limit-clamped': {
    title: 'A limit out of range is brought into it; one that is no number is taken for 20.',
    change: seams(() => ({
      readLimit: (text) => read(Math.min(100, Math.max(1, wholeNumber(text ?? '20') ?? 20))),
    })),
  },
  'limit-out-of-range-422': {
    title: 'A limit out of range is refused with 422.',
    change: seams(({ readLimit }) => ({
      readLimit: (text) => {
        const limit = readLimit(text);
        return limit.ok ? limit : refused({ ...limit.problem, status: 422 });
      },
    })),
  },
  'limit-out-of-range-default': {
    title: 'A limit out of range counts as left out.',
    change: seams(({ readLimit }) => ({
      readLimit: (text) => {
        const limit = readLimit(text);
        return limit.ok ? limit : readLimit(null);
      },
    })),
  },
  'limit-zero-empty': {
    title: 'limit=0 is answered with no animals, and more than 100 with 100.',
    change: seams(({ readLimit }) => ({
      readLimit: (text) => (text === '0' ? read(0) : Number(text) > 100 ? read(100) : readLimit(text)),
    })),
  },
  'status-unknown-ignored': {
    title: 'A filter for an unknown status is ignored.',
    change: seams(({ readStatus }) => ({
      readStatus: (text) => {
        const status = readStatus(text);
        return status.ok ? status : read(undefined);
      },
    })),
  },
  'status-unknown-empty': {
    title: 'A filter for an unknown status finds nothing.',
    change: around('listPets', (context, sound) =>
      context.behaviour.readStatus(context.request.query.get('status')).ok ? sound(context) : json(200, []),
    ),
  },
  'status-unknown-422': {
    title: 'A filter for an unknown status is refused with 422.',
    change: seams(({ readStatus }) => ({
      readStatus: (text) => {
        const status = readStatus(text);
        return status.ok ? status : refused({ ...status.problem, status: 422 });
      },
    })),
  },
  'status-unknown-404': {
    title: 'A filter for an unknown status is answered with 404.',
    change: seams(({ readStatus }) => ({
      readStatus: (text) => {
        const status = readStatus(text);
        return status.ok ? status : refused({ ...status.problem, status: 404 });
      },
    })),
  },
  'random-order': {
    title: 'Every listing has an order of its own.',
    change: seams(() => ({ order: shuffled })),
  },
  'newest-first': {
    title: 'Listings begin with the newest animal.',
    change: seams(() => ({ order: (animals) => animals.toReversed() })),
  },
  'order-by-name': {
    title: 'Listings are ordered by name.',
    change: seams(() => ({
      order: (animals) => animals.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    })),
  },
  'pages-of-ten': {
    title: 'A page ends at 10 animals, whatever its limit.',
    warns: ['list-page-full'],
    change: endingAt(10, () => true),
  },
  'pages-of-twenty': {
    title: 'A page ends at 20 animals, whatever its limit.',
    warns: ['list-page-full'],
    change: endingAt(20, () => true),
  },
  'pages-of-twenty-newest-first': {
    title: 'A page ends at 20 animals, whatever its limit, and begins with the newest.',
    warns: ['list-page-full'],
    change: chain(
      seams(() => ({ order: (animals) => animals.toReversed() })),
      endingAt(20, () => true),
    ),
  },
  'pages-of-thirty-three': {
    title: 'A page ends at 33 animals, whatever its limit.',
    warns: ['list-page-full'],
    change: endingAt(33, () => true),
  },
  'pages-of-fifty-five-by-name': {
    title:
      'A page ends at 55 animals, whatever its limit, and is sorted by name; a store of 20 comes to that as it grows.',
    options: { animals: 20 },
    change: chain(
      seams(() => ({ order: (animals) => animals.toSorted((one, other) => (one.name < other.name ? -1 : 1)) })),
      endingAt(55, () => true),
    ),
  },
  'pages-of-fifty-in-a-large-store': {
    title: 'A page ends at 50 animals, whatever its limit, and the store holds 150.',
    warns: ['list-page-full'],
    options: { animals: 150 },
    change: endingAt(50, () => true),
  },
  'pages-of-ninety-nine': {
    title: 'A page ends at 99 animals, whatever its limit, and the store holds 150.',
    warns: ['list-page-full'],
    options: { animals: 150 },
    change: endingAt(99, () => true),
  },
  'pages-of-ten-with-filter': {
    title: 'A page with a filter ends at 10 animals, whatever its limit.',
    warns: ['list-page-full'],
    change: endingAt(10, ({ status }) => status !== undefined),
  },
  'page-links': {
    title: 'Listings carry a Link to a next page and a total count.',
    change: onAnswers(both(of('listPets'), withStatus(200)), (answer, context) =>
      withHeader(
        withHeader(answer, 'Link', '</v1/pets?cursor=abc>; rel="next"'),
        'X-Total-Count',
        String(context.store.all().length),
      ),
    ),
  },
  'eventual-consistency': {
    title: 'A created animal shows in listings and fetches after 300 ms.',
    change: seams(({ visible, find }) => ({
      visible: (context) => visible(context).filter(({ addedAt }) => addedAt + LAG_MS <= context.request.at),
      find: (context, id) => {
        const animal = find(context, id);
        return animal !== undefined && animal.addedAt + LAG_MS <= context.request.at ? animal : undefined;
      },
    })),
  },
  'eventual-listings': {
    title: 'A created animal can be fetched at once and shows in listings after a second.',
    change: seams(({ visible }) => ({
      visible: (context) =>
        isOperation(context, 'listPets')
          ? visible(context).filter(({ addedAt }) => addedAt + LONG_LAG_MS <= context.request.at)
          : visible(context),
    })),
  },
  'cached-listings': {
    title: 'The answer to a listing is kept for a second, by its query, and given again.',
    // Too few of each status for a default page, so that animals are added between two listings that are compared.
    options: { animals: 24 },
    change: seams(({ operations }) => {
      const cache = new Map<string, { readonly until: number; readonly answer: Answer }>();
      return {
        operations: {
          ...operations,
          listPets: (context) => {
            const { query, at } = context.request;
            const known = cache.get(query.toString());
            if (known && at < known.until) return known.answer;
            const answer = operations.listPets(context);
            cache.set(query.toString(), { until: at + LONG_LAG_MS, answer });
            return answer;
          },
        },
      };
    }),
  },
  'unknown-parameter-refused': {
    title: 'A listing with a parameter that is not declared is refused with 400.',
    change: around('listPets', (context, sound) =>
      [...context.request.query.keys()].every((name) => name === 'limit' || name === 'status')
        ? sound(context)
        : context.behaviour.problem(invalid('only limit and status are known'), context),
    ),
  },
});

/** How long a replica lags behind, ms; the second stays under the 2 s after which a miss counts. */
const LAG_MS = 300;
const LONG_LAG_MS = 1_000;
