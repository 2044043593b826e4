import { LosslessNumber } from 'lossless-json';
import type { Change } from '../behaviour.js';
import { chain, isOperation, renumbered, seams } from '../changes/requests.js';
import { isOriginal, onAnimals, onIntegers } from '../changes/animals.js';
import { flawsTurning } from '../registry.js';
import type { Animal } from '../store.js';
import type { OperationName, RequirementId } from '../../contract/types.js';

/** Initial animals that fill more pages than a run reads. */
const LARGE = 2000;
/** Ids drawn together. */
const BLOCK = 5;

/** Large ids above 2^53, whose last digits a double loses. */
const large = seams({ idOf: (nth) => 2n ** 60n + BigInt(nth) * 1_000_003n });

/** Changes the ids in responses of one operation. */
const onIds = (operation: OperationName, alter: (id: bigint) => bigint): Change => onIntegers(operation, 'id', alter);

const asDouble = (id: bigint): bigint => BigInt(Number(id));

/** If no listing shows a new animal, only the fetch shows that its id is wrong. */
const BY_THE_FETCH_ALONE: readonly RequirementId[] = ['get-matches-created'];

/** Flaws of new ids. */
export const numberingFlaws = [
  ...flawsTurning('pet-id-unique', 'suites', {
    'creation-without-status-repeats-id: A creation without status is handled by other code, which assigns no new id.':
      [
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
    'created-ids-begin-again: Created animals get ids from 1 on, which animals of the start already have.': [
      numberingNew((nth) => nth),
      ['list-shows-created'],
    ],
    'ids-drawn-again: Ids for new animals come in blocks of five, and the first block is used twice.': [
      numberingNew((nth, start) => start + (nth > BLOCK ? nth - BLOCK : nth)),
      {
        // So large that no listing shows two animals with one id.
        options: { animals: LARGE },
      },
    ],
  }),
  ...flawsTurning('pet-int64', 'suites', {
    'created-ids-as-doubles: The response to a creation has its id as a double, so a large one loses its last digits.':
      chain(large, onIds('createPet', asDouble)),
    'created-ids-as-doubles-in-empty-store: The response to a creation has its id as a double, and no other response shows any animal.':
      [
        chain(
          large,
          onAnimals('createPet', (animal) => ({ ...animal, id: new LosslessNumber(String(Number(animal['id']))) })),
        ),
        { options: { animals: 0 } },
      ],
    'listed-ids-as-doubles: Listings write ids as doubles, so large ones lose their last digits.': chain(
      large,
      onIds('listPets', asDouble),
    ),
    'ids-as-doubles: Every response has ids as doubles, so no animal is found by the id in a response.': chain(
      large,
      onAnimals('all', (animal) => ({ ...animal, id: new LosslessNumber(String(Number(animal['id']))) })),
    ),
  }),
  ...flawsTurning('pet-id-unique', 'suites', {
    'created-ids-off-by-one: The response to a creation has the next id, to which the counter has already moved.': [
      onIds('createPet', (id) => id + 1n),
      BY_THE_FETCH_ALONE,
    ],
    'created-ids-off-by-one-in-empty-store: The response to a creation has the next id, in a store that starts empty.':
      [onIds('createPet', (id) => id + 1n), { also: BY_THE_FETCH_ALONE, options: { animals: 0 } }],
    'created-ids-negative: The response to a creation has the negated id, as a temporary number.': [
      onIds('createPet', (id) => -id),
      BY_THE_FETCH_ALONE,
    ],
    'created-id-of-the-one-before: The response to a creation has the id of the animal before it.': [
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
