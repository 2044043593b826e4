import { echoes, type Added, type Single } from '../../judge/checks/animals.js';
import { isBeyondDouble, returnedIdFault, lookRounded, type Told } from '../../judge/checks/rounded-ids.js';
import { petsOf } from '../../judge/checks/listing.js';
import { differenceFrom, type ListedPet } from '../../judge/checks/matching.js';
import { hasStatus, type PetView } from '../../judge/checks/pets.js';
import { mustBeRefused } from '../../judge/checks/status.js';
import type { OperationName, RequirementId } from '../../base/interface/types.js';
import { integerOf } from '../../base/kernel/json.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { soFar, type ProbeContext } from './context.js';
import type { createListingHistory } from './listing-history.js';
import { sentIn } from './creation-bodies.js';
import { animalsIn } from './store.js';
import { statusOf } from '../../wire/exchange/headers.js';

/** Returns the id of the animal in a response; null if it has none. */
export const idOf = ({ reading }: Single): string | null => (reading.ok ? reading.value.id : null);

/** True if a creation was allowed to succeed. A wrongly accepted one is not judged further. */
const isMeantToSucceed = ({ intent }: Exchange): boolean => intent.kind === 'open' || intent.statuses.includes(201);

const hasOrdinaryCategory = ({ categoryId }: PetView): boolean => {
  const category = integerOf(categoryId);
  return category !== null && !isBeyondDouble(category.toString());
};

/** Ids of several animals with different names on one page. */
function idsOfSeveral(pets: readonly PetView[]): readonly string[] {
  const names = new Map<string, unknown>();
  return pets.flatMap(({ id, name }) => {
    if (id === null) return [];
    if (!names.has(id)) names.set(id, name);
    return names.get(id) === name ? [] : [id];
  });
}

/** True for a creation with the run's key that must be refused. */
const isRefusal = (exchange: Exchange): boolean =>
  exchange.operation === 'createPet' && exchange.credential.kind === 'valid' && mustBeRefused(exchange);

const isAlike = (shown: unknown, name: string): boolean =>
  typeof shown === 'string' && shown.toLowerCase() === name.toLowerCase();

