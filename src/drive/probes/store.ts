import { bodyOf } from '../../judge/checks/layers.js';
import { petsOf, type Page } from '../../judge/checks/listing.js';
import { petView, type PetView } from '../../judge/checks/pets.js';
import { inInt64, integerOf } from '../../base/kernel/json.js';
import type { PetStatus } from '../../base/interface/contract.js';
import { grouped } from '../../base/kernel/format.js';
import { onceEach } from '../../base/kernel/once-each.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { LogRecord } from '../../log/record.js';

/** Returns the record of an animal that the run leaves behind, for the report: the interface cannot remove it. */
export function additionOf(exchange: Exchange): LogRecord {
  const { id, name } = petView(bodyOf(exchange) ?? null);
  return { type: 'created', id: id ?? '?', name: typeof name === 'string' ? name : '?' };
}

/**
 * Category for an empty store, which shows none. It is the likeliest to be accepted; a refusal of it proves
 * nothing.
 */
export const GUESSED_CATEGORY = '1';

/** Returns an animal's category; null if a double loses its digits, for which a server may refuse it. */
export function smallCategory({ categoryId }: PetView): string | null {
  const integer = integerOf(categoryId);
  return integer !== null && integer >= 0n && integer <= BigInt(Number.MAX_SAFE_INTEGER)
    ? integer.toString()
    : null;
}

/** The category of an animal that shows one, and its status; null if it shows none. */
interface Categorized {
  readonly category: string;
  readonly status: unknown;
}

const categoriesOn = onceEach((page: Page): readonly Categorized[] =>
  petsOf(page).flatMap((pet) => {
    const category = smallCategory(pet);
    return category === null ? [] : [{ category, status: pet.status ?? null }];
  }),
);

function mostFrequent(animals: readonly Categorized[], except: string | null = null): string | null {
  const others = animals.flatMap(({ category }) => (category === except ? [] : category));
  const [most] = [...grouped(others, (category) => category).values()].sort((a, b) => b.length - a.length);
  return most?.[0] ?? null;
}

/** Returns the most frequent category, which a target with a closed set accepts too; null if none was seen. */
export const knownCategory = onceEach((page: Page): string | null => mostFrequent(categoriesOn(page)));

/**
 * Returns the category to try where no animal has a small one: the most frequent of any size, or the
 * likeliest for an empty store. A refusal of it proves nothing, because a listing may show large numbers
 * wrongly.
 */
export const guessedCategory = onceEach((page: Page): string => {
  const categories = petsOf(page).flatMap(({ categoryId }) => {
    const integer = integerOf(categoryId);
    return integer !== null && inInt64(integer) ? { category: integer.toString(), status: null } : [];
  });
  return mostFrequent(categories) ?? GUESSED_CATEGORY;
});

/**
 * Returns a known category for a new animal with a status or, if null, without one: where possible that of
 * other animals. So a listing that shows the same category for all animals of the status is wrong about the
 * new one (flaw listed-sold-categories-zero).
 */
export function categoryUnlike(page: Page, status: PetStatus | null): string | null {
  const hasIt = (animal: Categorized): boolean => animal.status === status;
  const animals = categoriesOn(page);
  const usual = mostFrequent(animals.filter(hasIt));
  return (
    mostFrequent(
      animals.filter((animal) => !hasIt(animal)),
      usual,
    ) ??
    usual ??
    knownCategory(page)
  );
}
