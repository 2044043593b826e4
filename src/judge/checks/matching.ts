import { newPetMembers } from '../../base/interface/resources.js';
import { integerOf } from '../../base/kernel/json.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { NewPet } from '../../base/interface/types.js';
import { isAsSent, valueOf } from './animals.js';
import { kept, unestablished, violated, type Judgement } from '../findings/finding.js';
import { describeUnlike, withManner } from './changed-value.js';
import { onlyDigitsLost } from './rounded-ids.js';
import { describe } from '../findings/describe.js';
import { asIfRemoved } from './status.js';
import { type Single, isReadable, onRead, type PetView } from './pets.js';

export interface ListedPet {
  readonly exchange: Exchange;
  readonly pet: PetView;
  /** `list-status-filter` judges animals that a filter wrongly returns. */
  readonly statusCounts: boolean;
}

export const comparable = (one: PetView, other: PetView): readonly (keyof NewPet)[] =>
  newPetMembers.filter((name) => isReadable(one, name) && isReadable(other, name));

/** `pet-int64` judges digits of a category lost in a double. */
function differs(one: PetView, other: PetView, name: keyof NewPet): boolean {
  if (!isReadable(one, name) || !isReadable(other, name)) return false;
  const [category, otherCategory] = [integerOf(one.categoryId), integerOf(other.categoryId)];
  return name === 'categoryId' && category !== null && otherCategory !== null
    ? category !== otherCategory && !onlyDigitsLost(category, otherCategory)
    : valueOf(one[name]) !== valueOf(other[name]);
}

/**
 * Part 4: judges if listings show the created name, categoryId and sent status. A member as sent is right
 * too: a wrong creation's response is a matter of `created-pet-echo`.
 */
export const listedAsCreated = (
  created: Single,
  sent: Partial<NewPet>,
  listedPets: readonly ListedPet[],
  members: readonly (keyof NewPet)[],
): Judgement =>
  onRead(created, (original) => {
    const judged = members.filter((name) => name !== 'status' || sent.status !== undefined);
    for (const { exchange, pet, statusCounts } of listedPets) {
      const wrong = judged.find(
        (name) =>
          (name !== 'status' || statusCounts) && differs(pet, original, name) && !isAsSent(pet, sent, name),
      );
      if (wrong !== undefined)
        return violated(
          [exchange, created.exchange],
          `“${exchange.probe}” returned another ${wrong} for animal ${original.id} than “${created.exchange.probe}”`,
          {
            expected: describe(original[wrong]),
            actual: describeUnlike(original[wrong], pet[wrong]),
            measured: { what: [withManner(wrong, original[wrong], pet[wrong])] },
          },
        );
    }
    return kept([created.exchange, ...listedPets.map(({ exchange }) => exchange)]);
  });

/** Charges a second copy of a creation's animal in a listing, under an id that no creation got. */
export const listedTwice = (created: Single, { exchange, pet }: ListedPet): Judgement =>
  onRead(created, ({ id }) =>
    violated(
      [exchange, created.exchange],
      `“${exchange.probe}” lists the animal of “${created.exchange.probe}” twice, under two ids`,
      {
        expected: `once, with id ${id}`,
        actual: `also under id ${describe(pet.rawId)}`,
        measured: { what: ['listed twice'] },
      },
    ),
  );

type Difference = NonNullable<ReturnType<typeof differenceFrom>>;

/**
 * Returns the first difference of listings from one reading of an animal: name or category before status,
 * which may change.
 */
export function differenceFrom(pet: PetView, listedPets: readonly ListedPet[]) {
  for (const member of newPetMembers) {
    const listedPet = listedPets.find(
      (other) => (member !== 'status' || other.statusCounts) && differs(pet, other.pet, member),
    );
    if (listedPet) return { listedPet, member };
  }
  return null;
}

/** Part 4: charges a listed animal that differs from the fetched one. */
export const readsOtherwise = (fetch: Exchange, pet: PetView, { listedPet, member }: Difference): Judgement =>
  violated(
    [listedPet.exchange, fetch],
    `“${listedPet.exchange.probe}” and “${fetch.probe}” returned different values of ${member}`,
    {
      expected: `the same ${member} in both`,
      actual: `${describeUnlike(pet[member], listedPet.pet[member])} listed, ${describe(pet[member])} fetched`,
      measured: { what: [withManner(member, pet[member], listedPet.pet[member])] },
    },
  );

/** Status of an animal in a fetch and a listing in direct succession; null if it is missing. */
export interface Look {
  readonly fetch: Exchange;
  readonly fetched: PetView | null;
  readonly listing: Exchange;
  readonly listed: PetView | null;
  readonly filter?: string;
}

/**
 * Judges the repeated reads of an animal whose status differed. Other clients may have changed it in between.
 *
 * @param first the two earlier readings
 */
export function onSecondLook(
  first: { readonly fetched: PetView; readonly listed: PetView },
  look: Look,
): Judgement {
  const { fetch, fetched, listing, listed, filter } = look;
  const exchanges = [listing, fetch];
  if (asIfRemoved(fetch))
    return unestablished(
      'too-little-data',
      `“${fetch.probe}” does not find the animal any more, as if another client had removed it`,
      exchanges,
    );
  if (fetched === null || (listed === null && fetched.status === filter))
    return unestablished(
      'prerequisite',
      `“${listing.probe}” and “${fetch.probe}” did not both return the animal when repeated`,
      exchanges,
    );
  if (listed === null || !differs(fetched, listed, 'status')) return kept(exchanges);
  const hasMoved = differs(fetched, first.fetched, 'status') || differs(listed, first.listed, 'status');
  return hasMoved
    ? unestablished(
        'too-little-data',
        `the status in “${fetch.probe}” changes from request to request`,
        exchanges,
      )
    : readsOtherwise(fetch, fetched, {
        listedPet: { exchange: listing, pet: listed, statusCounts: true },
        member: 'status',
      });
}
