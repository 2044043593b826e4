import { errorAnswer } from '../../reference/messages.js';
import { notFound } from '../../reference/operations.js';
import { fallingOver, instead, isOperation, petIdOf, type Test } from '../changes/requests.js';
import { isOriginal, seenAs } from '../changes/animals.js';
import { flawsBy } from '../registry.js';
import type { Animal } from '../../reference/store.js';

/** Tests an animal that the server started with, given its place among them, counted from 0, and their number. */
type Which = (animal: Animal, place: number, all: number) => boolean;

const fetching =
  (which: Which): Test =>
  (context) => {
    const originals = context.store.all().filter(isOriginal);
    const place = originals.findIndex(({ id }) => id.toString() === petIdOf(context));
    const animal = originals[place];
    return animal !== undefined && which(animal, place, originals.length);
  };

const failingFor = (which: Which) => fallingOver('getPet', fetching(which));

const unknownFor = (which: Which) =>
  instead('getPet', (context) => (fetching(which)(context) ? errorAnswer(notFound) : null));

/** Selects one animal, at a share of the way from the first to the last. */
const oneAt =
  (share: number): Which =>
  (_animal, place, all) =>
    place === Math.floor(all * share);

const shownAs = (alter: (animal: Animal) => Animal) =>
  seenAs((animal, context) =>
    isOriginal(animal) && isOperation(context, 'getPet') ? alter(animal) : animal,
  );

/** Flaws of some of the animals that were in the store before the run. */
export const rareResidents = [
  ...flawsBy({ turns: ['get-ok'], also: ['get-until-removal'] }, 'explore', failingFor, {
    'old-animals-without-status-fall-over: Old animals without a status return 500.': ({ status }) =>
      status === undefined,
    'old-animals-of-the-last-category-fall-over: Old animals of the largest category return 500.': ({
      categoryId,
    }) => categoryId === 5n,
    'last-old-animals-fall-over: The last of the old animals were not migrated, and return 500.': (
      _animal,
      place,
      all,
    ) => place >= all - 4,
    'middle-of-the-old-animals-falls-over: A part of the old animals was not migrated, and returns 500.': (
      _animal,
      place,
      all,
    ) => place >= all * 0.4 && place < all * 0.55,
    'every-seventh-old-animal-falls-over: One of seven shards is lost, and its old animals return 500.': (
      _animal,
      place,
    ) => place % 7 === 3,
    'old-animals-with-long-names-fall-over: Old animals with long names return 500.': ({ name }) =>
      name.length > 7,
    'one-old-animal-in-the-middle-falls-over: One row of the old animals is damaged, and returns 500.':
      oneAt(0.5),
    'one-late-old-animal-falls-over: One old animal names a deleted record, and returns 500.': oneAt(0.8),
  }),
  ...flawsBy({ turns: ['get-ok'], also: ['get-until-removal'] }, 'explore', unknownFor, {
    'one-old-animal-is-unknown: One old animal is listed but missing in the index by id.': oneAt(0.3),
  }),
  ...flawsBy('list-matches-get', 'explore', shownAs, {
    'old-accents-are-spoiled: Old names beyond ASCII were stored in another encoding.': (animal) => ({
      ...animal,
      name: animal.name.replace(/[^ -~]/g, '?'),
    }),
    'old-smallest-category-is-lost: The smallest category of old animals is fetched as 0.': (animal) =>
      animal.categoryId === 1n ? { ...animal, categoryId: 0n } : animal,
    'one-old-name-is-stale: The cache holds one old animal under its earlier name.': (animal) =>
      animal.id === 34n ? { ...animal, name: `${animal.name} (old)` } : animal,
  }),
];
