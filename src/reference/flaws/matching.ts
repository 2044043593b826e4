import type { RequirementId } from '../../contract/types.js';
import type { Change, Context } from '../behaviour.js';
import {
  chain,
  isOperation,
  isOriginal,
  limitAsked,
  onAnimals,
  onIntegers,
  onJson,
  both,
  of,
  seams,
  statusAsked,
  withStatus,
} from '../changes.js';
import { isObject, member, textOf, type Json, type JsonObject } from '../json.js';
import { flawsOf } from '../registry.js';
import type { Animal } from '../store.js';

const EVERYWHERE: readonly RequirementId[] = ['list-matches-created', 'list-matches-get'];

/** Alters the names in some listings. */
const renaming = (alter: (name: string) => string, which: (context: Context) => boolean = () => true): Change =>
  onAnimals('listPets', (animal, context) =>
    which(context) ? { ...animal, name: alter(textOf(animal['name'])) } : animal,
  );

/** Alters whole listings, in which an animal may get what is another's. */
const onListings = (alter: (animals: readonly JsonObject[], context: Context) => readonly Json[]): Change =>
  onJson(both(of('listPets'), withStatus(200)), (value, context) =>
    Array.isArray(value) && value.every((item) => isObject(item)) ? alter(value, context) : value,
  );

const isFiltered = (context: Context): boolean => statusAsked(context) !== null;

/** Animals on a page of the default size. */
const PAGE = 20;

/** Characters of a name that fit a column of the overview. */
const COLUMN = 24;

/** Shows other animals in listings than the store holds. */
const shadowing = (alter: (animal: Animal, context: Context) => Animal): Change =>
  seams(({ renderAnimal }) => ({
    renderAnimal: (animal, context) =>
      renderAnimal(isOperation(context, 'listPets') ? alter(animal, context) : animal, context),
  }));

const inCapitals = (animal: Animal): Animal => ({ ...animal, name: animal.name.toUpperCase() });

