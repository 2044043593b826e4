import { newPetMembers, petMembers } from '../../base/interface/resources.js';
import { inInt64, integerOf, isNumber, readJson, type Json } from '../../base/kernel/json.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { NewPet } from '../../base/interface/types.js';
import { listed } from '../../base/kernel/format.js';
import { blocked, kept, violated, type Judgement } from '../findings/finding.js';
import type { Judging } from './layers.js';
import { describe } from '../findings/describe.js';
import { type Single, hasStatus, isReadable, onRead, petView, type PetView } from './pets.js';
import { hasRoundedId, magnitude } from './rounded-ids.js';
import { describeUnlike, withManner } from './changed-value.js';

/** An animal that the run added, with the sent members of its creation. */
export interface Added extends Single {
  readonly sent: Partial<NewPet>;
}

/** Returns the valid members of a NewPet in a creation's body. */
export function sentIn({ request }: Exchange, { contract }: Judging): Partial<NewPet> {
  const reading = readJson(request.body ?? '');
  const pet = petView(reading.ok ? reading.value : null);
  const category = integerOf(pet.categoryId);
  const status = contract.statuses.find((known) => hasStatus(pet, known));
  return {
    ...(typeof pet.name === 'string' && { name: pet.name }),
    ...(category !== null && { categoryId: category.toString() }),
    ...(status !== undefined && { status }),
  };
}

/** `pet-shape` judges one that is not an integer. */
export const hasCategory = ({ categoryId }: PetView): boolean => integerOf(categoryId) !== null;

const sameInteger = (value: Json | undefined, digits: string): boolean => integerOf(value) === BigInt(digits);

/** Part 2: judges if a creation's response contains the sent values, because a Pet has every field of NewPet. */
export const echoes = (
  sent: NewPet,
  created: Single,
  members: readonly (keyof NewPet)[] = newPetMembers,
): Judgement =>
  onRead(created, (pet) => {
    const asked = members.filter((name) => sent[name] !== undefined);
    const shown = asked.filter((name) => isReadable(pet, name));
    const wrong = shown.find((name) => !isAsSent(pet, sent, name));
    if (wrong === undefined)
      return shown.length < asked.length && shown.length === 0
        ? misshapen(created, asked)
        : kept([created.exchange]);
    return violated(
      [created.exchange],
      `the response to “${created.exchange.probe}” has another ${wrong} than the request`,
      {
        expected: wrong === 'categoryId' ? sent.categoryId : JSON.stringify(sent[wrong]),
        actual: describeUnlike(sent[wrong], pet[wrong]),
        measured: { what: [withManner(wrong, sent[wrong], pet[wrong])] },
      },
    );
  });

/** Leaves members open that another row reports as wrong. */
const misshapen = ({ exchange }: Single, members: readonly string[]): Judgement =>
  blocked('pet-shape', `“${exchange.probe}” has no readable ${listed(members)}`, [exchange]);

type SharedMember = 'id' | keyof NewPet;

/**
 * Part 4, getPet: judges if a fetch returns the created id, name, categoryId and status, read losslessly. A
 * member as sent is right too: a wrong creation's response is a matter of `created-pet-echo`.
 */
export const sameAnimal = (
  fetched: Single,
  original: Single,
  sent: Partial<NewPet> = {},
  members: readonly SharedMember[] = petMembers,
): Judgement =>
  onRead(original, (expected) =>
    onRead(fetched, (actual) => {
      const wrong = members.find(
        (name) =>
          (name === 'id' || (isReadable(actual, name) && isReadable(expected, name))) &&
          valueOf(actual[name]) !== valueOf(expected[name]) &&
          !isAsSent(actual, sent, name) &&
          !(name === 'status' && isDefault(expected, sent)),
      );
      if (wrong === undefined) return kept([fetched.exchange, original.exchange]);
      if (wrong === 'id' && expected.id !== null && hasRoundedId(expected.id, actual))
        return blocked('pet-int64', `the id in “${fetched.exchange.probe}” has lost its last digits`, [
          fetched.exchange,
        ]);
      return violated(
        [fetched.exchange, original.exchange],
        `“${fetched.exchange.probe}” returned another ${wrong} than the creation`,
        {
          expected: describe(expected[wrong]),
          actual: describeUnlike(expected[wrong], actual[wrong]),
          measured: { what: [withManner(wrong, expected[wrong], actual[wrong])] },
        },
      );
    }),
  );

/** True if neither request nor response names a status: which one the animal gets is not shown (part 2). */
const isDefault = (created: PetView, sent: Partial<NewPet>): boolean =>
  created.status === undefined && sent.status === undefined;

export function isAsSent(pet: PetView, sent: Partial<NewPet>, name: SharedMember): boolean {
  if (name === 'id' || sent[name] === undefined) return false;
  return name === 'categoryId' ? sameInteger(pet.categoryId, sent[name]) : pet[name] === sent[name];
}

/** Returns a member's value for comparison: equal numbers are equal in any notation. */
export function valueOf(value: Json | undefined): unknown {
  return isNumber(value) ? (integerOf(value)?.toString() ?? value.value) : value;
}

/**
 * Part 2: judges if `id` and `categoryId` are int64. Fractions and other types are a matter of the shape. Of
 * several outside it shows the farthest: one at the edge may be a rounded one from inside.
 */
export function int64(exchange: Exchange, pets: readonly PetView[]): Judgement {
  const outside = pets
    .flatMap((pet) => [['id', pet.rawId] as const, ['categoryId', pet.categoryId] as const])
    .flatMap(([name, value]) => {
      const integer = integerOf(value);
      return integer === null || inInt64(integer) ? [] : [{ name, value, integer }];
    });
  const [first, ...others] = outside;
  if (first === undefined) return kept([exchange]);
  const { name, value } = others.reduce(
    (farthest, one) => (magnitude(one.integer) > magnitude(farthest.integer) ? one : farthest),
    first,
  );
  return violated([exchange], `${name} in the response to “${exchange.probe}” is outside int64`, {
    expected: '-2^63 to 2^63 - 1',
    actual: describe(value),
    measured: { what: [name, 'range'] },
  });
}

/** Another animal that had an id before, in words, and as it was shown where that is known. */
export interface Taken {
  readonly place: string;
  readonly pet?: PetView;
}

/** End of what `newId` received where the whole animal was shown before: the creation made none. */
export const SAME_ANIMAL = 'with the name and category of that animal';

/** Part 2: judges if the id of a creation is new. */
export const newId = (created: Single, takenBy: (id: string) => Taken | undefined): Judgement =>
  onRead(created, (pet) => {
    const taken = pet.id === null ? undefined : takenBy(pet.id);
    if (taken === undefined) return kept([created.exchange]);
    const isSame = taken.pet !== undefined && taken.pet.name === pet.name && sameNumber(taken.pet, pet);
    return violated(
      [created.exchange],
      `the animal of “${created.exchange.probe}” got an id that ${taken.place} already has`,
      {
        expected: 'an id not seen before',
        actual: isSame ? `${pet.id}, ${SAME_ANIMAL}` : String(pet.id),
        measured: { what: ['known id'] },
      },
    );
  });

const sameNumber = (one: PetView, other: PetView): boolean =>
  valueOf(one.categoryId) === valueOf(other.categoryId);
