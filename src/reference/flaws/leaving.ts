import type { Change, Context } from '../behaviour.js';
import {
  around,
  chain,
  early,
  hasAll,
  isBodiless,
  isBroken,
  isStrangers,
  lacks,
  late,
  on,
  seenAs,
  sentMembers,
} from '../changes.js';
import { member, readJson } from '../json.js';
import { flawsOf } from '../registry.js';
import type { Animal } from '../store.js';

/** An animal left by a refused creation: these members replace the usual ones. */
type Left = Partial<Pick<Animal, 'name' | 'categoryId' | 'status' | 'id'>>;

const NAMES: readonly (readonly [what: string, name: string, animal: Left])[] = [
  ['unnamed', 'with a default name', { name: 'New pet' }],
  ['empty-name', 'with an empty name', { name: '' }],
  ['available', 'with a status', { name: 'Draft', status: 'available' }],
  ['far-id', 'with a distant id', { name: 'Draft', id: 2n ** 40n }],
  ['namesake', 'with the name of another animal', { name: 'Rex 1' }],
];

const nameSent = (context: Context) => member(sentMembers(context), 'name');

const KINDS: readonly (readonly [what: string, which: (context: Context) => boolean])[] = [
  ['with-name-null', (context) => nameSent(context) === null],
  ['without-category', (context) => lacks(context, 'categoryId') && nameSent(context) !== undefined],
  ['in-broken-json', isBroken],
  ['as-array', ({ request }) => Array.isArray(readJson(request.body))],
  ['without-body', isBodiless],
];

/** Stores an additional animal for some refused creations. */
function leaving(left: Left | ((context: Context) => Left), which: (context: Context) => boolean = () => true): Change {
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
export const leavingFlaws = flawsOf('suites', {
  'creation-kept-before-key': [
    'auth-before-work',
    'A creation is saved before the key is checked, and stays if the key is refused.',
    early((context) => {
      if (isStrangers(context, 'createPet') && hasAll(context)) context.behaviour.operations.createPet(context);
      return null;
    }),
    { options: { animals: 150 } },
  ],
  'refused-status-leaves-animal': [
    'create-rejected-leaves-nothing',
    'The animal is saved before its status is validated, so a rejection leaves it in the store.',
    leavingAnimal((context) => hasAll(context) && member(sentMembers(context), 'status') !== undefined),
  ],
  'refused-category-leaves-animal': [
    'create-rejected-leaves-nothing',
    'The animal is saved before its category is checked, without a transaction around both.',
    leavingAnimal((context) => !lacks(context, 'name')),
  ],
  ...Object.fromEntries(
    NAMES.map(([what, name, animal]) => [
      `refused-creation-leaves-${what}`,
      ['create-rejected-leaves-nothing', `Every rejected creation leaves an animal ${name}.`, leaving(animal)],
    ]),
  ),
  ...Object.fromEntries(
    KINDS.map(([what, which]) => [
      `refused-${what}-leaves-unnamed`,
      [
        'create-rejected-leaves-nothing',
        `A creation ${what.replaceAll('-', ' ')} is rejected, but leaves an animal without its own name.`,
        leaving({ name: 'New pet' }, which),
      ],
    ]),
  ),
  'refused-creation-leaves-animal-later': [
    'create-rejected-leaves-nothing',
    'The animal left by a rejected creation appears after a second, as every new animal does.',
    chain(leaving({ name: 'New pet' }), late(1_000, on('listPets'))),
  ],
  'refused-creation-leaves-copy': [
    'create-rejected-leaves-nothing',
    'A rejected creation adds the newest animal again.',
    leaving(({ store }) => {
      const { name, categoryId, status } = store.all().at(-1) ?? { name: 'Draft', categoryId: 1n, status: undefined };
      return { name, categoryId, status };
    }),
    // In a store without a whole listing, the copy may be the listing's fault.
    ['list-matches-created'],
  ],
  'refused-creation-leaves-animal-a-little-later': [
    'create-rejected-leaves-nothing',
    'A worker adds the animal of a rejected creation 150 ms later, although other creations are immediate.',
    chain(
      leaving({ name: 'Leftover' }),
      seenAs((animal, { request }) =>
        animal.name === 'Leftover' && animal.addedAt + 150 > request.at ? undefined : animal,
      ),
    ),
  ],
  'strangers-leave-unnamed': [
    'auth-before-work',
    'A draft with its own name is saved before the key is checked, and stays if the key is refused.',
    leavingOfStrangers,
  ],
  'everybody-leaves-unnamed': [
    ['auth-before-work', 'create-rejected-leaves-nothing'],
    'A draft with its own name is saved before any check, and always stays.',
    chain(leavingOfStrangers, leaving({ name: 'Draft' })),
    {
      // So few that all leftovers fit on one page.
      options: { animals: 3 },
    },
  ],
});

/** Stores a valid animal for some refused creations. */
function leavingAnimal(which: (context: Context) => boolean): Change {
  return around('createPet', (context, sound) => {
    const answer = sound(context);
    const { name } = sentMembers(context);
    const { store, request, behaviour } = context;
    if (answer.status === 400 && typeof name === 'string' && which(context)) {
      const id = behaviour.idOf(store.all().length + 1);
      store.add({ id, name, categoryId: 1n, status: undefined, addedAt: request.at });
    }
    return answer;
  });
}
