import { integerOf } from '../../base/kernel/json.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { kept, violated, type Judgement } from '../findings/finding.js';
import { type Single, onRead, type PetView } from './pets.js';

/** Above this a double skips integers. */
const EXACT = 2n ** 53n;

export const magnitude = (integer: bigint): bigint => (integer < 0n ? -integer : integer);

const isBeyond = (integer: bigint): boolean => magnitude(integer) > EXACT;

export const isBeyondDouble = (id: string): boolean => isBeyond(BigInt(id));

/** Mark of a finding about an id in that range. */
export const BEYOND_DOUBLE = 'beyond 2^53';

/** True if an integer equals a double's usual output: all of its digits, or the fewest that identify it. */
const isDouble = (integer: bigint): boolean =>
  integer === BigInt(Number(integer)) || integer === BigInt(String(Number(integer)));

/**
 * Is true if two different integers are equal as doubles (part 2, int64), and one is a double's usual output.
 * Two close integers that are neither differ for another reason.
 */
export const onlyDigitsLost = (one: bigint, other: bigint): boolean =>
  one !== other &&
  (isBeyond(one) || isBeyond(other)) &&
  Number(one) === Number(other) &&
  (isDouble(one) || isDouble(other));

/**
 * Comparison of a created id with listings. `right`: no listing shows the animal only under another id.
 * `digits`: a listing shows it under an id that differs in digits a double loses. `answer`: the creation's
 * response has a wrong id. `listing`: the response is right, and the listing is wrong. `either`: no fetch
 * shows which is right.
 */
export type ReturnedId =
  | { readonly kind: 'right' }
  | {
      readonly kind: 'digits' | 'answer' | 'listing' | 'either';
      readonly shownAs: string;
      readonly exchange: Exchange;
    };

interface ShownId {
  readonly id: string;
  readonly exchange: Exchange;
}

/**
 * Compares the id from a creation's response with the ids of the animal with its name in listings.
 *
 * @param isServed is true if a fetch by the id found the animal; null if none shows it
 */
export function returnedIdFault(id: string, shown: readonly ShownId[], isServed: boolean | null): ReturnedId {
  const [first] = shown;
  if (first === undefined || shown.some((other) => other.id === id)) return { kind: 'right' };
  const rounded = shown.find((other) => onlyDigitsLost(BigInt(other.id), BigInt(id)));
  const { id: shownAs, exchange } = rounded ?? first;
  if (rounded) return { kind: 'digits', shownAs, exchange };
  const kind = isServed === null ? 'either' : isServed ? 'listing' : 'answer';
  return { kind, shownAs, exchange };
}

export const returnedOtherId = (
  created: Single,
  { shownAs, exchange }: Exclude<ReturnedId, { readonly kind: 'right' }>,
): Judgement =>
  onRead(created, ({ id }) => {
    const otherId = `has another id in “${exchange.probe}” than in the response to its creation`;
    return violated([created.exchange, exchange], `the animal of “${created.exchange.probe}” ${otherId}`, {
      expected: `id ${id}, as in the response to the creation`,
      actual: `id ${shownAs}`,
      measured: { what: ['another id'] },
    });
  });

interface CategoryShown {
  readonly category: bigint;
  readonly exchange: Exchange;
}

/**
 * Judges if no two responses give an animal categories that are equal only as doubles.
 *
 * @param shared ids of more than one animal
 */
export function categoriesKeepDigits(
  answers: readonly { readonly exchange: Exchange; readonly pets: readonly PetView[] }[],
  shared: ReadonlySet<string>,
): Judgement {
  const first = new Map<string, CategoryShown>();
  for (const { exchange, pets } of answers)
    for (const { id, categoryId } of pets) {
      const category = integerOf(categoryId);
      if (id === null || category === null || shared.has(id)) continue;
      const before = first.get(id);
      if (before === undefined) first.set(id, { category, exchange });
      else if (onlyDigitsLost(before.category, category))
        return otherDigits(id, { category, exchange }, before);
    }
  return kept([]);
}

function otherDigits(id: string, one: CategoryShown, before: CategoryShown): Judgement {
  const both = `“${one.exchange.probe}” and “${before.exchange.probe}”`;
  return violated(
    [one.exchange, before.exchange],
    `${both} returned categories for animal ${id} that differ in their last digits`,
    {
      expected: before.category.toString(),
      actual: one.category.toString(),
      measured: { what: ['category digits'] },
    },
  );
}

/** Zero bits in all ids together that prove rounding: by chance they occur once in a million. */
const TELLING_BITS = 20;

/**
 * Is true if ids look rounded to doubles: all above 2^53 equal a double or its output, and they have too many
 * zero bits for chance. It is no fault in itself, because a service may number freely.
 */
export function lookRounded(ids: Iterable<string>): boolean {
  const beyond = [...ids].map(BigInt).filter(isBeyond);
  const bits = beyond.reduce((sum, id) => sum + magnitude(id).toString(2).length - 53, 0);
  return bits >= TELLING_BITS && beyond.every(isDouble);
}

export const hasRoundedId = (requested: string, { id }: Pick<PetView, 'id'>): boolean =>
  id !== null && onlyDigitsLost(BigInt(requested), BigInt(id));

export const sameAsDouble = (one: string, other: string): boolean =>
  one !== other && isBeyondDouble(one) && Number(one) === Number(other);

/** Judges if a fetch returns the requested id with all its digits. Another id is a matter of other rows. */
export const idKeepsDigits = (requested: string, { exchange, reading }: Single): Judgement =>
  reading.ok && hasRoundedId(requested, reading.value)
    ? violated([exchange], `“${exchange.probe}” returned an id that differs in its last digits`, {
        expected: `id ${requested}`,
        actual: `id ${reading.value.id ?? '?'}`,
        measured: { what: ['id digits'] },
      })
    : kept([exchange]);

export const roundedAway = (fetch: Exchange, id: string): Judgement =>
  violated([fetch], `listed ids have lost their last digits, so “${fetch.probe}” finds no animal`, {
    expected: 'ids with all their digits',
    actual: `id ${id}, rounded to a double, not found`,
    measured: { what: ['id digits'] },
  });

export const collided = (listing: Exchange, id: string): Judgement =>
  violated(
    [listing],
    `listed ids have lost their last digits, so “${listing.probe}” has several animals with one id`,
    {
      expected: 'ids with all their digits',
      actual: `id ${id} of several animals`,
      measured: { what: ['id digits'] },
    },
  );
