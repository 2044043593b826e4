import type { Change, Context } from '../../reference/behaviour.js';
import { around, both, beforeKey, chain, fallingOver, on, type Test } from '../changes/requests.js';
import { late, seenAs } from '../changes/animals.js';
import {
  accepting,
  hasAll,
  isBodiless,
  isBoolean,
  isBroken,
  isMissing,
  isNull,
  isText,
  lacks,
  reading,
  refusingWith,
  sending,
  sentMembers,
  UNNAMED,
} from '../changes/creations.js';
import {
  integerOf,
  isInt64,
  isNumber,
  isObject,
  type Json,
  member,
  readJson,
  textOf,
} from '../../reference/json.js';
import { flawsBy, flawsTurning } from '../registry.js';
import { type Animal, STATUSES } from '../../reference/store.js';
import { isStatus } from '../../reference/operations.js';

const firstValue = (text: string): Json | undefined => {
  const ends = [...text.matchAll(/\}/g)].map(({ index }) => index + 1);
  return ends.map((end) => readJson(text.slice(0, end))).find((value) => value !== undefined);
};

const isArraySent: Test = ({ request }) => Array.isArray(readJson(request.body));

/** An animal left by a refused creation: these members replace the usual ones. */
type Left = Partial<Pick<Animal, 'name' | 'categoryId' | 'status' | 'id'>>;

const NEW_PET: Left = { name: 'New pet' };

const nameSent = (context: Context) => member(sentMembers(context), 'name');

function leaving(left: Left | ((context: Context) => Left), which: Test = () => true): Change {
  return around('createPet', (context, sound) => {
    const answer = sound(context);
    if (answer.status === 400 && which(context))
      leave(context, typeof left === 'function' ? left(context) : left);
    return answer;
  });
}

function leave({ store, request, behaviour }: Context, left: Left): void {
  const nth = store.all().length + 1;
  const id = left.id === undefined ? behaviour.idOf(nth) : left.id + BigInt(nth);
  store.add({ name: 'Draft', categoryId: 1n, status: undefined, addedAt: request.at, ...left, id });
}

const leavingOfStrangers = beforeKey('createPet', (context) => {
  leave(context, { name: 'Draft' });
  return null;
});

const crashing = (which: Test): Change => fallingOver('createPet', which);

const rejectedWith422 = (which: Test): Change => refusingWith(422, which);

const INT64_MOST = 2n ** 63n - 1n;

const isBeyondInt64 = (value: Json | undefined): boolean =>
  isNumber(value) && !isInt64(integerOf(value) ?? 0n);

