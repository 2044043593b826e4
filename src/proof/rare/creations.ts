import type { Rule } from '../../reference/behaviour.js';
import { after, around, fallingOver, renumbered } from '../changes/requests.js';
import { setting } from '../changes/answers.js';
import {
  accepting,
  categoryAs,
  isBoolean,
  misreading,
  reading,
  refusingBodies,
  sentMembers,
  takingStatus,
  UNNAMED,
} from '../changes/creations.js';
import {
  integerOf,
  isNumber,
  isObject,
  type Json,
  type JsonObject,
  member,
  readJson,
  textOf,
} from '../../reference/json.js';
import { flawsBy, flawsTurning } from '../registry.js';

const categoryFallsOver = (test: (category: bigint) => boolean) =>
  fallingOver('createPet', (context) => {
    const category = context.behaviour.rules.categoryId(member(sentMembers(context), 'categoryId'));
    return category.ok && test(category.value);
  });

const takingCategory = (test: (value: Json | undefined) => boolean) => accepting('categoryId', test, 1n);

const wrapped = (value: Json | undefined): JsonObject | undefined => {
  const members = isObject(value) ? Object.values(value) : [];
  const [only] = members;
  return members.length === 1 && isObject(only) ? only : undefined;
};

const repaired = (repair: (text: string) => string) =>
  reading((text, value) => {
    if (value !== undefined) return undefined;
    const again = readJson(repair(text));
    return isObject(again) ? again : undefined;
  });

