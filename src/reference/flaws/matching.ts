import type { Change, Context } from '../behaviour.js';
import { both, chain, isOperation, on, seams, withStatus } from '../changes/requests.js';
import { onJson } from '../changes/answers.js';
import { isOriginal, limitAsked, onAnimals, onIntegers, statusAsked } from '../changes/animals.js';
import { isObject, type Json, type JsonObject, member, textOf } from '../json.js';
import { flawsTurning } from '../registry.js';
import type { Animal } from '../store.js';
import type { RequirementId } from '../../contract/types.js';

const EVERYWHERE: readonly RequirementId[] = ['list-matches-created', 'list-matches-get'];

/** Changes the names in some listings. */
const renaming = (alter: (name: string) => string, which: (context: Context) => boolean = () => true): Change =>
  onAnimals('listPets', (animal, context) =>
    which(context) ? { ...animal, name: alter(textOf(animal['name'])) } : animal,
  );

/** Changes whole listings, also across animals. */
const onListings = (alter: (animals: readonly JsonObject[], context: Context) => readonly Json[]): Change =>
  onJson(both(on('listPets'), withStatus(200)), (value, context) =>
    Array.isArray(value) && value.every((item) => isObject(item)) ? alter(value, context) : value,
  );

const isFiltered = (context: Context): boolean => statusAsked(context) !== null;

/** Animals on a page of the default size. */
const PAGE = 20;

/** Width of the overview's column, characters. */
const COLUMN = 24;

/** Changes animals in listings only. */
const shadowing = (alter: (animal: Animal, context: Context) => Animal): Change =>
  seams(({ renderAnimal }) => ({
    renderAnimal: (animal, context) =>
      renderAnimal(isOperation(context, 'listPets') ? alter(animal, context) : animal, context),
  }));

const inCapitals = (animal: Animal): Animal => ({ ...animal, name: animal.name.toUpperCase() });

/** Flaws of listed animals, with a correct creation and fetch. */
export const matchingFlaws = [
  ...flawsTurning(EVERYWHERE, 'suites', {
    'listed-names-cut: Listings cut names to the width of their column.': renaming((name) => name.slice(0, COLUMN)),
    'listed-names-in-small-letters: Listings come from a search index, which stores names in lower case.': renaming(
      (name) => name.toLowerCase(),
    ),
    'listed-names-with-blanks-collapsed: Listings replace several spaces in a name with one.': renaming((name) =>
      name.replace(/\s+/g, ' '),
    ),
    'listed-names-escaped-for-html: Listings escape names for HTML.': renaming((name) =>
      name.replace(/&/g, '&amp;').replace(/</g, '&lt;'),
    ),
    'listed-names-normalised: Listings normalise names to NFC, as the index does.': renaming((name) =>
      name.normalize('NFC'),
    ),
  }),
  ...flawsTurning('list-matches-get', 'suites', {
    'listed-old-names-in-capitals: Listings have the names of the animals of the start in capitals, as imported.':
      shadowing((animal) => (isOriginal(animal) ? inCapitals(animal) : animal)),
    'listed-old-sold-names-in-capitals-under-filter: The filter for sold returns the names of animals of the start in capitals.':
      shadowing((animal, context) =>
        isOriginal(animal) && statusAsked(context) === 'sold' ? inCapitals(animal) : animal,
      ),
  }),
  ...flawsTurning(EVERYWHERE, 'suites', {
    'listed-new-names-cut: Listings cut the names of animals created since the start.': shadowing((animal) =>
      isOriginal(animal) ? animal : { ...animal, name: animal.name.slice(0, -1) },
    ),
    'filtered-names-cut: Filtered listings cut names, but the plain one does not.': renaming(
      (name) => name.slice(0, COLUMN),
      isFiltered,
    ),
  }),
  ...flawsTurning('list-matches-get', 'suites', {
    'small-pages-with-names-cut: Pages of a few animals are previews with cut names.': [
      renaming(
        (name) => name.slice(0, 3),
        (context) => Number(limitAsked(context) ?? PAGE) < 10,
      ),
      // If the run's animals are on such pages.
      ['list-matches-created'],
    ],
    'listed-names-cut-past-first-page: A listing cuts names from the twenty-first animal on, which comes from another query.':
      [
        onListings((animals) =>
          animals.map((animal, at) => (at < PAGE ? animal : { ...animal, name: textOf(animal['name']).slice(0, 5) })),
        ),
        // If one of the run's animals is listed that late.
        ['list-matches-created'],
      ],
  }),
  ...flawsTurning(EVERYWHERE, 'suites', {
    'listed-names-swapped: Listings swap the names of two animals: two columns of the join are mixed up.': onListings(
      (animals) =>
        animals.map((animal, at) => ({ ...animal, name: member(animals[at ^ 1] ?? animal, 'name') ?? null })),
    ),
    'listed-categories-zero: Listings do not read the category, and return 0.': onAnimals('listPets', (animal) => ({
      ...animal,
      categoryId: 0n,
    })),
    'listed-categories-of-neighbours: Listings return each animal with the category of the next one.': onListings(
      (animals) =>
        animals.map((animal, at) => ({
          ...animal,
          categoryId: member(animals[(at + 1) % animals.length] ?? animal, 'categoryId') ?? 0,
        })),
    ),
  }),
  ...flawsTurning('pet-int64', 'suites', {
    'listed-categories-as-doubles: Listings write categories as doubles, so large ones lose their last digits.':
      onIntegers('listPets', 'categoryId', (category) => BigInt(Number(category))),
    'listed-categories-as-int32: Listings keep 32 bits of a category.': onIntegers(
      'listPets',
      'categoryId',
      (category) => BigInt.asIntN(32, category),
    ),
  }),
  ...flawsTurning(EVERYWHERE, 'suites', {
    'listed-status-available: The listing without a filter shows every animal as available, the default of its view.': [
      onAnimals('listPets', (animal, context) =>
        isFiltered(context) || animal['status'] === undefined ? animal : { ...animal, status: 'available' },
      ),
      // If only that listing shows an animal's status, filtered pages look short.
      ['list-page-full'],
    ],
    'listed-status-dropped: The listing without a filter lacks the status.': onAnimals(
      'listPets',
      (animal, context) => {
        const { status: _status, ...others } = animal;
        return isFiltered(context) ? animal : others;
      },
    ),
  }),
  ...flawsTurning('list-matches-get', 'suites', {
    'listed-status-invented: The listing without a filter shows an animal that has no status as pending.': [
      onAnimals('listPets', (animal, context) => (isFiltered(context) ? animal : { status: 'pending', ...animal })),
      ['list-page-full'],
    ],
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
    'creations-done-twice: A creation is written to two queues, and both add the animal.': seams(
      ({ operations, idOf }) => ({
        operations: {
          ...operations,
          createPet: (context) => {
            const before = context.store.all().length;
            const answer = operations.createPet(context);
            const added = context.store.all()[before];
            if (answer.status === 201 && added)
              context.store.add({ ...added, id: idOf(context.store.all().length + 1) });
            return answer;
          },
        },
      }),
    ),
  }),
];
