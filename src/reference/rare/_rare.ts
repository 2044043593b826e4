import type { RequirementId } from '../../contract/types.js';
import type { Change, Context } from '../behaviour.js';
import { accepting, around, failing, isOperation, seams } from '../changes.js';
import { flawOf, type Flaw } from '../registry.js';
import { invalid, refused } from '../messages.js';
import type { Json } from '../json.js';

/** A flaw that shows for one value, one order or one moment, as a line of a table. */
export type Rare = readonly [
  name: string,
  title: string,
  turns: RequirementId | readonly RequirementId[],
  change: Change,
  also?: readonly RequirementId[],
];

/** Rare flaws, what is usual filled in. */
export const rareOf = (entries: readonly Rare[]): readonly Flaw[] =>
  entries.map(([name, title, turns, change, also = []]) =>
    flawOf('explore', name, { title, turns: typeof turns === 'string' ? [turns] : turns, change, also }),
  );

/** Writes some names as another value. */
export const shownAs = (alter: (name: string) => Json): Change =>
  seams(({ renderAnimal }) => ({
    renderAnimal: (animal, context) => ({ ...renderAnimal(animal, context), name: alter(animal.name) }),
  }));

/** Refuses creations with some names. */
export const refusingNames = (test: (name: string) => boolean): Change =>
  seams(({ rules }) => ({
    rules: {
      ...rules,
      name: (value) =>
        typeof value === 'string' && test(value) ? refused(invalid('name is required')) : rules.name(value),
    },
  }));

/** Falls over where a test says so, of callers with a key. */
export const fallingOver = (
  operation: 'listPets' | 'createPet' | 'getPet',
  test: (context: Context) => boolean,
): Change =>
  around(operation, (context, sound) =>
    isOperation(context, operation) && test(context) ? failing(context) : sound(context),
  );

/** Falls over creations with some names. */
export const fallingOverNames = (test: (name: string) => boolean): Change =>
  seams(({ operations, readBody, rules }) => ({
    operations: {
      ...operations,
      createPet: (context) => {
        const body = readBody(context.request.body);
        const name = body.ok ? rules.name(Object.hasOwn(body.value, 'name') ? body.value['name'] : undefined) : body;
        return name.ok && test(name.value) ? failing(context) : operations.createPet(context);
      },
    },
  }));

/** Takes a status that is none. */
export const takingStatus = (test: (value: Json | undefined) => boolean): Change =>
  accepting(
    'status',
    (value) => value !== undefined && test(value),
    () => undefined,
  );
