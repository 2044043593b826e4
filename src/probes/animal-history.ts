import { echoes, type Single } from '../checks/animals.js';
import { isBeyondDouble } from '../checks/ids.js';
import { petsOf } from '../checks/listing.js';
import { differenceFrom, type ListedPet } from '../checks/matching.js';
import { hasStatus, type PetView } from '../checks/pets.js';
import type { NewPet, OperationName } from '../contract/types.js';
import { integerOf, isNumber } from '../contract/json.js';
import type { Exchange } from '../exchange/types.js';
import { soFar, type ProbeContext } from './context.js';
import type { createListingHistory } from './listing-history.js';
import { sentIn } from './creation-bodies.js';
import { animalsIn } from './store.js';

/** An animal that the run added, and what its creation sent of it. */
export interface Added extends Single {
  readonly sent: Partial<NewPet>;
}

/** The id that an answer gives its animal; null where it gives none. */
export const idOf = ({ reading }: Single): string | null => (reading.ok ? reading.value.id : null);

/** A creation that has to be refused may be taken all the same; what became of it then is judged nowhere. */
const isMeantToSucceed = ({ intent }: Exchange): boolean => intent.kind === 'open' || intent.statuses.includes(201);

/** What the run's answers have shown of animals. Sends nothing. */
export function createAnimalHistory(
  { courier, judging, acceptedCreations, single }: ProbeContext,
  { pagesSoFar }: Pick<ReturnType<typeof createListingHistory>, 'pagesSoFar'>,
) {
  /** Every answer that showed animals, with them. */
  const animalsSoFar = soFar(courier, (exchanges) =>
    exchanges.flatMap((exchange) => {
      const pets = animalsIn(exchange);
      return pets.length > 0 ? [{ exchange, pets }] : [];
    }),
  );

  /** The ids that were shown before an exchange was sent, each with where. */
  function idsBefore({ sentAt }: Exchange): ReadonlyMap<string, string> {
    const before = animalsSoFar().filter(({ exchange }) => exchange.sentAt < sentAt);
    return new Map(
      before.flatMap(({ exchange, pets }) =>
        pets.flatMap(({ id }) => (id === null ? [] : [[id, `an animal of “${exchange.probe}”`] as const])),
      ),
    );
  }

  /** Every animal that the run added, by whichever creation. */
  const added = soFar(courier, (): readonly Added[] =>
    acceptedCreations().map((exchange) => ({ ...single(exchange), sent: sentIn(exchange, judging) })),
  );

  /** Those that it was meant to add. */
  const addedRightly = (): readonly Added[] => added().filter(({ exchange }) => isMeantToSucceed(exchange));

  /** The ids that more than one animal has: nobody can tell which of them an answer shows. */
  const sharedIds = soFar(courier, (): ReadonlySet<string> => {
    const creations = added();
    const again = creations.filter(
      (creation, at) =>
        idsBefore(creation.exchange).has(idOf(creation) ?? '') ||
        creations.some((other, otherAt) => otherAt !== at && idOf(other) === idOf(creation)),
    );
    const onOnePage = pagesSoFar().flatMap(({ page }) => idsOfSeveral(petsOf(page)));
    return new Set([...again.map(idOf), ...onOnePage].flatMap((id) => (id === null ? [] : [id])));
  });

  const isAmbiguous = (creation: Single): boolean => sharedIds().has(idOf(creation) ?? '');

  /** Where else than in its own creation an animal was shown. */
  function appearances(creation: Single): readonly Single[] {
    const id = isAmbiguous(creation) ? null : idOf(creation);
    return animalsSoFar()
      .filter(({ exchange }) => exchange.id !== creation.exchange.id)
      .flatMap(({ exchange, pets }) =>
        pets
          .filter((pet) => id !== null && pet.id === id)
          .map((value) => ({ exchange, reading: { ok: true as const, value } })),
      );
  }

  /** Every animal of every listing. What a filter let through wrongly tells no status: its own row says so. */
  const listedSoFar = soFar(courier, (): readonly ListedPet[] => {
    const pages = pagesSoFar();
    const filters = new Map<string | null, Set<string>>();
    for (const { page, status } of pages)
      for (const { id } of status === undefined ? [] : petsOf(page))
        filters.set(id, (filters.get(id) ?? new Set()).add(status ?? ''));
    return pages.flatMap(({ page, status }) =>
      petsOf(page).map((pet) => ({
        exchange: page.exchange,
        pet,
        tellsStatus: status === undefined || (hasStatus(pet, status) && filters.get(pet.id)?.size === 1),
      })),
    );
  });

  /**
   * The operations whose answers carry ordinary categories wrong, by what was sent or by what a fetch gave: then it is not
   * digits that are at fault where they carry a large one wrong.
   */
  const categoriesGoWrong = soFar(courier, (): ReadonlySet<OperationName | null> => {
    const wrong = addedRightly()
      .filter(({ sent }) => !isBeyondDouble(sent.categoryId ?? '0'))
      .flatMap((creation) =>
        [creation, ...appearances(creation)].filter(
          (single) =>
            echoes({ name: '', categoryId: '0', ...creation.sent }, single, ['categoryId']).kind === 'violated',
        ),
      );
    const shared = sharedIds();
    const unlike = animalsSoFar()
      .filter(({ exchange }) => exchange.operation === 'getPet')
      .flatMap(({ pets }) => pets)
      .filter(hasOrdinaryCategory)
      .flatMap((pet) => {
        const elsewhere = listedSoFar().filter(({ pet: { id } }) => id !== null && id === pet.id && !shared.has(id));
        const difference = differenceFrom({ ...pet, name: undefined }, elsewhere);
        return difference?.member === 'categoryId' ? [difference.listedPet] : [];
      });
    return new Set([...wrong, ...unlike].map(({ exchange }) => exchange.operation));
  });

  /** An animal without a category beyond a double's reach, whose digits are another row's affair unless listings carry all wrong. */
  const withoutDigits = (pet: PetView): PetView =>
    hasOrdinaryCategory(pet) || categoriesGoWrong().has('listPets') ? pet : { ...pet, categoryId: undefined };

  return {
    animalsSoFar,
    idsBefore,
    added,
    addedRightly,
    sharedIds,
    isAmbiguous,
    appearances,
    listedSoFar,
    categoriesGoWrong,
    withoutDigits,
  };
}

const hasOrdinaryCategory = ({ categoryId }: PetView): boolean => {
  const category = isNumber(categoryId) ? integerOf(categoryId) : null;
  return category !== null && !isBeyondDouble(category.toString());
};

/** The ids that animals of one page share although they have other names. */
function idsOfSeveral(pets: readonly PetView[]): readonly string[] {
  const names = new Map<string, unknown>();
  return pets.flatMap(({ id, name }) => {
    if (id === null) return [];
    if (!names.has(id)) names.set(id, name);
    return names.get(id) === name ? [] : [id];
  });
}
