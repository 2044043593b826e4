import { LosslessNumber } from 'lossless-json';
import type { Change, Context } from '../../reference/behaviour.js';
import { LISTED, adding, around, chain, isOperation, renumbered, seams } from '../changes/requests.js';
import { onJson, setting } from '../changes/answers.js';
import { sentMembers } from '../changes/creations.js';
import {
  isFiltered,
  isOriginal,
  limitAsked,
  onAnimals,
  onField,
  onIntegers,
  onNames,
  seenAs,
  statusAsked,
} from '../changes/animals.js';
import {
  integerOf,
  isNumber,
  isObject,
  type Json,
  type JsonObject,
  member,
  textOf,
} from '../../reference/json.js';
import { json } from '../../reference/messages.js';
import { flawsBy, flawsTurning } from '../registry.js';
import type { Animal } from '../../reference/store.js';
import type { RequirementId } from '../../base/interface/types.js';

const EVERYWHERE: readonly RequirementId[] = ['list-matches-created', 'list-matches-get'];

const onListed = (alter: (animal: JsonObject, context: Context) => JsonObject): Change =>
  onAnimals('listPets', alter);

const onListings = (alter: (animals: readonly JsonObject[], context: Context) => readonly Json[]): Change =>
  onJson(LISTED, (value, context) =>
    Array.isArray(value) && value.every((item) => isObject(item)) ? alter(value, context) : value,
  );

/** Animals on a page of the default size. */
const PAGE = 20;

/** Width of the overview's column, characters. */
const COLUMN = 24;

const shadowing = (alter: (animal: Animal, context: Context) => Animal): Change =>
  seams(({ renderAnimal }) => ({
    renderAnimal: (animal, context) =>
      renderAnimal(isOperation(context, 'listPets') ? alter(animal, context) : animal, context),
  }));

const inCapitals = (animal: Animal): Animal => ({ ...animal, name: animal.name.toUpperCase() });

/** Initial animals that fill more pages than a run reads. */
const LARGE = 2000;
/** Ids drawn together. */
const BLOCK = 5;

/** Large ids above 2^53, whose last digits a double loses. */
const large = seams({ idOf: (nth) => 2n ** 60n + BigInt(nth) * 1_000_003n });

const asDouble = (integer: bigint): bigint => BigInt(Number(integer));
const rounded = (id: Json | undefined): Json => new LosslessNumber(String(Number(id)));

/** First animal with the name, the category and the status in the body of a creation. */
function likeSent(context: Context): Animal | undefined {
  const body = sentMembers(context);
  const [name, category, status] = (['name', 'categoryId', 'status'] as const).map((each) =>
    textOf(member(body, each)),
  );
  return context.store
    .all()
    .find(
      (animal) =>
        animal.name === name && String(animal.categoryId) === category && (animal.status ?? '') === status,
    );
}

function idSent(context: Context): bigint | null {
  const value = member(sentMembers(context), 'id');
  return isNumber(value) ? (integerOf(value) ?? null) : null;
}