/** View of animals in the run's responses. Sends nothing. */
export function createAnimalHistory(
  { courier, judging, prefix, acceptedCreations, single }: ProbeContext,
  { pagesSoFar }: ReturnType<typeof createListingHistory>,
) {
  /** Responses that showed animals. */
  const animalsSoFar = soFar(courier, (exchanges) =>
    exchanges.flatMap((exchange) => {
      const pets = animalsIn(exchange);
      return pets.length > 0 ? [{ exchange, pets }] : [];
    }),
  );

  /** Ids shown before an exchange was sent, each with its source. */
  function idsBefore({ sentAt }: Exchange): ReadonlyMap<string, string> {
    const before = animalsSoFar().filter(({ exchange }) => exchange.sentAt < sentAt);
    return new Map(
      before.flatMap(({ exchange, pets }) =>
        pets.flatMap(({ id }) => (id === null ? [] : [[id, `an animal in “${exchange.probe}”`] as const])),
      ),
    );
  }

  /** Animals that the run added, by any creation. */
  const added = soFar(courier, (): readonly Added[] =>
    acceptedCreations().map((exchange) => ({ ...single(exchange), sent: sentIn(exchange, judging) })),
  );

  /** Animals of the creations that were allowed to succeed. */
  const addedRightly = (): readonly Added[] => added().filter(({ exchange }) => isMeantToSucceed(exchange));

  /** Ids of more than one animal: a response with one of them could show either. */
  const sharedIds = soFar(courier, (): ReadonlySet<string> => {
    const creations = added();
    const again = creations.filter(
      (creation, at) =>
        idsBefore(creation.exchange).has(idOf(creation) ?? '') ||
        creations.some((other, otherAt) => otherAt !== at && idOf(other) === idOf(creation)),
    );
    const onOnePage = pagesSoFar().flatMap((page) => idsOfSeveral(petsOf(page)));
    return new Set([...again.map(idOf), ...onOnePage].flatMap((id) => (id === null ? [] : [id])));
  });

  const isAmbiguous = (creation: Single): boolean => sharedIds().has(idOf(creation) ?? '');

  /** Responses that showed the animal, except that to its own creation. */
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

  /** Animals of all listings. An animal wrongly let through a filter says nothing about its status: another row judges that. */
  const listedSoFar = soFar(courier, (): readonly ListedPet[] => {
    const pages = pagesSoFar();
    const filters = new Map<string | null, Set<string>>();
    for (const page of pages)
      if (page.status !== undefined)
        for (const { id } of petsOf(page)) filters.set(id, (filters.get(id) ?? new Set()).add(page.status));
    return pages.flatMap((page) =>
      petsOf(page).map((pet) => ({
        exchange: page.exchange,
        pet,
        tellsStatus: page.status === undefined || (hasStatus(pet, page.status) && filters.get(pet.id)?.size === 1),
      })),
    );
  });

  /** Operations that carry ordinary categories wrong: their wrong large categories are not a matter of digits. */
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

  /** Changed name in the response to a creation if it still contains the run's prefix; else null. */
  function toldName({ sent, reading }: Added): string | null {
    const name = reading.ok ? reading.value.name : null;
    const isOurs = typeof name === 'string' && name !== sent.name && name.toLowerCase().includes(prefix.toLowerCase());
    return isOurs ? name : null;
  }

  /** Listed animals with the name of a creation, as sent or returned. Letter case may differ. */
  function shownByName(creation: Added): readonly ListedPet[] {
    const { name } = creation.sent;
    const told = toldName(creation);
    const isShared = told !== null && added().filter((other) => toldName(other) === told).length > 1;
    const names = [name, isShared ? null : told].filter((each) => typeof each === 'string');
    return listedSoFar().filter(({ pet }) => pet.id !== null && names.some((each) => isAlike(pet.name, each)));
  }

  /** True if a fetch by the creation's id found the animal; null if no response shows it. */
  function isServed(creation: Added): boolean | null {
    const id = idOf(creation);
    const fetch = id === null ? undefined : courier.recall(`GET /pets/${id}`);
    const status = fetch ? statusOf(fetch) : null;
    if (!fetch || (status !== 200 && status !== 404)) return null;
    return animalsIn(fetch).some(({ name }) => name === creation.sent.name);
  }

  /** Compares a created id with listings. All responses together show if such ids are right. */
  function told(creation: Added): Told {
    const id = idOf(creation);
    if (id === null) return { kind: 'right' };
    const shown = shownByName(creation).map(({ exchange, pet }) => ({ id: pet.id ?? '', exchange }));
    const served = added().map(isServed);
    const isUsuallyServed = served.includes(true) || (served.includes(false) ? false : null);
    // The id of another animal is no fault of a listing that shows this one under its own.
    const isAnothers = idsBefore(creation.exchange).has(id);
    return returnedIdFault(id, shown, isAnothers ? false : (isServed(creation) ?? isUsuallyServed));
  }

  /** Returns an id that no fetch finds, if ids of listings or creations look rounded to doubles; else null. */
  function roundedAway(): { readonly id: string; readonly exchange: Exchange } | null {
    const listed = listedSoFar().flatMap(({ pet }) => pet.id ?? []);
    const own = addedRightly().flatMap((creation) => idOf(creation) ?? []);
    for (const ids of [new Set(listed), new Set(own)]) {
      if (!lookRounded(ids)) continue;
      for (const id of ids) {
        const exchange = isBeyondDouble(id) ? courier.recall(`GET /pets/${id}`) : undefined;
        if (exchange && statusOf(exchange) === 404) return { id, exchange };
      }
    }
    return null;
  }

  /** True if the request of a creation may have reached the target more than once. */
  const maySentTwice = ({ exchange }: Single): boolean =>
    exchange.attempts > 1 || courier.exchanges().filter(({ probe }) => probe === exchange.probe).length > 1;

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
    told,
    roundedAway,
    /** Drops a category beyond a double's range, which another row judges, unless listings carry all categories wrong. */
    withoutDigits: (pet: PetView): PetView =>
      hasOrdinaryCategory(pet) || categoriesGoWrong().has('listPets') ? pet : { ...pet, categoryId: undefined },
    /** True if a request can find the animal by the id from its creation, as far as known. */
    isFindable: (creation: Added): boolean => {
      const { kind } = told(creation);
      return kind === 'right' || kind === 'listing' || kind === 'either' || isServed(creation) === true;
    },
    /** Row that explains why a fetch by id may miss an existing animal; null if ids are right. */
    rowOfWrongIds: (): RequirementId | null => {
      const kinds = addedRightly().map((creation) => told(creation).kind);
      if (roundedAway() !== null || kinds.includes('digits')) return 'pet-int64';
      return kinds.includes('listing') || kinds.includes('either') ? 'list-matches-created' : null;
    },
    /** Listed copy of a creation's animal under another id. */
    twin: (creation: Added): ListedPet | null => {
      const id = idOf(creation);
      if (id === null || maySentTwice(creation) || told(creation).kind !== 'right') return null;
      // An animal listed after a creation to be refused may be left by that one.
      const refusedAt = courier.exchanges().find(isRefusal)?.sentAt ?? Infinity;
      const early = shownByName(creation).filter(({ exchange }) => exchange.sentAt < refusedAt);
      const listedPets = early.length > 0 ? early : shownByName(creation);
      return listedPets.find(({ pet }) => pet.id !== id) ?? null;
    },
  };
}
