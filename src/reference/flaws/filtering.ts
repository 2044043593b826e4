import type { Behaviour, Change, Context } from '../behaviour.js';
import {
  around,
  both,
  chain,
  failing,
  instead,
  isOriginal,
  limitAsked,
  of,
  onAnimals,
  onAnswers,
  restated,
  seams,
  statusAsked,
  withStatus,
} from '../changes.js';
import { type JsonObject } from '../json.js';
import { json, type Answer } from '../messages.js';
import { notFound } from '../reading.js';
import { flawsOf } from '../registry.js';
import type { Animal, PetStatus } from '../store.js';
import { newestFirst } from './listing.js';

type Select = Behaviour['select'];

const selecting = (alter: (select: Select) => Select): Change => seams(({ select }) => ({ select: alter(select) }));

/** Strangers come after this many that match, so that a short page is not touched and a full one is. */
const LEAK_AFTER = 10;

/** Lets animals through a filter that it should hold back. */
const leaking = (leaks: (animal: Animal, wanted: PetStatus) => boolean): Change =>
  selecting((select) => (animals, query, matches) => {
    const wanted = query.status;
    if (wanted === undefined) return select(animals, query, matches);
    const fitting = animals.filter(matches);
    const strangers = animals.filter((animal) => !matches(animal) && leaks(animal, wanted));
    const mixed = [...fitting.slice(0, LEAK_AFTER), ...strangers, ...fitting.slice(LEAK_AFTER)];
    return mixed.slice(0, query.limit);
  });

/** A store that begins with a single animal, an available one, so that the other filters find nothing at first. */
const ONE_AVAILABLE = 1;

/** Answers a filtered listing that holds no animal in another way. */
const onFilterWithout = (instead: (context: Context) => Answer): Change =>
  around('listPets', (context, sound) => {
    const answer = sound(context);
    const isEmpty = answer.body.kind === 'json' && Array.isArray(answer.body.value) && answer.body.value.length === 0;
    return isEmpty && statusAsked(context) !== null ? instead(context) : answer;
  });

/** Reads of two parameters the first alone, where they come in one order and not in the other. */
const withoutSecond = (first: string, second: string): Change =>
  around('listPets', (context, sound) => {
    const query = new URLSearchParams(context.request.query);
    if (query.keys().next().value !== first) return sound(context);
    query.delete(second);
    return sound({ ...context, request: { ...context.request, query } });
  });

/** An animal that a run of the kit has added, by its name. */
const isOwn = ({ name }: JsonObject): boolean => typeof name === 'string' && /^conformance-/i.test(name);

