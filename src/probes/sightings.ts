import type { Single } from '../checks/animals.js';
import type { PetView } from '../checks/pets.js';
import type { Exchange } from '../exchange/types.js';
import type { ProbeContext } from './context.js';
import { animalsIn } from './store.js';

/** What the run's answers have shown of animals. */
export function createSightings({ courier, additions }: ProbeContext) {
  /** Every answer that showed animals, with them. */
  const animalsSoFar = (): readonly { readonly exchange: Exchange; readonly pets: readonly PetView[] }[] =>
    courier.exchanges().flatMap((exchange) => {
      const pets = animalsIn(exchange);
      return pets.length > 0 ? [{ exchange, pets }] : [];
    });

  /** The ids that were shown before an exchange was sent, each with where. */
  function idsBefore({ sentAt }: Exchange): ReadonlyMap<string, string> {
    const before = animalsSoFar().filter(({ exchange }) => exchange.sentAt < sentAt);
    return new Map(
      before.flatMap(({ exchange, pets }) =>
        pets.flatMap(({ id }) => (id === null ? [] : [[id, `an animal of “${exchange.probe}”`] as const])),
      ),
    );
  }

  /** Whether another animal has the same id, of another creation or from before: then nobody can tell which one an answer shows. */
  function isAmbiguous(creation: Single): boolean {
    const id = creation.reading.ok ? creation.reading.value.id : null;
    return (
      (id !== null && idsBefore(creation.exchange).has(id)) ||
      additions().some(
        (exchange) => exchange.id !== creation.exchange.id && animalsIn(exchange).some((pet) => pet.id === id),
      )
    );
  }

  /** Where else than in its own creation an animal was shown. */
  function sightings(creation: Single): readonly Single[] {
    const id = creation.reading.ok && !isAmbiguous(creation) ? creation.reading.value.id : null;
    return animalsSoFar()
      .filter(({ exchange }) => exchange.id !== creation.exchange.id)
      .flatMap(({ exchange, pets }) =>
        pets
          .filter((pet) => id !== null && pet.id === id)
          .map((value) => ({ exchange, reading: { ok: true as const, value } })),
      );
  }

  return { animalsSoFar, isAmbiguous, sightings, idsBefore };
}