export const rareCreations = [
  ...flawsTurning('create-invalid-value', 'explore', {
    'name-array-taken: An array with one name is accepted as the name.': accepting(
      'name',
      Array.isArray,
      'Rex',
    ),
    'name-object-taken: An object is accepted as a name.': accepting('name', isObject, '[object Object]'),
    'name-boolean-taken: A boolean is accepted as a name.': accepting('name', isBoolean, String),
    'two-mistakes-fall-over: Two mistakes in one body return 500, because their message cannot be built.':
      fallingOver('createPet', (context) => {
        const body = sentMembers(context);
        const wrong = Object.entries(context.behaviour.rules).filter(
          ([name, rule]) => !(rule as Rule<unknown>)(member(body, name)).ok,
        );
        return (
          wrong.length >= 2 && ['name', 'categoryId', 'status'].every((name) => Object.hasOwn(body, name))
        );
      }),
  }),
  ...flawsBy('create-invalid-value', 'explore', takingStatus, {
    'status-array-taken: An array with one status is accepted, as by includes and ==.': (value) =>
      Array.isArray(value),
    'status-object-taken: An object is accepted as a status.': isObject,
    'status-trimmed: Spaces around a status are ignored.': (value) =>
      typeof value === 'string' && value.trim() !== value && value.trim() === 'sold',
    'status-blank-is-none: An empty status counts as absent.': (value) =>
      typeof value === 'string' && value.trim() === '',
    'status-of-every-object-taken: Statuses are looked up in an object, so its built-in member names are accepted.':
      (value) => typeof value === 'string' && value in {},
    'status-beginning-taken: Only the first letters of a status are compared.': (value) =>
      typeof value === 'string' && /^(?:sol|solder|unsold)$/.test(value),
    'status-digits-taken: Digits in quotes are accepted as the status of that index, as by Enum.Parse.': (
      value,
    ) => typeof value === 'string' && /^\d+$/.test(value),
    'status-boolean-taken: A boolean is accepted as a status.': (value) => typeof value === 'boolean',
    'status-list-taken: Several statuses in one text are accepted.': (value) =>
      typeof value === 'string' && /[,|]/.test(value),
  }),
  ...flawsBy('created-pet-echo', 'explore', categoryAs, {
    'category-0-is-1: Category 0 counts as absent and becomes the default.': (category) => category || 1n,
    'category-loses-its-sign: A negative category loses its sign.': [
      (category) => (category < 0n && category > -(2n ** 53n) ? -category : category),
      ['pet-int64'],
    ],
    'category-ends-at-2-31: Categories from 2^31 to 2^33 become 2^31-1.': (category) =>
      category >= 2n ** 31n && category < 2n ** 33n ? 2n ** 31n - 1n : category,
  }),
  ...flawsTurning('pet-int64', 'explore', {
    'category-of-many-digits-is-rounded: Categories of 18 digits or more are stored as doubles.': [
      categoryAs((category) => {
        const kept = BigInt(Number(category));
        return category >= 10n ** 17n && kept < 2n ** 63n ? kept : category;
      }),
      ['created-pet-echo'],
    ],
  }),
  ...flawsBy('declared-status', 'explore', categoryFallsOver, {
    'category-largest-falls-over: The largest category overflows in a comparison with the next one.': (
      category,
    ) => category === 2n ** 63n - 1n,
    'category-smallest-falls-over: The smallest category has no positive counterpart.': (category) =>
      category === -(2n ** 63n),
  }),
  ...flawsTurning('pet-shape', 'explore', {
    'category-gets-separators: Categories of six digits are written with a separator.': after(
      'renderAnimal',
      (animal, { categoryId }) =>
        categoryId > 99_999n && categoryId < 1_000_000n
          ? { ...animal, categoryId: `${categoryId / 1000n},${categoryId % 1000n}` }
          : animal,
    ),
  }),
  ...flawsTurning('create-invalid-value', 'explore', {
    'category-blank-taken: An empty text is accepted as category 0.': accepting(
      'categoryId',
      (value) => typeof value === 'string' && value.trim() === '',
      0n,
    ),
  }),
  ...flawsBy('create-invalid-value', 'explore', takingCategory, {
    'category-array-taken: An array is accepted as its first entry, as by loose conversion.': Array.isArray,
    'category-object-taken: An object is accepted as a category.': isObject,
    'category-word-taken: A word is accepted as a category, as NaN.': (value) =>
      typeof value === 'string' && /[a-z]/i.test(value),
    'category-beyond-2-64-wraps: Categories of 20 digits or more wrap around.': (value) =>
      isNumber(value) && (integerOf(value) ?? 2n ** 70n) > 2n ** 63n && !value.value.includes('.'),
    'category-below-int64-wraps: Integers just beyond int64 wrap around at both ends.': (value) =>
      isNumber(value) && [2n ** 63n, -(2n ** 63n) - 1n].includes(integerOf(value) ?? 0n),
  }),
  ...flawsTurning('create-invalid-value', 'explore', {
    'body-of-no-object-falls-over: A body that is a number or a boolean is read as if it had members.':
      fallingOver('createPet', ({ request }) => {
        const body = readJson(request.body);
        return isNumber(body) || typeof body === 'boolean';
      }),
    'bare-number-taken: A body that is a number becomes an animal of that category.': reading(
      (_text, value) => (isNumber(value) ? { ...UNNAMED, name: 'Rex' } : undefined),
    ),
    'array-of-one-taken: An array of one animal is accepted as the animal.': reading((_text, value) =>
      Array.isArray(value) && value.length === 1 && isObject(value[0]) ? value[0] : undefined,
    ),
  }),
  ...flawsBy('create-missing-field', 'explore', reading, {
    'wrapped-animal-taken: An animal nested one level too deep is accepted.': (_text, value) =>
      wrapped(value),
    'like-member-taken: Members with similar names are accepted as the category.': (_text, value) =>
      isObject(value) &&
      !Object.hasOwn(value, 'categoryId') &&
      (Object.hasOwn(value, 'category') || Object.hasOwn(value, 'category_id'))
        ? { ...value, categoryId: UNNAMED['categoryId'] ?? null }
        : isObject(value) && Object.hasOwn(value, 'petName')
          ? { ...value, name: 'Rex' }
          : undefined,
  }),
  ...flawsBy('create-malformed-json', 'explore', repaired, {
    'trailing-comma-taken: A comma before the closing brace is accepted.': (text) =>
      text.replace(/,\s*\}/, '}'),
    'comments-taken: Comments in JSON are accepted.': (text) => text.replace(/\/\*.*?\*\//s, ''),
    'raw-line-break-taken: A raw line break inside a text is accepted.': (text) =>
      text.replaceAll('\n', '\\n'),
    'leading-noughts-taken: Numbers with a leading zero are accepted.': (text) =>
      text.replace(/:0(\d)/, ':$1'),
  }),
  ...flawsTurning('create-malformed-json', 'explore', {
    'second-object-overlooked: Text after the first JSON object is ignored.': reading((text, value) => {
      if (value !== undefined || !/\}\s*[{}1]/.test(text)) return undefined;
      const first = readJson(text.slice(0, text.indexOf('}') + 1));
      return isObject(first) ? first : undefined;
    }),
  }),
  ...flawsTurning('create-ok', 'explore', {
    'escaped-members-unknown: Member names written with escapes are not recognised.': [
      refusingBodies((text) => text.startsWith('{"\\u'), 'name is required'),
      ['declared-status', 'create-each-status', 'create-status-optional'],
    ],
    'blanks-before-json-refused: A body that starts with a space is rejected.': [
      refusingBodies((text) => /^\s+\{/.test(text), 'the request body is not JSON'),
      ['declared-status', 'create-each-status', 'create-status-optional'],
    ],
  }),
  ...flawsBy('created-pet-echo', 'explore', misreading, {
    'status-before-name-ignored: A status before the name is read too early and lost.': (body, text) =>
      text.startsWith('{"status"') ? setting('status', undefined)(body) : body,
    'escaped-name-kept-raw: A name written with escapes is stored with the escapes.': (body, text) => {
      const raw = /"name":"(\\u[^"]*)"/.exec(text)?.[1];
      return raw === undefined ? body : { ...body, name: raw };
    },
  }),
  ...flawsTurning('pet-id-unique', 'explore', {
    'own-id-taken: The id in a creation is used, even if another animal has it.': [
      around('createPet', (context, sound) => {
        const body = sentMembers(context);
        const id = textOf(member(body, 'id') ?? member(body, '_id'));
        return sound(/^-?\d+$/.test(id) ? renumbered(context, () => BigInt(id)) : context);
      }),
      ['list-matches-created', 'get-matches-created', 'list-matches-get', 'get-ok'],
    ],
  }),
];