/** Mistakes in what listings say of an animal, where its creation and its fetch say it rightly. */
export const matchingFlaws = flawsOf('suites', {
  'listed-names-cut': {
    title: 'Listings cut names to the width of their column.',
    turns: EVERYWHERE,
    change: renaming((name) => name.slice(0, COLUMN)),
  },
  'listed-names-in-small-letters': {
    title: 'Listings come from a search index, which keeps names in small letters.',
    turns: EVERYWHERE,
    change: renaming((name) => name.toLowerCase()),
  },
  'listed-names-with-blanks-collapsed': {
    title: 'Listings make one blank of several in a name.',
    turns: EVERYWHERE,
    change: renaming((name) => name.replace(/\s+/g, ' ')),
  },
  'listed-names-escaped-for-html': {
    title: 'Listings escape names for HTML.',
    turns: EVERYWHERE,
    change: renaming((name) => name.replace(/&/g, '&amp;').replace(/</g, '&lt;')),
  },
  'listed-names-normalised': {
    title: 'Listings normalise names to NFC, as the index does.',
    turns: EVERYWHERE,
    change: renaming((name) => name.normalize('NFC')),
  },
  'listed-old-names-in-capitals': {
    title: 'Listings give the names of the animals of the start in capitals, as they were imported.',
    turns: ['list-matches-get'],
    change: shadowing((animal) => (isOriginal(animal) ? inCapitals(animal) : animal)),
  },
  'listed-old-sold-names-in-capitals-under-filter': {
    title: 'The filter for sold animals gives the names of those of the start in capitals.',
    turns: ['list-matches-get'],
    change: shadowing((animal, context) =>
      isOriginal(animal) && statusAsked(context) === 'sold' ? inCapitals(animal) : animal,
    ),
  },
  'listed-new-names-cut': {
    title: 'Listings cut the names of the animals that were created since the start.',
    turns: EVERYWHERE,
    change: shadowing((animal) => (isOriginal(animal) ? animal : { ...animal, name: animal.name.slice(0, -1) })),
  },
  'filtered-names-cut': {
    title: 'Filtered listings cut names, though the plain one does not.',
    turns: EVERYWHERE,
    change: renaming((name) => name.slice(0, COLUMN), isFiltered),
  },
  'small-pages-with-names-cut': {
    title: 'Pages of a few animals are previews, in which names are cut.',
    turns: ['list-matches-get'],
    // Where the run's own animals are on such pages.
    also: ['list-matches-created'],
    change: renaming(
      (name) => name.slice(0, 3),
      (context) => Number(limitAsked(context) ?? PAGE) < 10,
    ),
  },
  'listed-names-cut-past-first-page': {
    title: 'A listing cuts names from the twenty-first animal on, which comes from another query.',
    turns: ['list-matches-get'],
    // Where one of the run's own animals stands that far back.
    also: ['list-matches-created'],
    change: onListings((animals) =>
      animals.map((animal, at) => (at < PAGE ? animal : { ...animal, name: textOf(animal['name']).slice(0, 5) })),
    ),
  },
  'listed-names-swapped': {
    title: 'Listings give each animal of a pair the name of the other: two columns of the join are mixed up.',
    turns: EVERYWHERE,
    change: onListings((animals) =>
      animals.map((animal, at) => ({ ...animal, name: member(animals[at ^ 1] ?? animal, 'name') ?? null })),
    ),
  },
  'listed-categories-zero': {
    title: 'Listings do not read the category, and give 0.',
    turns: EVERYWHERE,
    change: onAnimals('listPets', (animal) => ({ ...animal, categoryId: 0n })),
  },
  'listed-categories-of-neighbours': {
    title: 'Listings give each animal the category of the one after it.',
    turns: EVERYWHERE,
    change: onListings((animals) =>
      animals.map((animal, at) => ({
        ...animal,
        categoryId: member(animals[(at + 1) % animals.length] ?? animal, 'categoryId') ?? 0,
      })),
    ),
  },
  'listed-categories-as-doubles': {
    title: 'Listings write categories as doubles, so that the last digits of large ones are lost.',
    turns: ['pet-int64'],
    change: onIntegers('listPets', 'categoryId', (category) => BigInt(Number(category))),
  },
  'listed-categories-as-int32': {
    title: 'Listings keep 32 bits of a category.',
    turns: ['pet-int64'],
    change: onIntegers('listPets', 'categoryId', (category) => BigInt.asIntN(32, category)),
  },
  'listed-status-available': {
    title: 'The listing without a filter shows every animal as available, the default of its view.',
    turns: EVERYWHERE,
    // Where an animal's status is known from that listing alone, pages with a filter look short.
    also: ['list-page-full'],
    change: onAnimals('listPets', (animal, context) =>
      isFiltered(context) || animal['status'] === undefined ? animal : { ...animal, status: 'available' },
    ),
  },
  'listed-status-dropped': {
    title: 'The listing without a filter leaves the status out.',
    turns: EVERYWHERE,
    change: onAnimals('listPets', (animal, context) => {
      const { status: _status, ...others } = animal;
      return isFiltered(context) ? animal : others;
    }),
  },
  'listed-status-invented': {
    title: 'The listing without a filter shows an animal that has no status as pending.',
    turns: ['list-matches-get'],
    also: ['list-page-full'],
    change: onAnimals('listPets', (animal, context) =>
      isFiltered(context) ? animal : { status: 'pending', ...animal },
    ),
  },
  'listed-ids-of-rows': {
    title: 'Listings give the number of the row for the id.',
    turns: ['list-matches-created'],
    // Where listings do not reach the animals of the run, an id that they tell belongs to none.
    also: ['get-ok'],
    // Ids that are no numbers of rows.
    change: chain(
      seams(() => ({ idOf: (nth) => 1_000n + BigInt(nth) })),
      onListings((animals) => animals.map((animal, at) => ({ ...animal, id: BigInt(at + 1) }))),
    ),
  },
  'listed-new-ids-negative': {
    title: 'Listings give animals that were created since the start the negative of their ids, the mark of a draft.',
    turns: ['list-matches-created'],
    change: shadowing((animal) => (isOriginal(animal) ? animal : { ...animal, id: -animal.id })),
  },
  'creations-done-twice': {
    title: 'A creation is written to two queues, and both add the animal.',
    turns: ['list-matches-created'],
    change: seams(({ operations, idOf }) => ({
      operations: {
        ...operations,
        createPet: (context) => {
          const before = context.store.all().length;
          const answer = operations.createPet(context);
          const added = context.store.all()[before];
          if (answer.status === 201 && added) context.store.add({ ...added, id: idOf(context.store.all().length + 1) });
          return answer;
        },
      },
    })),
  },
});
