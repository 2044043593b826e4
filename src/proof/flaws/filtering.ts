import type { Change, Context, ListingQuery } from '../../reference/behaviour.js';
import { LISTED, after, around, both, chain, fallingOver, seams } from '../changes/requests.js';
import { answeredWith } from '../changes/answers.js';
import {
  isFiltered,
  isOriginal,
  limitAsked,
  listingNone,
  newestFirst,
  onAnimals,
  ordered,
  selecting,
  shuffled,
  sized,
  statusAsked,
} from '../changes/animals.js';
import type { JsonObject } from '../../reference/json.js';
import { type Answer, errorAnswer, json } from '../../reference/messages.js';
import { flawsBy, flawsTurning } from '../registry.js';
import type { Animal, PetStatus } from '../../reference/store.js';
import { notFound } from '../../reference/operations.js';

/** Matching animals before the leaked ones, so a short page stays right and a full one does not. */
const LEAK_AFTER = 10;

const leaking = (leaks: (animal: Animal, wanted: PetStatus) => boolean): Change =>
  selecting((select, animals, query, matches) => {
    const wanted = query.status;
    if (wanted === undefined) return select(animals, query, matches);
    const fitting = animals.filter(matches);
    const strangers = animals.filter((animal) => !matches(animal) && leaks(animal, wanted));
    const mixed = [...fitting.slice(0, LEAK_AFTER), ...strangers, ...fitting.slice(LEAK_AFTER)];
    return mixed.slice(0, query.limit);
  });

const limitingFirst = selecting((select, animals, query, matches) =>
  select(animals.slice(0, query.limit), query, matches),
);

/** Place of an animal in an order that has nothing to do with its age: two primes scatter consecutive ids. */
const scattered = ({ id }: Animal): bigint => (id * 7_919n) % 10_007n;

/** A store that starts with one available animal, so other filters find nothing at first. */
const ONE_AVAILABLE = { options: { animals: 1 } };

const onFilterWithout = (instead: (context: Context) => Answer): Change =>
  listingNone((context, sound) => (isFiltered(context) ? instead(context) : sound));

/** Ignores the second of two parameters in one order. */
const withoutSecond = (first: string, second: string): Change =>
  around('listPets', (context, sound) => {
    const query = new URLSearchParams(context.request.query);
    if (query.keys().next().value !== first) return sound(context);
    query.delete(second);
    return sound({ ...context, request: { ...context.request, query } });
  });

const MISSING_SEVENTH: Change = after('matches', (fits, animal) => fits && animal.id !== 7n);

const droppingFilter = (which: (query: ListingQuery) => boolean): Change =>
  selecting((select, animals, query, matches) => select(animals, query, which(query) ? () => true : matches));

/** True for an animal with a name from the kit. */
const isOwn = ({ name }: JsonObject): boolean => typeof name === 'string' && /^conformance-/i.test(name);

