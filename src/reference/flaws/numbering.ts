import { isOperation, isOriginal, seams } from '../changes.js';
import { flawsOf } from '../registry.js';
import { CREATING, FETCHING } from '../rows.js';
import type { Animal } from '../store.js';

/** Animals of the start that fill more pages than a run reads. */
const LARGE = 2000;
/** Animals of the start that fit on one page. */
const FEW = 48;
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
    options: { animals: FEW },
    change: seams(({ idOf }) => ({ idOf: (nth) => idOf(nth > FEW ? nth - FEW : nth) })),
  },
  {
    name: 'ids-drawn-again',
    title: 'Ids for new animals are drawn from blocks of five, and the first block is used twice.',
    turns: ['pet-id-unique'],
    // So large that no listing shows two animals of one id.
    options: { animals: LARGE },
    change: seams(({ idOf }) => ({ idOf: (nth) => idOf(nth > LARGE + BLOCK ? nth - BLOCK : nth) })),
  },
]);

/** The animal with the id of the one before it, where it has no status. */
function repeated(animal: Animal, latest: Animal | undefined): Animal {
  const repeats = animal.status === undefined && !isOriginal(animal) && latest !== undefined;
  return repeats ? { ...animal, id: latest.id } : animal;
}
