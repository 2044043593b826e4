import { accepting } from '../changes.js';
import { isObject, member, readJson } from '../json.js';
import { fallingOver, rareBy, rareOf, takingStatus } from './_rare.js';

/** Names and statuses of another type or value, which one layer lets pass. */
export const rareMembers = [
  ...rareOf('create-invalid-value', {
    'name-array-taken': [
      'An array of a name is taken for the name.',
      accepting(
        'name',
        (value) => Array.isArray(value),
        () => 'Rex',
      ),
    ],
    'name-object-taken': ['An object is taken for a name.', accepting('name', isObject, () => '[object Object]')],
    'name-boolean-taken': [
      'A boolean is taken for a name.',
      accepting('name', (value) => typeof value === 'boolean', String),
    ],
    'two-mistakes-fall-over': [
      'The message about two mistakes at once falls over.',
      fallingOver('createPet', ({ request, behaviour: { rules } }) => {
        const body = readJson(request.body);
        if (!isObject(body)) return false;
        const wrong = [
          rules.name(member(body, 'name')),
          rules.categoryId(member(body, 'categoryId')),
          rules.status(member(body, 'status')),
        ].filter(({ ok }) => !ok);
        return (
          wrong.length >= 2 && ['name', 'categoryId', 'status'].filter((name) => Object.hasOwn(body, name)).length === 3
        );
      }),
    ],
  }),
  ...rareBy('create-invalid-value', takingStatus, {
    'status-array-taken': ['An array of a status is taken, as includes and == do.', (value) => Array.isArray(value)],
    'status-object-taken': ['An object is taken for a status.', isObject],
    'status-trimmed': [
      'Blanks around a status are overlooked.',
      (value) => typeof value === 'string' && value.trim() !== value && value.trim() === 'sold',
    ],
    'status-blank-is-none': [
      'An empty status counts as left out.',
      (value) => typeof value === 'string' && value.trim() === '',
    ],
    'status-of-every-object-taken': [
      'Statuses are looked up in an object, which has members of its own.',
      (value) => typeof value === 'string' && value in {},
    ],
    'status-beginning-taken': [
      'Of a status the first letters are compared.',
      (value) => typeof value === 'string' && /^(?:sol|solder|unsold)$/.test(value),
    ],
    'status-boolean-taken': ['A boolean is taken for a status.', (value) => typeof value === 'boolean'],
    'status-list-taken': [
      'Several statuses in one text are taken.',
      (value) => typeof value === 'string' && /[,|]/.test(value),
    ],
  }),
];