export const filteringFlaws = [
  ...flawsTurning(['list-status-filter', 'list-filter-with-limit'], 'suites', {
    'filter-ignored: The status filter is read but never applied.': seams({ matches: () => true }),
  }),
  ...flawsTurning({ turns: ['list-status-filter'], also: ['list-filter-with-limit'] }, 'suites', {
    'filter-ignored-and-echoed: The status filter is never applied, and every returned animal gets the requested status.':
      chain(
        seams({ matches: () => true }),
        onAnimals('listPets', (animal, context) => {
          const status = statusAsked(context);
          return status === null ? animal : { ...animal, status };
        }),
      ),
  }),
  ...flawsBy({ turns: ['list-status-filter'], also: ['list-filter-with-limit'] }, 'suites', leaking, {
    'filter-leaks-statusless: A filter also returns animals without a status, like a reversed SQL comparison with null.':
      ({ status }) => status === undefined,
    'filter-available-takes-statusless: The filter treats animals without a status as available.': (
      { status },
      wanted,
    ) => wanted === 'available' && status === undefined,
    'filter-available-leaks-pending: The filter for available also returns pending animals, because they may become available.':
      ({ status }, wanted) => wanted === 'available' && status === 'pending',
    'filter-pending-leaks-sold: The filter for pending means "not available", and also returns sold animals.':
      ({ status }, wanted) => wanted === 'pending' && status === 'sold',
    'filter-sold-ignored: The filter knows two values; for sold it returns everything.': (_animal, wanted) =>
      wanted === 'sold',
  }),
  ...flawsTurning('pets-array', 'suites', {
    'filter-answers-null-for-none: A filter that matches nothing returns null, as Go writes an empty slice.':
      [onFilterWithout(() => json(200, null)), ONE_AVAILABLE],
  }),
  ...flawsTurning('declared-status', 'suites', {
    'filter-answers-404-for-none: A filter that matches nothing returns 404.': [
      onFilterWithout(() => errorAnswer(notFound)),
      ONE_AVAILABLE,
    ],
    'filter-fails-for-pending: The filter for pending returns 500: the value is missing from a table.':
      fallingOver('listPets', (context) => statusAsked(context) === 'pending'),
    'filter-answers-partial: A filtered listing returns 206 Partial Content.': answeredWith(
      both(LISTED, isFiltered),
      206,
    ),
    'filter-with-small-limit-fails: A filter and a limit together return 500: the query’s placeholders are counted wrongly.':
      fallingOver('listPets', (context) => isFiltered(context) && Number(limitAsked(context) ?? 20) < 20),
  }),
  ...flawsTurning('get-replacement', 'suites', {
    'filter-misses-first: A filtered listing leaves out the first animal: its cursor begins after the id 1.':
      [
        selecting((select, animals, query, matches) =>
          select(query.status === undefined ? animals : animals.filter(({ id }) => id > 1n), query, matches),
        ),
        ['list-page-full', 'list-shows-created'],
      ],
    'filter-misses-one: A filtered listing leaves out the seventh animal, for which its index has no entry.':
      MISSING_SEVENTH,
    'filter-misses-one-of-many: A filtered listing leaves out the seventh of 150 animals.': [
      MISSING_SEVENTH,
      { options: { animals: 150 } },
    ],
  }),
  ...flawsTurning(['list-matches-created', 'list-matches-get'], 'suites', {
    'created-filed-as-available: Listings show and filter every animal created since the start as available, with any status.':
      chain(
        after('matches', (fits, animal, status) => (isOriginal(animal) ? fits : status === 'available')),
        onAnimals('listPets', (animal) => (isOwn(animal) ? { ...animal, status: 'available' } : animal)),
      ),
  }),
  ...flawsTurning('list-shows-created', 'suites', {
    'filter-misses-created: The filter uses an index built at the start, so it misses animals created later.':
      [after('matches', (fits, animal) => fits && isOriginal(animal)), ['get-replacement', 'list-page-full']],
  }),
  ...flawsTurning('list-page-full', 'suites', {
    'filter-finds-nothing: A filter matches nothing, because the text is compared with an enumeration object.':
      [seams({ matches: () => false }), ['list-shows-created', 'get-replacement']],
    'limit-before-filter: The limit is applied before the filter, so filtered pages come back half empty.':
      chain(newestFirst, limitingFirst),
    'limit-before-filter-at-random: The limit is applied before the filter, to a listing in another order each time.':
      [chain(ordered(shuffled), limitingFirst), { options: { animals: 90 } }],
    'limit-before-filter-in-a-large-store: The limit is applied before the filter, and new animals stand among 300 others.':
      [
        chain(
          ordered((animals) => animals.toSorted((one, other) => Number(scattered(one) - scattered(other)))),
          limitingFirst,
        ),
        { options: { animals: 300 } },
      ],
    'filter-with-limit-one-too-few: With a filter a page has one animal less than its limit allows.': sized(
      (limit, { status }) => limit - (status === undefined ? 0 : 1),
    ),
  }),
  ...flawsBy('list-filter-with-limit', 'suites', sized, {
    'limit-below-default-ignored-with-filter: With a filter a page never has fewer than 20 animals, even for a smaller limit.':
      (limit, { status }) => (status === undefined ? limit : Math.max(20, limit)),
    'filter-with-limit-one-gives-two: With a filter a page has at least two animals, as the server looks whether there are more.':
      (limit, { status }) => (status === undefined ? limit : Math.max(2, limit)),
    'filter-with-limit-one-too-many: With a filter a page has one animal more than its limit.': [
      (limit, { status }) => limit + (status === undefined ? 0 : 1),
      ['list-limit-default'],
    ],
  }),
  ...flawsBy('list-filter-with-limit', 'suites', droppingFilter, {
    'filter-dropped-on-small-pages: Small pages come from a cache that ignores the filter.': ({ limit }) =>
      limit < 10,
    'filter-dropped-on-small-pages-of-sold: Small pages of sold animals come from a cache that ignores the filter.':
      ({ limit, status }) => limit < 10 && status === 'sold',
  }),
  ...flawsTurning('list-filter-with-limit', 'suites', {
    'filter-with-largest-limit-unlimited: With a filter the largest limit counts as no limit.': [
      selecting((select, animals, query, matches) =>
        query.status !== undefined && query.limit === 100
          ? animals.filter(matches)
          : select(animals, query, matches),
      ),
      { options: { animals: 500 } },
    ],
    'filter-lost-behind-limit: The filter is read only at the start of the query, so it is missed after a limit.':
      [withoutSecond('limit', 'status'), ['list-status-filter']],
    'limit-lost-behind-filter: The limit is read only at the start of the query, so it is missed after a filter.':
      [withoutSecond('status', 'limit'), ['list-shows-created', 'list-page-full']],
  }),
];
