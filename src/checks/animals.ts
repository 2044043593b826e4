import { inInt64, integerOf, isNumber, type Json } from '../contract/json.js';
import type { Exchange } from '../exchange/types.js';
import type { NewPet } from '../contract/types.js';
import { kept, violated, type Judgement } from '../findings/finding.js';
import { describe } from './layers.js';
import { prerequisite, type PetView, type Reading } from './pets.js';

/** A creation's or a fetch's answer and the animal in it. */
export interface Single {
  readonly exchange: Exchange;
  readonly reading: Reading<PetView>;
}

/** Judges the animal of an answer, or says which layer below broke. */
export const onPet = ({ exchange, reading }: Single, judge: (pet: PetView) => Judgement): Judgement =>
  reading.ok ? judge(reading.value) : prerequisite(reading.broken, exchange);

/** Whether an animal's category can be compared. `pet-shape` judges one that is not an integer. */
export const hasCategory = ({ categoryId }: PetView): boolean => isNumber(categoryId) && integerOf(categoryId) !== null;

const sameInteger = (value: Json | undefined, digits: string): boolean =>
  isNumber(value) && integerOf(value) === BigInt(digits);

/** Part 2: a Pet has every field of NewPet, so that the creation's answer carries what was sent. */
export const echoes = (
  sent: NewPet,
  created: Single,
  members: readonly (keyof NewPet)[] = ['name', 'categoryId', 'status'],
): Judgement =>
  onPet(created, (pet) => {
    const wrong = members.find((name) => !carries(pet, sent, name));
    if (wrong === undefined) return kept([created.exchange]);
    return violated(
      [created.exchange],
      `the answer to “${created.exchange.probe}” carries another ${wrong} than was sent`,
      {
        expected: wrong === 'categoryId' ? sent.categoryId : JSON.stringify(sent[wrong]),
        actual: describe(pet[wrong]),
      },
    );
  });

function carries(pet: PetView, sent: NewPet, name: keyof NewPet): boolean {
  if (name === 'categoryId') return sameInteger(pet.categoryId, sent.categoryId);
  return name === 'status' && sent.status === undefined ? true : pet[name] === sent[name];
}

type SharedMember = 'id' | 'name' | 'categoryId' | 'status';

/**
 * What was created is what is fetched (part 4, getPet): id, name, categoryId and status, read losslessly. A member that
 * is as it was sent is right, too: that the creation's answer told another is `created-pet-echo`'s affair.
 */
export const sameAnimal = (
  fetched: Single,
  original: Single,
  sent: Partial<NewPet> = {},
  members: readonly SharedMember[] = ['id', 'name', 'categoryId', 'status'],
): Judgement =>
  onPet(original, (expected) =>
    onPet(fetched, (actual) => {
      const wrong = members.find(
        (name) => valueOf(actual[name]) !== valueOf(expected[name]) && !isAsSent(actual, sent, name),
      );
      if (wrong === undefined) return kept([fetched.exchange, original.exchange]);
      return violated(
        [fetched.exchange, original.exchange],
        `“${fetched.exchange.probe}” gives another ${wrong} than the creation did`,
        {
          expected: describe(expected[wrong]),
          actual: describe(actual[wrong]),
        },
      );
    }),
  );

/** Whether a member equals the value sent. */
export function isAsSent(pet: PetView, sent: Partial<NewPet>, name: SharedMember): boolean {
  if (name === 'id' || sent[name] === undefined) return false;
  return name === 'categoryId' ? sameInteger(pet.categoryId, sent[name]) : pet[name] === sent[name];
}

/** A member's value for comparison: equal numbers are equal however they are written. */
export function valueOf(value: Json | undefined): unknown {
  return isNumber(value) ? (integerOf(value)?.toString() ?? value.value) : value;
}

/** Part 2: `id` and `categoryId` are int64. Fractions and other types are the shape's affair. */
export function int64(exchange: Exchange, pets: readonly PetView[]): Judgement {
  for (const pet of pets) {
    for (const [name, value] of [
      ['id', pet.rawId],
      ['categoryId', pet.categoryId],
    ] as const) {
      const integer = isNumber(value) ? integerOf(value) : null;
      if (integer !== null && !inInt64(integer))
        return violated([exchange], `${name} in the answer to “${exchange.probe}” is outside int64`, {
          expected: '-2^63 to 2^63 - 1',
          actual: describe(value),
        });
    }
  }
  return kept([exchange]);
}

/**
 * Part 2: the id of a creation is not one that another animal has.
 * @param seenBefore ids seen before this creation was sent, with where each was seen
 */
export const newId = (created: Single, seenBefore: ReadonlyMap<string, string>): Judgement =>
  onPet(created, ({ id }) => {
    const seen = id === null ? undefined : seenBefore.get(id);
    return seen === undefined
      ? kept([created.exchange])
      : violated([created.exchange], `the animal of “${created.exchange.probe}” got an id that ${seen} has already`, {
          expected: 'an id not seen before',
          actual: String(id),
        });
  });
