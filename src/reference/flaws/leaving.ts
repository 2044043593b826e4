import type { Change, Context } from '../behaviour.js';
import { around, chain, early, isStrangers, on } from '../changes/requests.js';
import { late, seenAs } from '../changes/animals.js';
import { hasAll, isBodiless, isBroken, lacks, sentMembers } from '../changes/creations.js';
import { member, readJson, textOf } from '../json.js';
import { flawsBy, flawsTurning } from '../registry.js';
import type { Animal } from '../store.js';

/** An animal left by a refused creation: these members replace the usual ones. */
type Left = Partial<Pick<Animal, 'name' | 'categoryId' | 'status' | 'id'>>;

type Test = (context: Context) => boolean;

const UNNAMED: Left = { name: 'New pet' };

const nameSent = (context: Context) => member(sentMembers(context), 'name');

/** Stores an additional animal for some refused creations. */
function leaving(left: Left | ((context: Context) => Left), which: Test = () => true): Change {
  return around('createPet', (context, sound) => {
    const answer = sound(context);
    if (answer.status === 400 && which(context)) leave(context, typeof left === 'function' ? left(context) : left);
    return answer;
  });
}

function leave({ store, request, behaviour }: Context, left: Left): void {
  const nth = store.all().length + 1;
  const id = left.id === undefined ? behaviour.idOf(nth) : left.id + BigInt(nth);
  store.add({ name: 'Draft', categoryId: 1n, status: undefined, addedAt: request.at, ...left, id });
}

const leavingOfStrangers: Change = early((context) => {
  if (isStrangers(context, 'createPet')) leave(context, { name: 'Draft' });
  return null;
});

/** Flaws of refused creations that leave something. */
export const leavingFlaws = [
  ...flawsTurning('auth-before-work', 'suites', {
    'creation-kept-before-key: A creation is saved before the key is checked, and stays if the key is refused.': [
      early((context) => {
        if (isStrangers(context, 'createPet') && hasAll(context)) context.behaviour.operations.createPet(context);
        return null;
      }),
      { options: { animals: 150 } },
    ],
  }),
  ...flawsBy('create-rejected-leaves-nothing', 'suites', leavingNamesake, {
    'refused-status-leaves-animal: The animal is saved before its status is validated, so a rejection leaves it in the store.':
      (context) => hasAll(context) && member(sentMembers(context), 'status') !== undefined,
    'refused-category-leaves-animal: The animal is saved before its category is checked, without a transaction around both.':
      (context) => !lacks(context, 'name'),
  }),
  ...flawsBy('create-rejected-leaves-nothing', 'suites', (left: Left) => leaving(left), {
    'refused-creation-leaves-unnamed: Every rejected creation leaves an animal with a default name.': UNNAMED,
    'refused-creation-leaves-empty-name: Every rejected creation leaves an animal with an empty name.': { name: '' },
    'refused-creation-leaves-available: Every rejected creation leaves an animal with a status.': {
      status: 'available',
    },
    'refused-creation-leaves-far-id: Every rejected creation leaves an animal with a distant id.': { id: 2n ** 40n },
    'refused-creation-leaves-namesake: Every rejected creation leaves an animal with the name of another animal.': {
      name: 'Rex 1',
    },
  }),
  ...flawsBy('create-rejected-leaves-nothing', 'suites', (which: Test) => leaving(UNNAMED, which), {
    'refused-with-name-null-leaves-unnamed: A creation with name null is rejected, but leaves an animal without its own name.':
      (context) => nameSent(context) === null,
    'refused-without-category-leaves-unnamed: A creation without category is rejected, but leaves an animal without its own name.':
      (context) => lacks(context, 'categoryId') && nameSent(context) !== undefined,
    'refused-in-broken-json-leaves-unnamed: A creation in broken json is rejected, but leaves an animal without its own name.':
      isBroken,
    'refused-as-array-leaves-unnamed: A creation as array is rejected, but leaves an animal without its own name.': ({
      request,
    }) => Array.isArray(readJson(request.body)),
    'refused-without-body-leaves-unnamed: A creation without body is rejected, but leaves an animal without its own name.':
      isBodiless,
  }),
  ...flawsTurning('create-rejected-leaves-nothing', 'suites', {
    'refused-creation-leaves-animal-later: The animal left by a rejected creation appears after a second, as every new animal does.':
      chain(leaving(UNNAMED), late(1_000, on('listPets'))),
    'refused-creation-leaves-copy: A rejected creation adds the newest animal again.': [
      leaving(({ store }) => {
        const { name, categoryId, status } = store.all().at(-1) ?? { name: 'Draft', categoryId: 1n, status: undefined };
        return { name, categoryId, status };
      }),
      // In a store without a whole listing, the copy may be the listing's fault.
      ['list-matches-created'],
    ],
    'refused-creation-leaves-animal-a-little-later: A worker adds the animal of a rejected creation 150 ms later, although other creations are immediate.':
      chain(
        leaving({ name: 'Leftover' }),
        seenAs((animal, { request }) =>
          animal.name === 'Leftover' && animal.addedAt + 150 > request.at ? undefined : animal,
        ),
      ),
  }),
  ...flawsTurning('auth-before-work', 'suites', {
    'strangers-leave-unnamed: A draft with its own name is saved before the key is checked, and stays if the key is refused.':
      leavingOfStrangers,
  }),
  ...flawsTurning(['auth-before-work', 'create-rejected-leaves-nothing'], 'suites', {
    'everybody-leaves-unnamed: A draft with its own name is saved before any check, and always stays.': [
      chain(leavingOfStrangers, leaving({ name: 'Draft' })),
      {
        // So few that all leftovers fit on one page.
        options: { animals: 3 },
      },
    ],
  }),
];

/** Stores an animal with the sent name for some refused creations. */
function leavingNamesake(which: Test): Change {
  return leaving(
    (context) => ({ name: textOf(nameSent(context)) }),
    (context) => typeof nameSent(context) === 'string' && which(context),
  );
}
