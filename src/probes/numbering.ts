import type { Single } from '../checks/animals.js';
import { idTold, isBeyondDouble, lookRounded, type Told } from '../checks/ids.js';
import type { ListedPet } from '../checks/matching.js';
import type { RequirementId } from '../contract/types.js';
import { statusOf } from '../exchange/headers.js';
import type { Exchange } from '../exchange/types.js';
import type { ProbeContext } from './context.js';
import { idOf, type Added, type createAnimalHistory } from './animal-history.js';
import { animalsIn } from './store.js';

/** A creation with the run's own key that has to be refused. */
const isRefusal = ({ operation, intent, credential }: Exchange): boolean =>
  operation === 'createPet' &&
  credential.kind === 'valid' &&
  intent.kind === 'expects' &&
  !intent.statuses.some((status) => status < 300);

const isAlike = (shown: unknown, name: string): boolean =>
  typeof shown === 'string' && shown.toLowerCase() === name.toLowerCase();

/** What the run's answers tell of the ids of the animals that it added. Sends nothing. */
export function createNumbering(
  { courier, prefix }: Pick<ProbeContext, 'courier' | 'prefix'>,
  { added, addedRightly, listedSoFar }: ReturnType<typeof createAnimalHistory>,
) {
  /** The name that the answer to a creation told instead of the one that was sent, where it is the run's own all the same; else null. */
  function toldName({ sent, reading }: Added): string | null {
    const name = reading.ok ? reading.value.name : null;
    const isOurs = typeof name === 'string' && name !== sent.name && name.toLowerCase().includes(prefix.toLowerCase());
    return isOurs ? name : null;
  }

  /** Where listings show what bears the name of a creation, as it was sent or told, in whatever case: no two of the run's own are alike. */
  function shownByName(creation: Added): readonly ListedPet[] {
    const { name } = creation.sent;
    const told = toldName(creation);
    const isShared = told !== null && added().filter((other) => toldName(other) === told).length > 1;
    const names = [name, isShared ? null : told].filter((each) => typeof each === 'string');
    return listedSoFar().filter(({ pet }) => pet.id !== null && names.some((each) => isAlike(pet.name, each)));
  }

  /** Whether an animal was fetched by the id that its creation's answer told; null where no answer says so. */
  function isServed(creation: Added): boolean | null {
    const id = idOf(creation);
    const fetch = id === null ? undefined : courier.recall(`GET /pets/${id}`);
    const status = fetch ? statusOf(fetch) : null;
    if (!fetch || (status !== 200 && status !== 404)) return null;
    return animalsIn(fetch).some(({ name }) => name === creation.sent.name);
  }

  /** What became of the id that a creation's answer told; whether such answers are right is read from all of them. */
  function told(creation: Added): Told {
    const id = idOf(creation);
    if (id === null) return { kind: 'right' };
    const shown = shownByName(creation).map(({ exchange, pet }) => ({ id: pet.id ?? '', exchange }));
    const served = added().map(isServed);
    const isUsuallyServed = served.includes(true) || (served.includes(false) ? false : null);
    return idTold(id, shown, isServed(creation) ?? isUsuallyServed);
  }

  /** Whether a creation's answer told the id of its animal, as far as is known: whether that can be asked for by it. */
  const isFindable = (creation: Added): boolean => {
    const { kind } = told(creation);
    return kind === 'right' || kind === 'listing' || kind === 'either' || isServed(creation) === true;
  };

  /**
   * An id that listings show, or that creations were told, and that no fetch finds, where those look as if they had lost their
   * last digits; null where none does.
   */
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

  /** The row that says why what is not found by an id may be there all the same; null where ids are right. */
  function rowOfWrongIds(): RequirementId | null {
    const kinds = addedRightly().map((creation) => told(creation).kind);
    if (roundedAway() !== null || kinds.includes('digits')) return 'pet-int64';
    return kinds.includes('listing') || kinds.includes('either') ? 'list-matches-created' : null;
  }

  /** Whether the request of a creation may have reached the target more than once. */
  const maySentTwice = ({ exchange }: Single): boolean =>
    exchange.attempts > 1 || courier.exchanges().filter(({ probe }) => probe === exchange.probe).length > 1;

  /** The animal of a creation where a listing shows it besides under another id. */
  function twin(creation: Added): ListedPet | null {
    const id = idOf(creation);
    if (id === null || maySentTwice(creation) || told(creation).kind !== 'right') return null;
    // What came after a creation that had to be refused may be what that has left.
    const refusedAt = courier.exchanges().find((exchange) => isRefusal(exchange))?.sentAt ?? Infinity;
    const early = shownByName(creation).filter(({ exchange }) => exchange.sentAt < refusedAt);
    const listedPets = early.length > 0 ? early : shownByName(creation);
    return listedPets.find(({ pet }) => pet.id !== id) ?? null;
  }

  return { told, isFindable, roundedAway, rowOfWrongIds, twin };
}