/** Mistakes about the status filter, and where it meets the limit. */
export const filteringFlaws = flawsOf('suites', {
  'filter-ignored': {
    title: 'The status filter is read and never applied.',
    turns: ['list-status-filter', 'list-filter-with-limit'],
    change: seams(() => ({ matches: () => true })),
  },
  'filter-ignored-and-echoed': {
    title: 'The status filter is never applied, and every animal returned is given the status that was asked for.',
    turns: ['list-status-filter'],
    also: ['list-filter-with-limit'],
    change: chain(
      seams(() => ({ matches: () => true })),
      onAnimals('listPets', (animal, context) => {
        const status = statusAsked(context);
        return status === null ? animal : { ...animal, status };
      }),
    ),
  },
  'filter-leaks-statusless': {
    title: 'A filter lets the animals without a status through, as "not equal" lets null through in SQL turned round.',
    turns: ['list-status-filter'],
    also: ['list-filter-with-limit'],
    change: leaking(({ status }) => status === undefined),
  },
  'filter-available-takes-statusless': {
    title: 'The filter takes animals without a status for available ones.',
    turns: ['list-status-filter'],
    also: ['list-filter-with-limit'],
    change: leaking(({ status }, wanted) => wanted === 'available' && status === undefined),
  },
  'filter-available-leaks-pending': {
    title: 'The filter for available ones lets the pending ones through, since they may yet become available.',
    turns: ['list-status-filter'],
    also: ['list-filter-with-limit'],
    change: leaking(({ status }, wanted) => wanted === 'available' && status === 'pending'),
  },
  'filter-pending-leaks-sold': {
    title: 'The filter for pending ones is "not available", and lets the sold ones through.',
    turns: ['list-status-filter'],
    also: ['list-filter-with-limit'],
    change: leaking(({ status }, wanted) => wanted === 'pending' && status === 'sold'),
  },
  'filter-sold-ignored': {
    title: 'The filter knows two values; for sold everything comes back.',
    turns: ['list-status-filter'],
    also: ['list-filter-with-limit'],
    change: leaking((_animal, wanted) => wanted === 'sold'),
  },
  'filter-finds-nothing': {
    title: 'A filter finds nothing, because the text is compared with an enumeration object.',
    turns: ['list-page-full'],
    also: ['list-shows-created', 'get-replacement'],
    change: seams(() => ({ matches: () => false })),
  },
  'filter-answers-null-for-none': {
    title: 'A filter that finds nothing answers null, as an empty slice is written in Go.',
    turns: ['pets-array'],
    options: { animals: ONE_AVAILABLE },
    change: onFilterWithout(() => json(200, null)),
  },
  'filter-answers-404-for-none': {
    title: 'A filter that finds nothing answers 404.',
    turns: ['declared-status'],
    options: { animals: ONE_AVAILABLE },
    change: onFilterWithout((context) => context.behaviour.problem(notFound, context)),
  },
  'filter-misses-first': {
    title: 'A filtered listing leaves out the very first animal: its cursor begins after the id 1.',
    turns: ['get-replacement'],
    also: ['list-page-full', 'list-shows-created'],
    change: selecting(
      (select) => (animals, query, matches) =>
        select(query.status === undefined ? animals : animals.filter(({ id }) => id > 1n), query, matches),
    ),
  },
  'created-filed-as-available': {
    title: 'Listings show and find every animal created since the start as available, whatever it was created as.',
    turns: ['list-shows-created', 'list-matches-created', 'list-matches-get'],
    change: chain(
      seams(({ matches }) => ({
        matches: (animal, status) => (isOriginal(animal) ? matches(animal, status) : status === 'available'),
      })),
      onAnimals('listPets', (animal) => (isOwn(animal) ? { ...animal, status: 'available' } : animal)),
    ),
  },
  'filter-misses-created': {
    title: 'The filter reads an index that is built at the start, so that animals created since are missing from it.',
    turns: ['list-shows-created'],
    also: ['get-replacement', 'list-page-full'],
    change: seams(({ matches }) => ({
      matches: (animal, status) => isOriginal(animal) && matches(animal, status),
    })),
  },
  'filter-fails-for-pending': {
    title: 'The filter for pending ones ends in 500: the value is missing from a table.',
    turns: ['declared-status'],
    change: instead('listPets', (context) => (statusAsked(context) === 'pending' ? failing(context) : null)),
  },
  'filter-answers-partial': {
    title: 'A filtered listing is answered with 206 Partial Content.',
    turns: ['declared-status'],
    change: onAnswers(both(of('listPets'), withStatus(200)), (answer, context) =>
      statusAsked(context) === null ? answer : restated(answer, 206),
    ),
  },
  'filter-with-small-limit-fails': {
    title: 'A filter and a limit together end in 500: the placeholders of the query are counted wrongly.',
    turns: ['declared-status'],
    change: instead('listPets', (context) =>
      statusAsked(context) !== null && Number(limitAsked(context) ?? 20) < 20 ? failing(context) : null,
    ),
  },
  'limit-before-filter': {
    title: 'The limit is applied first and the filter to what is left, so that filtered pages come back half empty.',
    turns: ['list-page-full'],
    change: chain(
      newestFirst,
      selecting((select) => (animals, query, matches) => select(animals.slice(0, query.limit), query, matches)),
    ),
  },
  'limit-below-default-ignored-with-filter': {
    title: 'With a filter a page never has fewer than 20 animals, whatever smaller limit is asked for.',
    turns: ['list-filter-with-limit'],
    change: selecting(
      (select) => (animals, query, matches) =>
        select(
          animals,
          { ...query, limit: query.status === undefined ? query.limit : Math.max(20, query.limit) },
          matches,
        ),
    ),
  },
  'filter-dropped-on-small-pages': {
    title: 'Small pages come from a cache that knows no filter.',
    turns: ['list-filter-with-limit'],
    change: selecting(
      (select) => (animals, query, matches) => select(animals, query, query.limit < 10 ? () => true : matches),
    ),
  },
  'filter-dropped-on-small-pages-of-sold': {
    title: 'Small pages of sold animals come from a cache that knows no filter.',
    turns: ['list-filter-with-limit'],
    change: selecting(
      (select) => (animals, query, matches) =>
        select(animals, query, query.limit < 10 && query.status === 'sold' ? () => true : matches),
    ),
  },
  'filter-lost-behind-limit': {
    title: 'The filter is looked for where the query begins, and not found behind a limit.',
    turns: ['list-filter-with-limit'],
    also: ['list-status-filter'],
    change: withoutSecond('limit', 'status'),
  },
  'limit-lost-behind-filter': {
    title: 'The limit is looked for where the query begins, and not found behind a filter.',
    turns: ['list-filter-with-limit'],
    also: ['list-shows-created', 'list-page-full'],
    change: withoutSecond('status', 'limit'),
  },
  'filter-with-limit-one-too-many': {
    title: 'With a filter a page has one animal more than its limit.',
    turns: ['list-filter-with-limit'],
    also: ['list-limit-default'],
    change: selecting(
      (select) => (animals, query, matches) =>
        select(animals, { ...query, limit: query.limit + (query.status === undefined ? 0 : 1) }, matches),
    ),
  },
  'filter-with-largest-limit-unlimited': {
    options: { animals: 500 },
    title: 'With a filter the largest limit is taken for none.',
    turns: ['list-filter-with-limit'],
    change: selecting(
      (select) => (animals, query, matches) =>
        query.status !== undefined && query.limit === 100 ? animals.filter(matches) : select(animals, query, matches),
    ),
  },
  'filter-with-limit-one-too-few': {
    title: 'With a filter a page has one animal less than its limit allows.',
    turns: ['list-page-full'],
    change: selecting(
      (select) => (animals, query, matches) =>
        select(animals, { ...query, limit: query.limit - (query.status === undefined ? 0 : 1) }, matches),
    ),
  },
});
