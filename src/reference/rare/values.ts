import { fallingOver, seams } from '../changes/requests.js';
import { accepting, categoryAs, isBoolean, takingStatus } from '../changes/creations.js';
import { integerOf, isNumber, isObject, type Json, member, readJson } from '../json.js';
import { flawsBy, flawsTurning } from '../registry.js';

/** Flaws that accept names and statuses of wrong type or value. */
export const rareMembers = [
  ...flawsTurning('create-invalid-value', 'explore', {
    'name-array-taken: An array with one name is accepted as the name.': accepting('name', Array.isArray, 'Rex'),
    'name-object-taken: An object is accepted as a name.': accepting('name', isObject, '[object Object]'),
    'name-boolean-taken: A boolean is accepted as a name.': accepting('name', isBoolean, String),
    'two-mistakes-fall-over: Two mistakes in one body return 500, because their message cannot be built.': fallingOver(
      'createPet',
      ({ request, behaviour: { rules } }) => {
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
      },
    ),
  }),
  ...flawsBy('create-invalid-value', 'explore', takingStatus, {
    'status-array-taken: An array with one status is accepted, as by includes and ==.': (value) => Array.isArray(value),
    'status-object-taken: An object is accepted as a status.': isObject,
    'status-trimmed: Spaces around a status are ignored.': (value) =>
      typeof value === 'string' && value.trim() !== value && value.trim() === 'sold',
    'status-blank-is-none: An empty status counts as absent.': (value) =>
      typeof value === 'string' && value.trim() === '',
    'status-of-every-object-taken: Statuses are looked up in an object, so its built-in member names are accepted.': (
      value,
    ) => typeof value === 'string' && value in {},
    'status-beginning-taken: Only the first letters of a status are compared.': (value) =>
      typeof value === 'string' && /^(?:sol|solder|unsold)$/.test(value),
    'status-boolean-taken: A boolean is accepted as a status.': (value) => typeof value === 'boolean',
    'status-list-taken: Several statuses in one text are accepted.': (value) =>
      typeof value === 'string' && /[,|]/.test(value),
  }),
];

const categoryFallsOver = (test: (category: bigint) => boolean) =>
  fallingOver('createPet', ({ request, behaviour }) => {
    const body = readJson(request.body);
    const category = isObject(body) ? behaviour.rules.categoryId(member(body, 'categoryId')) : null;
    return category?.ok === true && test(category.value);
  });

const ONE = () => 1n;
const isIntegerText = (value: Json | undefined): boolean => isNumber(value) && integerOf(value) !== undefined;

/** Flaws of categories: changed values, and accepted invalid ones. */
export const rareCategories = [
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
    'category-largest-falls-over: The largest category overflows in a comparison with the next one.': (category) =>
      category === 2n ** 63n - 1n,
    'category-smallest-falls-over: The smallest category has no positive counterpart.': (category) =>
      category === -(2n ** 63n),
  }),
  ...flawsTurning('pet-shape', 'explore', {
    'category-gets-separators: Categories of six digits are written with a separator.': seams(({ renderAnimal }) => ({
      renderAnimal: (animal, context) => {
        const { categoryId } = animal;
        const rendered = renderAnimal(animal, context);
        return categoryId > 99_999n && categoryId < 1_000_000n
          ? { ...rendered, categoryId: `${categoryId / 1000n},${categoryId % 1000n}` }
          : rendered;
      },
    })),
  }),
  ...flawsTurning('create-invalid-value', 'explore', {
    'category-array-taken: An array is accepted as its first entry, as by loose conversion.': accepting(
      'categoryId',
      Array.isArray,
      ONE,
    ),
    'category-object-taken: An object is accepted as a category.': accepting('categoryId', isObject, ONE),
    'category-blank-taken: An empty text is accepted as category 0.': accepting(
      'categoryId',
      (value) => typeof value === 'string' && value.trim() === '',
      0n,
    ),
    'category-word-taken: A word is accepted as a category, as NaN.': accepting(
      'categoryId',
      (value) => typeof value === 'string' && /[a-z]/i.test(value),
      ONE,
    ),
    'category-beyond-2-64-wraps: Categories of 20 digits or more wrap around.': accepting(
      'categoryId',
      (value) => isNumber(value) && (integerOf(value) ?? 2n ** 70n) > 2n ** 63n && !value.value.includes('.'),
      ONE,
    ),
    'category-below-int64-wraps: Integers just beyond int64 wrap around at both ends.': accepting(
      'categoryId',
      (value) =>
        isIntegerText(value) && isNumber(value) && [2n ** 63n, -(2n ** 63n) - 1n].includes(integerOf(value) ?? 0n),
      ONE,
    ),
  }),
];
