import type { RequirementId } from '../../contract/types.js';
import type { Change, Context } from '../behaviour.js';
import { accepting, around, failing, isOperation, seams } from '../changes.js';
import { flawOf, type Flaw } from '../registry.js';
import { invalid, refused } from '../messages.js';
import type { Json } from '../json.js';

/** Rare flaws by name: a title, what is changed, and the requirements that may turn red as well. */
type Rare<Told> = Readonly<Record<string, readonly [title: string, told: Told, also?: readonly RequirementId[]]>>;

/** Flaws that show for one value, one order or one moment, and turn one requirement red, or some. */
export const rareOf = (turns: RequirementId | readonly RequirementId[], entries: Rare<Change>): readonly Flaw[] =>
  rareBy(turns, (change) => change, entries);

/** The same of flaws that are alike but for what makes a change of what is told of each. */
export const rareBy = <Told>(
  turns: RequirementId | readonly RequirementId[],
  changeOf: (told: Told) => Change,
  entries: Rare<Told>,
): readonly Flaw[] =>
  Object.entries(entries).map(([name, [title, told, also = []]]) =>
    flawOf('explore', name, { title, turns: [turns].flat(), change: changeOf(told), also }),
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
