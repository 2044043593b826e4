import { bodyOf } from '../../judge/checks/layers.js';
import { petsOf, type Page } from '../../judge/checks/listing.js';
import { petView, type PetView } from '../../judge/checks/pets.js';
import { integerOf } from '../../base/kernel/json.js';
import { grouped } from '../../base/kernel/format.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { LogRecord } from '../../log/record.js';

/** Returns the record of an animal that the run leaves behind, for the report: the interface cannot remove it. */
export function additionOf(exchange: Exchange): LogRecord {
  const { id, name } = petView(bodyOf(exchange) ?? null);
  return { type: 'created', id: id ?? '?', name: typeof name === 'string' ? name : '?' };
}

/** Category for an empty store, which shows none. It is the likeliest to be accepted; a refusal of it proves nothing. */
export const GUESSED_CATEGORY = '1';

/** Returns an animal's category; null if a double loses its digits, for which a server may refuse it. */
export function smallCategory({ categoryId }: PetView): string | null {
  const integer = integerOf(categoryId);
  return integer !== null && integer >= 0n && integer <= BigInt(Number.MAX_SAFE_INTEGER) ? integer.toString() : null;
}

/** Returns the most frequent category, which a target with a closed set accepts too; null if none was seen. */
export function knownCategory(page: Page): string | null {
  const categories = petsOf(page).flatMap((pet) => smallCategory(pet) ?? []);
  const [most] = [...grouped(categories, (category) => category).values()].sort((a, b) => b.length - a.length);
  return most?.[0] ?? null;
}
