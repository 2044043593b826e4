import { isOperation, isOriginal, seams } from '../changes.js';
import type { Change } from '../behaviour.js';
import { flawsOf } from '../registry.js';
import { CREATING, FETCHING } from '../rows.js';
import type { Animal } from '../store.js';

/** Animals of the start that fill more pages than a run reads. */
const LARGE = 2000;
/** Ids that are drawn at a time. */
const BLOCK = 5;

/** Mistakes about the ids that new animals get. */
export const numberingFlaws = flawsOf('suites', [
  {
    name: 'creation-without-status-repeats-id',
    title: 'A creation without status takes another path, which does not draw a new id.',
    turns: ['pet-id-unique'],
    also: ['pet-int64', 'get-matches-created', 'list-shows-created'],
    clouds: [...CREATING, ...FETCHING],
    change: seams(({ renderAnimal, keep }) => {
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
  },
  {
    name: 'created-ids-begin-again',
    title: 'Animals that are created get ids from 1 on, which those of the start have already.',
    turns: ['pet-id-unique'],
    also: ['list-shows-created'],
    clouds: [...CREATING, ...FETCHING],
    change: numberingNew((nth) => nth),
  },
  {
    name: 'ids-drawn-again',
    title: 'Ids for new animals are drawn from blocks of five, and the first block is used twice.',
    turns: ['pet-id-unique'],
    // So large that no listing shows two animals of one id.
    options: { animals: LARGE },
    change: numberingNew((nth, start) => start + (nth > BLOCK ? nth - BLOCK : nth)),
  },
]);

/** Gives new animals other numbers than those that follow the last: `numberOf` the nth new one, given how many there were at the start. */
function numberingNew(numberOf: (nth: number, start: number) => number): Change {
  return seams(({ operations, idOf }) => ({
    operations: {
      ...operations,
      createPet: (context) => {
        const { animals } = context.settings;
        const renumbered = (nth: number) => idOf(numberOf(nth - animals, animals));
        return operations.createPet({ ...context, behaviour: { ...context.behaviour, idOf: renumbered } });
      },
    },
  }));
}

/** The animal with the id of the one before it, where it has no status. */
function repeated(animal: Animal, latest: Animal | undefined): Animal {
  const repeats = animal.status === undefined && !isOriginal(animal) && latest !== undefined;
  return repeats ? { ...animal, id: latest.id } : animal;
}
