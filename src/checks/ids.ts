import { integerOf, isNumber } from '../contract/json.js';
import type { Exchange } from '../exchange/types.js';
import { onPet, type Single } from './animals.js';
import { kept, violated, type Judgement } from '../findings/finding.js';
import type { PetView } from './pets.js';

/** From here on a double leaves integers out. */
const EXACT = 2n ** 53n;

const isBeyond = (integer: bigint): boolean => integer > EXACT || integer < -EXACT;

/** Whether an id, in digits, is in the range where doubles skip integers. */
export const isBeyondDouble = (id: string): boolean => isBeyond(BigInt(id));

/** Whether an integer is what programs write of a double: all of its digits, or the fewest that tell it from its neighbours. */
const isDouble = (integer: bigint): boolean =>
  integer === BigInt(Number(integer)) || integer === BigInt(String(Number(integer)));

/**
 * Whether two integers are one to a program that keeps numbers as doubles, and differ all the same (part 2, int64): one of
 * them is what such a program writes. Two that lie as close and are neither were told so for another reason.
 */
export const onlyDigitsLost = (one: bigint, other: bigint): boolean =>
  one !== other &&
  (isBeyond(one) || isBeyond(other)) &&
  Number(one) === Number(other) &&
  (isDouble(one) || isDouble(other));

/**
 * What became of the id that a creation's answer told. `right`: no listing shows the animal under another id alone.
 * `digits`: a listing shows it under one that differs in what a double loses. `answer`: the answer told the id of no animal
 * or of another. `listing`: the answer was right, and the listing is not. `either`: no fetch shows which of them was right.
 */
export type Told =
  | { readonly kind: 'right' }
  | {
      readonly kind: 'digits' | 'answer' | 'listing' | 'either';
      readonly shownAs: string;
      readonly exchange: Exchange;
    };

/** An id under which a listing shows an animal, and the listing. */
interface ShownId {
  readonly id: string;
  readonly exchange: Exchange;
}

/**
 * Holds the id of a creation's answer against those under which listings show the animal that bears its name.
 * @param isServed whether the animal was fetched by the id told; null where no fetch says so
 */
export function idTold(id: string, shown: readonly ShownId[], isServed: boolean | null): Told {
  const [first] = shown;
  if (first === undefined || shown.some((other) => other.id === id)) return { kind: 'right' };
  const rounded = shown.find((other) => onlyDigitsLost(BigInt(other.id), BigInt(id)));
  const { id: shownAs, exchange } = rounded ?? first;
  if (rounded) return { kind: 'digits', shownAs, exchange };
  const kind = isServed === null ? 'either' : isServed ? 'listing' : 'answer';
  return { kind, shownAs, exchange };
}

/** A creation's answer and a listing give one animal two ids. */
export const toldAnotherId = (
  created: Single,
  { shownAs, exchange }: Exclude<Told, { readonly kind: 'right' }>,
): Judgement =>
  onPet(created, ({ id }) =>
    violated(
      [created.exchange, exchange],
      `the animal of “${created.exchange.probe}” has another id in “${exchange.probe}” than in the answer to its creation`,
      { expected: `id ${id}, as the creation’s answer told`, actual: `id ${shownAs}` },
    ),
  );

/**
 * No two answers give an animal categories that only a double takes for one.
 * @param shared ids that more than one animal has
 */
export function categoriesKeepDigits(
  answers: readonly { readonly exchange: Exchange; readonly pets: readonly PetView[] }[],
  shared: ReadonlySet<string>,
): Judgement {
  const first = new Map<string, { readonly category: bigint; readonly exchange: Exchange }>();
  for (const { exchange, pets } of answers)
    for (const { id, categoryId } of pets) {
      const category = isNumber(categoryId) ? integerOf(categoryId) : null;
      if (id === null || category === null || shared.has(id)) continue;
      const before = first.get(id);
      if (before === undefined) first.set(id, { category, exchange });
      else if (onlyDigitsLost(before.category, category))
        return violated(
          [exchange, before.exchange],
          `“${exchange.probe}” and “${before.exchange.probe}” give animal ${id} categories that differ in their last digits`,
          { expected: before.category.toString(), actual: category.toString() },
        );
    }
  return kept([]);
}

/** So many bits that are 0 by chance in all ids together are no chance: one in a million. */
const TELLING_BITS = 20;

/**
 * Whether ids have been through a double: all that lie beyond 2^53 are such as a double holds, or as it is printed, and too
 * many of them for that to be chance. By itself no fault, for a service may number as it likes.
 */
export function lookRounded(ids: Iterable<string>): boolean {
  const beyond = [...ids].map(BigInt).filter(isBeyond);
  const bits = beyond.reduce((sum, id) => sum + (id < 0n ? -id : id).toString(2).length - 53, 0);
  return bits >= TELLING_BITS && beyond.every(isDouble);
}

/** An id that a listing shows is the id of no animal, and has been through a double. */
export const roundedAway = (fetch: Exchange, id: string): Judgement =>
  violated([fetch], `the ids that are shown have lost their last digits, so that “${fetch.probe}” finds no animal`, {
    expected: 'ids with all their digits',
    actual: `id ${id}, rounded as a double is, and not found`,
  });