/** Flaws of creations that must be refused. Accepted ones are stored as valid. */
export const refusedCreationFlaws = [
  ...flawsTurning('create-missing-field', 'suites', {
    'name-not-required: A creation without name is accepted, and the animal is called "unnamed".': accepting(
      'name',
      isMissing,
      'unnamed',
    ),
    'category-not-required: A creation without categoryId is accepted, and the category is 0, the zero of its type.':
      accepting('categoryId', isMissing, 0n),
    'empty-object-taken: A creation with {} is accepted: validation runs only for a body with members.':
      reading((_text, value) => (isObject(value) && Object.keys(value).length === 0 ? UNNAMED : undefined)),
    'missing-field-422: A creation that lacks a field is rejected with 422, the framework’s default.':
      rejectedWith422((context) => lacks(context, 'name') || lacks(context, 'categoryId')),
    'refused-creations-422: Every creation that must be refused is rejected with 422, broken JSON too.':
      rejectedWith422(() => true),
    'missing-category-fails: A creation without categoryId returns 500, from the foreign key.': crashing(
      (context) => lacks(context, 'categoryId'),
    ),
    'missing-name-409: A creation without name is rejected with 409.': refusingWith(
      409,
      (context) => lacks(context, 'name') && !lacks(context, 'categoryId'),
    ),
  }),
  ...flawsTurning('create-body-required', 'suites', {
    'missing-body-fails: A creation without a body returns 500.': crashing(isBodiless),
    'missing-body-415: A creation without a body is rejected with 415.': refusingWith(415, isBodiless),
    'missing-body-taken: A creation without a body creates an animal with only defaults.': reading((text) =>
      text.trim() === '' ? UNNAMED : undefined,
    ),
    'missing-body-422: A creation without a body is rejected with 422.': rejectedWith422(isBodiless),
  }),
  ...flawsTurning('create-malformed-json', 'suites', {
    'broken-json-fails: Broken JSON returns 500, because the parser’s error is not caught.':
      crashing(isBroken),
    'broken-json-422: Broken JSON is rejected with 422.': rejectedWith422(isBroken),
    'trailing-text-taken: The JSON decoder stops after the first value, so further text is ignored.': reading(
      (text, value) => {
        const first = value === undefined ? firstValue(text) : undefined;
        return isObject(first) ? first : undefined;
      },
    ),
  }),
  ...flawsTurning('create-invalid-value', 'suites', {
    'name-null-taken: A name of null becomes the text "null".': accepting('name', isNull, 'null'),
    'name-number-taken: A number is converted to text and accepted as a name.': accepting(
      'name',
      isNumber,
      textOf,
    ),
    'category-null-taken: A categoryId of null becomes 0.': accepting('categoryId', isNull, 0n),
    'category-string-taken: A text is converted to a number and accepted as a categoryId.': accepting(
      'categoryId',
      isText,
      (value) => BigInt(Number.parseInt(textOf(value), 10) || 0),
    ),
    'category-boolean-taken: true becomes the categoryId 1.': accepting('categoryId', isBoolean, (value) =>
      value === true ? 1n : 0n,
    ),
    'category-fraction-taken: A categoryId of 1.5 is cut to 1.': accepting(
      'categoryId',
      (value) => isNumber(value) && integerOf(value) === undefined && Number.isFinite(Number(value.value)),
      (value) => BigInt(Math.trunc(Number(textOf(value)))),
    ),
    'category-beyond-int64-taken: A categoryId of 2^63 becomes the largest one that fits.': accepting(
      'categoryId',
      isBeyondInt64,
      INT64_MOST,
    ),
    'status-unknown-taken: A status outside the enumeration is accepted and dropped.': accepting(
      'status',
      (value) => typeof value === 'string' && !isStatus(value.toLowerCase()),
      undefined,
    ),
    'status-in-capitals-taken: The enumeration ignores letter case, so SOLD is accepted.': accepting(
      'status',
      (value) => typeof value === 'string' && isStatus(value.toLowerCase()),
      (value) => STATUSES.find((status) => status === textOf(value).toLowerCase()),
    ),
    'status-null-taken: A status of null counts as absent.': accepting('status', isNull, undefined),
    'status-number-taken: A number is accepted as the status of that index.': accepting(
      'status',
      isNumber,
      (value) => STATUSES[Number(textOf(value))],
    ),
  }),
  ...flawsBy('create-invalid-value', 'suites', reading, {
    'empty-array-taken: A body of [] is accepted as an empty record, as in languages that do not distinguish them.':
      (_text, value) => (Array.isArray(value) && value.length === 0 ? UNNAMED : undefined),
    'fields-in-order-taken: An array with the fields in order is accepted, as by a record decoder’s default.':
      (_text, value) => {
        if (!Array.isArray(value) || value.length < 2) return undefined;
        const [name, categoryId, status] = value as readonly Json[];
        return {
          name: name ?? null,
          categoryId: categoryId ?? null,
          ...(status === undefined ? {} : { status }),
        };
      },
    'string-body-taken: A body that is a string is accepted as the animal’s name.': (_text, value) =>
      typeof value === 'string' ? { ...UNNAMED, name: value } : undefined,
    'null-body-taken: A body of null creates an animal with only defaults.': (_text, value) =>
      value === null ? UNNAMED : undefined,
  }),
  ...flawsBy('create-invalid-value', 'suites', crashing, {
    'category-beyond-int64-fails: A categoryId of 2^63 returns 500, from the database driver.': sending(
      'categoryId',
      isBeyondInt64,
    ),
    'null-body-fails: A body of null returns 500, because null has no members.': ({ request }) =>
      readJson(request.body) === null,
    'array-body-fails: A body that is an array returns 500, from a cast.': isArraySent,
    'name-number-fails: A name that is a number returns 500, because it has no length.': sending(
      'name',
      isNumber,
    ),
  }),
  ...flawsBy('create-invalid-value', 'suites', rejectedWith422, {
    'invalid-value-422: A value of the wrong type is rejected with 422, although a missing one is rejected with 400.':
      hasAll,
    'unknown-status-422: A status outside the enumeration is rejected with 422.': both(
      hasAll,
      sending('status', isText),
    ),
  }),
  ...flawsTurning('auth-before-work', 'suites', {
    'creation-kept-before-key: A creation is saved before the key is checked, and stays if the key is refused.':
      [
        beforeKey('createPet', (context) => {
          if (hasAll(context)) context.behaviour.operations.createPet(context);
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
    'refused-creation-leaves-unnamed: Every rejected creation leaves an animal with a default name.': NEW_PET,
    'refused-creation-leaves-empty-name: Every rejected creation leaves an animal with an empty name.': {
      name: '',
    },
    'refused-creation-leaves-available: Every rejected creation leaves an animal with a status.': {
      status: 'available',
    },
    'refused-creation-leaves-far-id: Every rejected creation leaves an animal with a distant id.': {
      id: 2n ** 40n,
    },
    'refused-creation-leaves-namesake: Every rejected creation leaves an animal with the name of another animal.':
      {
        name: 'Rex 1',
      },
  }),
  ...flawsBy('create-rejected-leaves-nothing', 'suites', (which: Test) => leaving(NEW_PET, which), {
    'refused-with-name-null-leaves-unnamed: A creation with name null is rejected, but leaves an animal without its own name.':
      (context) => nameSent(context) === null,
    'refused-without-category-leaves-unnamed: A rejected creation without category leaves an animal without its own name.':
      (context) => lacks(context, 'categoryId') && nameSent(context) !== undefined,
    'refused-in-broken-json-leaves-unnamed: A creation in broken json is rejected, but leaves an animal without its own name.':
      isBroken,
    'refused-as-array-leaves-unnamed: A creation as array is rejected, but leaves an animal without its own name.':
      isArraySent,
    'refused-without-body-leaves-unnamed: A creation without body is rejected, but leaves an animal without its own name.':
      isBodiless,
  }),
  ...flawsTurning('create-rejected-leaves-nothing', 'suites', {
    'refused-creation-leaves-animal-later: The animal of a rejected creation appears after a second, as every new animal.':
      chain(leaving(NEW_PET), late(1_000, on('listPets'))),
    'refused-creation-leaves-copy: A rejected creation adds the newest animal again.': [
      leaving(({ store }) => {
        const { name, categoryId, status } = store.all().at(-1) ?? {
          name: 'Draft',
          categoryId: 1n,
          status: undefined,
        };
        return { name, categoryId, status };
      }),
      // In a store without a whole listing, the copy may be the listing's fault.
      ['list-matches-created'],
    ],
    'refused-creation-leaves-animal-a-little-later: The animal of a rejected creation comes 150 ms later, others at once.':
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

function leavingNamesake(which: Test): Change {
  return leaving(
    (context) => ({ name: textOf(nameSent(context)) }),
    (context) => typeof nameSent(context) === 'string' && which(context),
  );
}
