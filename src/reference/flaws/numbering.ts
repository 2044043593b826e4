import type { OperationName, RequirementId } from '../../contract/types.js';
import { LosslessNumber } from 'lossless-json';
import type { Change } from '../behaviour.js';
import { chain, isOperation, isOriginal, onAnimals, onIntegers, renumbered, seams } from '../changes.js';
import { flawsTurning } from '../registry.js';
import type { Animal } from '../store.js';

/** Initial animals that fill more pages than a run reads. */
const LARGE = 2000;
/** Ids drawn together. */
const BLOCK = 5;

/** Large ids above 2^53, whose last digits a double loses. */
const large = seams(() => ({ idOf: (nth) => 2n ** 60n + BigInt(nth) * 1_000_003n }));

/** Changes the ids in responses of one operation. */
const onIds = (operation: OperationName, alter: (id: bigint) => bigint): Change => onIntegers(operation, 'id', alter);

const asDouble = (id: bigint): bigint => BigInt(Number(id));

/** If no listing shows a new animal, only the fetch shows that its id is wrong. */
const BY_THE_FETCH_ALONE: readonly RequirementId[] = ['get-matches-created'];

/** Flaws of new ids. */
export const numberingFlaws = [
  ...flawsTurning(['pet-id-unique'], 'suites', {
    'creation-without-status-repeats-id': [
      'A creation without status takes another path, which does not draw a new id.',
      seams(({ renderAnimal, keep }) => {
        let latest: Animal | undefined;
        return {
          keep: (animal) => {
            const kept = keep(repeated(animal, latest));
            if (animal.status !== undefined) latest = animal;
            return kept;
          },
          renderAnimal: (animal, context) =>
            renderAnimal(isOperation(context, 'createPet') ? repeated(animal, latest) : animal, context),
        };
      }),
      ['pet-int64', 'get-matches-created', 'list-shows-created'],
    ],
    'created-ids-begin-again': [
      'Animals that are created get ids from 1 on, which those of the start have already.',
      numberingNew((nth) => nth),
      ['list-shows-created'],
    ],
    'ids-drawn-again': [
      'Ids for new animals are drawn from blocks of five, and the first block is used twice.',
      numberingNew((nth, start) => start + (nth > BLOCK ? nth - BLOCK : nth)),
      {
        // So large that no listing shows two animals with one id.
        options: { animals: LARGE },
      },
    ],
  }),
  ...flawsTurning(['pet-int64'], 'suites', {
    'created-ids-as-doubles': [
      'The answer to a creation writes its id as a double, so that the last digits of large ones are lost.',
      chain(large, onIds('createPet', asDouble)),
    ],
    'created-ids-as-doubles-in-empty-store': [
      'The answer to a creation writes its id as a double, and nothing but such answers tells of any animal.',
      chain(
        large,
        onAnimals('createPet', (animal) => ({ ...animal, id: new LosslessNumber(String(Number(animal['id']))) })),
      ),
      { options: { animals: 0 } },
    ],
    'listed-ids-as-doubles': [
      'Listings write ids as doubles, so that the last digits of large ones are lost.',
      chain(large, onIds('listPets', asDouble)),
    ],
    'ids-as-doubles': [
      'Every answer writes ids as doubles, so that an animal is not found by the id that was told.',
      chain(
        large,
        onAnimals('all', (animal) => ({ ...animal, id: new LosslessNumber(String(Number(animal['id']))) })),
      ),
    ],
  }),
  ...flawsTurning(['pet-id-unique'], 'suites', {
    'created-ids-off-by-one': [
      'The answer to a creation tells the id after the animal’s own, where the counter stands by then.',
      onIds('createPet', (id) => id + 1n),
      BY_THE_FETCH_ALONE,
    ],
    'created-ids-off-by-one-in-empty-store': [
      'The answer to a creation tells the id after the animal’s own, in a store that is empty at the start.',
      onIds('createPet', (id) => id + 1n),
      { also: BY_THE_FETCH_ALONE, options: { animals: 0 } },
    ],
    'created-ids-negative': [
      'The answer to a creation tells the negative of the id, a number for the time being.',
      onIds('createPet', (id) => -id),
      BY_THE_FETCH_ALONE,
    ],
    'created-id-of-the-one-before': [
      'The answer to a creation tells the id of the animal before it.',
      onIds('createPet', (id) => id - 1n),
      BY_THE_FETCH_ALONE,
    ],
  }),
];

/** Changes the numbers of new animals: `numberOf` the nth new one, given the number of initial ones. */
function numberingNew(numberOf: (nth: number, start: number) => number): Change {
  return seams(({ operations, idOf }) => ({
    operations: {
      ...operations,
      createPet: (context) => {
        const { animals } = context.settings;
        return operations.createPet(renumbered(context, (nth) => idOf(numberOf(nth - animals, animals))));
      },
    },
  }));
}

/** Repeats the previous id for an animal without a status. */
function repeated(animal: Animal, latest: Animal | undefined): Animal {
  const repeats = animal.status === undefined && !isOriginal(animal) && latest !== undefined;
  return repeats ? { ...animal, id: latest.id } : animal;
}
