import { integerOf, isInt64, isNumber } from '../contract/json.js';
import type { Exchange } from '../exchange/types.js';
import type { NewPet } from '../contract/types.js';
import { isAsSent, onPet, valueOf, type Single } from './animals.js';
import { kept, unestablished, violated, type Judgement } from '../findings/finding.js';
import { onlyDigitsLost } from './ids.js';
import { describe } from './layers.js';
import { isStatusSound, type PetView } from './pets.js';

/** An animal in a listing. */
export interface ListedPet {
  readonly exchange: Exchange;
  readonly pet: PetView;
  /** Whether to judge the status shown there. `list-status-filter` judges animals that a filter wrongly returns. */
  readonly tellsStatus: boolean;
}

/** Members of an animal except its id. */
type Member = 'name' | 'categoryId' | 'status';

const integer = (value: PetView['categoryId']): bigint | null => (isNumber(value) ? integerOf(value) : null);

/** Whether a member has the right shape and range. If not, `pet-shape` or `pet-int64` reports it. */
function isReadable(pet: PetView, name: Member): boolean {
  switch (name) {
    case 'name':
      return typeof pet.name === 'string';
    case 'categoryId':
      return isInt64(pet.categoryId);
    case 'status':
      return isStatusSound(pet);
  }
}

/** The members that can be told of two readings of one animal, whether they differ or not. */
export const comparable = (one: PetView, other: PetView): readonly Member[] =>
  (['name', 'categoryId', 'status'] as const).filter((name) => isReadable(one, name) && isReadable(other, name));

/** Whether two readings of one animal differ in a member. `pet-int64` judges digits of a category lost in a double. */
function differs(one: PetView, other: PetView, name: Member): boolean {
  if (!isReadable(one, name) || !isReadable(other, name)) return false;
  const [category, otherCategory] = [integer(one.categoryId), integer(other.categoryId)];
  return name === 'categoryId' && category !== null && otherCategory !== null
    ? category !== otherCategory && !onlyDigitsLost(category, otherCategory)
    : valueOf(one[name]) !== valueOf(other[name]);
}

/**
 * Part 4: what was created is what listings show, in name, categoryId and the status that was sent. A member that is as
 * it was sent is right, too: that the creation's answer told another is `created-pet-echo`'s affair.
 * @param members those to judge
 */
export const listedAsCreated = (
  created: Single,
  sent: Partial<NewPet>,
  listedPets: readonly ListedPet[],
  members: readonly Member[],
): Judgement =>
  onPet(created, (original) => {
    const judged = members.filter((name) => name !== 'status' || sent.status !== undefined);
    for (const { exchange, pet, tellsStatus } of listedPets) {
      const wrong = judged.find(
        (name) => (name !== 'status' || tellsStatus) && differs(pet, original, name) && !isAsSent(pet, sent, name),
      );
      if (wrong !== undefined)
        return violated(
          [exchange, created.exchange],
          `“${exchange.probe}” shows another ${wrong} than the animal of “${created.exchange.probe}” was created with`,
          { expected: describe(original[wrong]), actual: describe(pet[wrong]) },
        );
    }
    return kept([created.exchange, ...listedPets.map(({ exchange }) => exchange)]);
  });

/** The animal of a creation stands a second time in a listing, under an id that no creation got. */
export const listedTwice = (created: Single, { exchange, pet }: ListedPet): Judgement =>
  onPet(created, ({ id }) =>
    violated(
      [exchange, created.exchange],
      `“${exchange.probe}” shows the animal of “${created.exchange.probe}” a second time, with another id`,
      { expected: `once, with id ${id}`, actual: `id ${describe(pet.rawId)} as well` },
    ),
  );

/** An animal as listed that does not read as another answer says, and in what. */
export interface Difference {
  readonly listedPet: ListedPet;
  readonly member: Member;
}

/** What listings have otherwise of an animal than one reading of it: a name or category first, for only a status may change. */
export function differenceFrom(pet: PetView, listedPets: readonly ListedPet[]): Difference | null {
  for (const member of ['name', 'categoryId', 'status'] as const) {
    const listedPet = listedPets.find(
      (other) => (member !== 'status' || other.tellsStatus) && differs(pet, other.pet, member),
    );
    if (listedPet) return { listedPet, member };
  }
  return null;
}

/** Part 4: an animal is in listings as it is when fetched. */
export const readsOtherwise = (fetch: Exchange, pet: PetView, { listedPet, member }: Difference): Judgement =>
  violated(
    [listedPet.exchange, fetch],
    `“${listedPet.exchange.probe}” shows another ${member} than “${fetch.probe}” gives`,
    {
      expected: describe(pet[member]),
      actual: describe(listedPet.pet[member]),
    },
  );

/** An animal's status as a fetch and a listing give it, asked for one after the other; null where it is not given. */
export interface Look {
  readonly fetch: Exchange;
  readonly fetched: PetView | null;
  readonly listing: Exchange;
  readonly listed: PetView | null;
  /** The listing lets this status alone through. */
  readonly filter?: string;
}

/**
 * What a second look says of a status that two answers gave differently: others may have changed it in between.
 * @param first what the two gave then
 */
export function onSecondLook(first: { readonly fetched: PetView; readonly listed: PetView }, look: Look): Judgement {
  const { fetch, fetched, listing, listed, filter } = look;
  const exchanges = [listing, fetch];
  if (fetched === null || (listed === null && fetched.status === filter))
    return unestablished(
      'prerequisite',
      `“${listing.probe}” and “${fetch.probe}” did not give the animal again`,
      exchanges,
    );
  if (listed === null || !differs(fetched, listed, 'status')) return kept(exchanges);
  const hasMoved = differs(fetched, first.fetched, 'status') || differs(listed, first.listed, 'status');
  return hasMoved
    ? unestablished('too-little-data', `the status in “${fetch.probe}” changes from one look to the next`, exchanges)
    : readsOtherwise(fetch, fetched, {
        listedPet: { exchange: listing, pet: listed, tellsStatus: true },
        member: 'status',
      });
}