/** Flaws of listed animals, with a correct creation and fetch, and of new ids. */
export const animalFlaws = [
  ...flawsBy(EVERYWHERE, 'suites', (alter: (name: string) => string) => onNames('listPets', alter), {
    'listed-names-cut: Listings cut names to the width of their column.': (name) => name.slice(0, COLUMN),
    'listed-names-in-small-letters: Listings come from a search index, which stores names in lower case.': (
      name,
    ) => name.toLowerCase(),
    'listed-names-with-blanks-collapsed: Listings replace several spaces in a name with one.': (name) =>
      name.replace(/\s+/g, ' '),
    'listed-names-escaped-for-html: Listings escape names for HTML.': (name) =>
      name.replace(/&/g, '&amp;').replace(/</g, '&lt;'),
    'listed-names-normalised: Listings normalise names to NFC, as the index does.': (name) =>
      name.normalize('NFC'),
  }),
  ...flawsTurning(EVERYWHERE, 'suites', {
    'listed-new-names-cut: Listings cut the names of animals created since the start.': shadowing((animal) =>
      isOriginal(animal) ? animal : { ...animal, name: animal.name.slice(0, -1) },
    ),
    'filtered-names-cut: Filtered listings cut names, but the plain one does not.': onNames(
      'listPets',
      (name) => name.slice(0, COLUMN),
      isFiltered,
    ),
  }),
  ...flawsBy('list-matches-get', 'suites', shadowing, {
    'listed-old-names-in-capitals: Listings have the names of the animals of the start in capitals, as imported.':
      (animal) => (isOriginal(animal) ? inCapitals(animal) : animal),
    'listed-old-sold-names-in-capitals-under-filter: The filter for sold returns the names of animals of the start in capitals.':
      (animal, context) =>
        isOriginal(animal) && statusAsked(context) === 'sold' ? inCapitals(animal) : animal,
  }),
  // If the run's animals are on such pages, or listed that late.
  ...flawsTurning({ turns: ['list-matches-get'], also: ['list-matches-created'] }, 'suites', {
    'small-pages-with-names-cut: Pages of a few animals are previews with cut names.': onNames(
      'listPets',
      (name) => name.slice(0, 3),
      (context) => Number(limitAsked(context) ?? PAGE) < 10,
    ),
    'listed-names-cut-past-first-page: A listing cuts names from the twenty-first animal on, which comes from another query.':
      onListings((animals) =>
        animals.map((animal, at) =>
          at < PAGE ? animal : { ...animal, name: textOf(animal['name']).slice(0, 5) },
        ),
      ),
  }),
  ...flawsBy(EVERYWHERE, 'suites', onListings, {
    'listed-names-swapped: Listings swap the names of two animals: two columns of the join are mixed up.': (
      animals,
    ) =>
      animals.map((animal, at) => ({ ...animal, name: member(animals[at ^ 1] ?? animal, 'name') ?? null })),
    'listed-categories-of-neighbours: Listings return each animal with the category of the next one.': (
      animals,
    ) =>
      animals.map((animal, at) => ({
        ...animal,
        categoryId: member(animals[(at + 1) % animals.length] ?? animal, 'categoryId') ?? 0,
      })),
  }),
  ...flawsBy(EVERYWHERE, 'suites', onListed, {
    'listed-categories-zero: Listings do not read the category, and return 0.': (animal) => ({
      ...animal,
      categoryId: 0n,
    }),
    'listed-sold-categories-zero: Listings return 0 as the category of sold animals: their categories are archived.':
      (animal) => (animal['status'] === 'sold' ? { ...animal, categoryId: 0n } : animal),
    'filtered-status-dropped: A filtered listing lacks the status, because the request names it.': [
      (animal, context) => (isFiltered(context) ? setting('status', undefined)(animal) : animal),
      ['list-page-full'],
    ],
    'listed-status-available: The listing without a filter shows every animal as available, the default of its view.':
      [
        (animal, context) =>
          isFiltered(context) || animal['status'] === undefined ? animal : { ...animal, status: 'available' },
        // If only that listing shows an animal's status, filtered pages look short.
        ['list-page-full'],
      ],
    'listed-status-dropped: The listing without a filter lacks the status.': (animal, context) =>
      isFiltered(context) ? animal : setting('status', undefined)(animal),
    'listed-status-never-shown: No listing has the status: a summary without it is returned.': [
      setting('status', undefined),
      ['list-page-full'],
    ],
  }),
  ...flawsTurning('list-matches-get', 'suites', {
    'listed-old-sold-categories-zero: Listings return 0 as the category of sold animals of the start, which are archived.':
      shadowing((animal) =>
        isOriginal(animal) && animal.status === 'sold' ? { ...animal, categoryId: 0n } : animal,
      ),
    'listed-status-invented: The listing without a filter shows an animal that has no status as pending.': [
      onListed((animal, context) => (isFiltered(context) ? animal : { status: 'pending', ...animal })),
      ['list-page-full'],
    ],
  }),
  ...flawsBy('pet-int64', 'suites', (alter: typeof asDouble) => onIntegers('listPets', 'categoryId', alter), {
    'listed-categories-as-doubles: Listings write categories as doubles, so large ones lose their last digits.':
      asDouble,
    'listed-categories-as-int32: Listings keep 32 bits of a category.': (category) =>
      BigInt.asIntN(32, category),
  }),
  ...flawsTurning(['list-matches-created', 'get-matches-created'], 'suites', {
    'new-animals-sold: A new animal is sold as soon as it is stored: a rule for orders takes it for ordered.':
      seenAs((animal) => (isOriginal(animal) ? animal : { ...animal, status: 'sold' })),
  }),
  ...flawsTurning('list-matches-created', 'suites', {
    'listed-ids-of-rows: Listings return the row number as the id.': [
      // Ids that are no row numbers.
      chain(
        seams({ idOf: (nth) => 1_000n + BigInt(nth) }),
        onListings((animals) => animals.map((animal, at) => ({ ...animal, id: BigInt(at + 1) }))),
      ),
      // If listings do not reach the run's animals, a listed id belongs to none.
      ['get-ok'],
    ],
    'listed-new-ids-negative: Listings negate the ids of animals created since the start, as a mark of drafts.':
      shadowing((animal) => (isOriginal(animal) ? animal : { ...animal, id: -animal.id })),
    'creations-done-twice: A creation is written to two queues, and both add the animal.': around(
      'createPet',
      (context, sound) => {
        const before = context.store.all().length;
        const answer = sound(context);
        const added = context.store.all()[before];
        if (answer.status === 201 && added) adding(context, added);
        return answer;
      },
    ),
  }),
  ...flawsTurning('pet-id-unique', 'suites', {
    'creation-without-status-repeats-id: A creation without status is handled by other code, which assigns no new id.':
      [
        seams(({ renderAnimal, keep }) => {
          let latest: Animal | undefined;
          return {
            keep: (animal) => {
              const kept = keep(repeated(animal, latest));
              if (animal.status !== undefined) latest = animal;
              return kept;
            },
            renderAnimal: (animal, context) =>
              renderAnimal(isOperation(context, 'createPet') ? repeated(animal, latest) : animal, context),
          };
        }),
        ['pet-int64', 'get-matches-created', 'list-shows-created'],
      ],
    'id-of-the-client-taken: An id in the body of a creation replaces the assigned one: { id: nextId, ...body }.':
      around('createPet', (context, sound) => {
        const id = idSent(context);
        return sound(
          id === null ? context : { ...context, behaviour: { ...context.behaviour, idOf: () => id } },
        );
      }),
    'creation-again-returns-the-first: A creation with the data of an earlier one returns that animal, with 201.':
      around('createPet', (context, sound) => {
        const first = likeSent(context);
        return first ? json(201, context.behaviour.renderAnimal(first, context)) : sound(context);
      }),
    'id-of-the-client-returned: The response to a creation has the id of its body, although the animal has another.':
      onAnimals('createPet', (animal, context) => setting('id', idSent(context) ?? animal['id'])(animal)),
  }),
  ...flawsBy('pet-id-unique', 'suites', numberingNew, {
    'created-ids-begin-again: Created animals get ids from 1 on, which animals of the start already have.': [
      (nth) => nth,
      ['list-shows-created'],
    ],
    // In a store so large that no listing shows two animals with one id.
    'ids-drawn-again: Ids for new animals come in blocks of five, and the first block is used twice.': [
      (nth, start) => start + (nth > BLOCK ? nth - BLOCK : nth),
      { options: { animals: LARGE } },
    ],
  }),
  ...flawsBy('pet-int64', 'suites', (change: Change) => chain(large, change), {
    'created-ids-as-doubles: The response to a creation has its id as a double, so a large one loses its last digits.':
      onIntegers('createPet', 'id', asDouble),
    'created-ids-as-doubles-in-empty-store: The response to a creation has its id as a double, and no other shows an animal.':
      [onField('createPet', 'id', rounded), { options: { animals: 0 } }],
    'listed-ids-as-doubles: Listings write ids as doubles, so large ones lose their last digits.': onIntegers(
      'listPets',
      'id',
      asDouble,
    ),
    'fetched-ids-as-doubles: A fetched animal has its id as a double, so a large one loses its last digits.':
      onIntegers('getPet', 'id', asDouble),
    'close-ids-as-doubles: Every response has ids as doubles, and two ids in a row become one.': chain(
      seams({ idOf: (nth) => 2n ** 53n + 1n + 2n * BigInt(nth) }),
      onField('all', 'id', rounded),
    ),
    'ids-read-as-doubles: A fetch compares ids as doubles, and finds the first of several close ones.': chain(
      seams({ idOf: (nth) => 2n ** 54n + 1n + BigInt(nth) }),
      seams(() => ({
        find: ({ store }, id) => store.all().find((animal) => Number(animal.id) === Number(id)),
      })),
    ),
    'ids-as-doubles: Every response has ids as doubles, so no animal is found by the id in a response.':
      onField('all', 'id', rounded),
  }),
  // If no listing shows a new animal, only the fetch shows that its id is wrong.
  ...flawsBy({ turns: ['pet-id-unique'], also: ['get-matches-created'] }, 'suites', toldIds, {
    'created-ids-off-by-one: The response to a creation has the next id, to which the counter has already moved.':
      (id) => id + 1n,
    'created-ids-off-by-one-in-empty-store: The response to a creation has the next id, in a store that starts empty.':
      [(id) => id + 1n, { options: { animals: 0 } }],
    'created-ids-negative: The response to a creation has the negated id, as a temporary number.': (id) =>
      -id,
    'created-id-of-the-one-before: The response to a creation has the id of the animal before it.': (id) =>
      id - 1n,
  }),
];

function toldIds(alter: (id: bigint) => bigint): Change {
  return onIntegers('createPet', 'id', alter);
}

/** Changes the numbers of new animals: `numberOf` the nth new one, given the number of initial ones. */
function numberingNew(numberOf: (nth: number, start: number) => number): Change {
  return around('createPet', (context, sound) => {
    const { settings, behaviour } = context;
    const start = settings.animals;
    return sound(renumbered(context, (nth) => behaviour.idOf(numberOf(nth - start, start))));
  });
}

function repeated(animal: Animal, latest: Animal | undefined): Animal {
  const repeats = animal.status === undefined && !isOriginal(animal) && latest !== undefined;
  return repeats ? { ...animal, id: latest.id } : animal;
}
