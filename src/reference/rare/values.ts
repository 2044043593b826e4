import { accepting, seams } from '../changes.js';
import { integerOf, isNumber, isObject, member, type Json, type JsonObject, readJson } from '../json.js';
import { invalid, refused } from '../messages.js';
import { reading } from '../flaws/_creations.js';
import { fallingOver, rareOf, takingStatus } from './_rare.js';

/** Keeps some categories as others. */
const categoryAs = (alter: (category: bigint) => bigint) =>
  seams(({ rules }) => ({
    rules: {
      ...rules,
      categoryId: (value) => {
        const category = rules.categoryId(value);
        return category.ok ? { ok: true, value: alter(category.value) } : category;
      },
    },
  }));

const categoryFallsOver = (test: (category: bigint) => boolean) =>
  fallingOver('createPet', ({ request, behaviour }) => {
    const body = readJson(request.body);
    const category = isObject(body) ? behaviour.rules.categoryId(member(body, 'categoryId')) : null;
    return category?.ok === true && test(category.value);
  });

const ONE = () => 1n;
const isIntegerText = (value: Json | undefined): boolean => isNumber(value) && integerOf(value) !== undefined;

/** The single member of an object that is an object itself. */
const wrapped = (value: Json | undefined): JsonObject | undefined => {
  const members = isObject(value) ? Object.values(value) : [];
  const [only] = members;
  return members.length === 1 && isObject(only) ? only : undefined;
};

/** A text without what strict JSON does not have, read again. */
const repaired = (repair: (text: string) => string) =>
  reading((text, value) => {
    if (value !== undefined) return undefined;
    const again = readJson(repair(text));
    return isObject(again) ? again : undefined;
  });

/** Numbers and members that some layer takes for something else, and wrong ones that one layer lets pass. */
export const rareValues = rareOf([
  [
    'category-0-is-1',
    'Category 0 counts as none and becomes the default.',
    'created-pet-echo',
    categoryAs((category) => category || 1n),
  ],
  [
    'category-loses-its-sign',
    'A negative category loses its sign.',
    'created-pet-echo',
    categoryAs((category) => (category < 0n && category > -(2n ** 53n) ? -category : category)),
    ['pet-int64'],
  ],
  [
    'category-ends-at-2-31',
    'Categories from 2^31 to 2^33 become 2^31-1.',
    'created-pet-echo',
    categoryAs((category) => (category >= 2n ** 31n && category < 2n ** 33n ? 2n ** 31n - 1n : category)),
  ],
  [
    'category-of-many-digits-is-rounded',
    'Categories of 18 digits and more are kept as doubles.',
    'pet-int64',
    categoryAs((category) => {
      const kept = BigInt(Number(category));
      return category >= 10n ** 17n && kept < 2n ** 63n ? kept : category;
    }),
    ['created-pet-echo'],
  ],
  [
    'category-largest-falls-over',
    'The largest category overflows when the next is looked at.',
    'declared-status',
    categoryFallsOver((category) => category === 2n ** 63n - 1n),
  ],
  [
    'category-smallest-falls-over',
    'The smallest category has no positive counterpart.',
    'declared-status',
    categoryFallsOver((category) => category === -(2n ** 63n)),
  ],
  [
    'category-gets-separators',
    'Categories of six digits are written with a separator.',
    'pet-shape',
    seams(({ renderAnimal }) => ({
      renderAnimal: (animal, context) => {
        const { categoryId } = animal;
        const rendered = renderAnimal(animal, context);
        return categoryId > 99_999n && categoryId < 1_000_000n
          ? { ...rendered, categoryId: `${categoryId / 1000n},${categoryId % 1000n}` }
          : rendered;
      },
    })),
  ],
  [
    'category-array-taken',
    'An array is taken for its first entry, as loose conversion does.',
    'create-invalid-value',
    accepting('categoryId', (value) => Array.isArray(value), ONE),
  ],
  [
    'category-object-taken',
    'An object is taken for a category.',
    'create-invalid-value',
    accepting('categoryId', isObject, ONE),
  ],
  [
    'category-blank-taken',
    'An empty text is taken for category 0.',
    'create-invalid-value',
    accepting(
      'categoryId',
      (value) => typeof value === 'string' && value.trim() === '',
      () => 0n,
    ),
  ],
  [
    'category-word-taken',
    'A word is taken for a category, as NaN.',
    'create-invalid-value',
    accepting('categoryId', (value) => typeof value === 'string' && /[a-z]/i.test(value), ONE),
  ],
  [
    'category-beyond-2-64-wraps',
    'Categories of 20 digits and more wrap around.',
    'create-invalid-value',
    accepting(
      'categoryId',
      (value) => isNumber(value) && (integerOf(value) ?? 2n ** 70n) > 2n ** 63n && !value.value.includes('.'),
      ONE,
    ),
  ],
  [
    'category-below-int64-wraps',
    'Integers just beyond int64 wrap around on either side.',
    'create-invalid-value',
    accepting(
      'categoryId',
      (value) =>
        isIntegerText(value) && isNumber(value) && [2n ** 63n, -(2n ** 63n) - 1n].includes(integerOf(value) ?? 0n),
      ONE,
    ),
  ],
  [
    'name-array-taken',
    'An array of a name is taken for the name.',
    'create-invalid-value',
    accepting(
      'name',
      (value) => Array.isArray(value),
      () => 'Rex',
    ),
  ],
  [
    'name-object-taken',
    'An object is taken for a name.',
    'create-invalid-value',
    accepting('name', isObject, () => '[object Object]'),
  ],
  [
    'name-boolean-taken',
    'A boolean is taken for a name.',
    'create-invalid-value',
    accepting('name', (value) => typeof value === 'boolean', String),
  ],
  [
    'status-array-taken',
    'An array of a status is taken, as includes and == do.',
    'create-invalid-value',
    takingStatus((value) => Array.isArray(value)),
  ],
  ['status-object-taken', 'An object is taken for a status.', 'create-invalid-value', takingStatus(isObject)],
  [
    'status-trimmed',
    'Blanks around a status are overlooked.',
    'create-invalid-value',
    takingStatus((value) => typeof value === 'string' && value.trim() !== value && value.trim() === 'sold'),
  ],
  [
    'status-blank-is-none',
    'An empty status counts as left out.',
    'create-invalid-value',
    takingStatus((value) => typeof value === 'string' && value.trim() === ''),
  ],
  [
    'status-of-every-object-taken',
    'Statuses are looked up in an object, which has members of its own.',
    'create-invalid-value',
    takingStatus((value) => typeof value === 'string' && value in {}),
  ],
  [
    'status-beginning-taken',
    'Of a status the first letters are compared.',
    'create-invalid-value',
    takingStatus((value) => typeof value === 'string' && /^(?:sol|solder|unsold)$/.test(value)),
  ],
  [
    'status-boolean-taken',
    'A boolean is taken for a status.',
    'create-invalid-value',
    takingStatus((value) => typeof value === 'boolean'),
  ],
  [
    'status-list-taken',
    'Several statuses in one text are taken.',
    'create-invalid-value',
    takingStatus((value) => typeof value === 'string' && /[,|]/.test(value)),
  ],
  [
    'two-mistakes-fall-over',
    'The message about two mistakes at once falls over.',
    'create-invalid-value',
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
  [
    'wrapped-animal-taken',
    'An animal that stands one level too deep is taken.',
    'create-missing-field',
    reading((_text, value) => wrapped(value)),
  ],
  [
    'array-of-one-taken',
    'An array of one animal is taken for the animal.',
    'create-invalid-value',
    reading((_text, value) =>
      Array.isArray(value) && value.length === 1 && isObject(value[0]) ? value[0] : undefined,
    ),
  ],
  [
    'like-member-taken',
    'Members of like names are taken for the category.',
    'create-missing-field',
    reading((_text, value) =>
      isObject(value) &&
      !Object.hasOwn(value, 'categoryId') &&
      (Object.hasOwn(value, 'category') || Object.hasOwn(value, 'category_id'))
        ? { ...value, categoryId: member(readJson('{"categoryId":1}') as JsonObject, 'categoryId') ?? null }
        : isObject(value) && Object.hasOwn(value, 'petName')
          ? { ...value, name: 'Rex' }
          : undefined,
    ),
  ],
  [
    'trailing-comma-taken',
    'A comma before the closing brace is taken.',
    'create-malformed-json',
    repaired((text) => text.replace(/,\s*\}/, '}')),
  ],
  [
    'comments-taken',
    'Comments in JSON are taken.',
    'create-malformed-json',
    repaired((text) => text.replace(/\/\*.*?\*\//s, '')),
  ],
  [
    'raw-line-break-taken',
    'A raw line break inside a text is taken.',
    'create-malformed-json',
    repaired((text) => text.replaceAll('\n', '\\n')),
  ],
  [
    'leading-noughts-taken',
    'Numbers with a nought before are taken.',
    'create-malformed-json',
    repaired((text) => text.replace(/:0(\d)/, ':$1')),
  ],
  [
    'second-object-overlooked',
    'What follows the first JSON object is overlooked.',
    'create-malformed-json',
    reading((text, value) => {
      if (value !== undefined || !/\}\s*[{}1]/.test(text)) return undefined;
      const first = readJson(text.slice(0, text.indexOf('}') + 1));
      return isObject(first) ? first : undefined;
    }),
  ],
  [
    'escaped-members-unknown',
    'Members whose names are written with escapes are not known.',
    'create-ok',
    seams(({ readBody }) => ({
      readBody: (text) => (text.startsWith('{"\\u') ? refused(invalid('name is required')) : readBody(text)),
    })),
    ['declared-status', 'create-each-status', 'create-status-optional'],
  ],
  [
    'blanks-before-json-refused',
    'A body that begins with a blank is refused.',
    'create-ok',
    seams(({ readBody }) => ({
      readBody: (text) => (/^\s+\{/.test(text) ? refused(invalid('the request body is not JSON')) : readBody(text)),
    })),
    ['declared-status', 'create-each-status', 'create-status-optional'],
  ],
  [
    'status-before-name-ignored',
    'A status that stands before the name is read too early and lost.',
    'created-pet-echo',
    seams(({ readBody }) => ({
      readBody: (text) => {
        const body = readBody(text);
        if (!body.ok || !text.startsWith('{"status"')) return body;
        const { status: _status, ...rest } = body.value;
        return { ok: true, value: rest };
      },
    })),
  ],
  [
    'escaped-name-kept-raw',
    'A name that is written with escapes is kept as it was written.',
    'created-pet-echo',
    seams(({ readBody }) => ({
      readBody: (text) => {
        const body = readBody(text);
        const raw = /"name":"(\\u[^"]*)"/.exec(text)?.[1];
        return body.ok && raw !== undefined ? { ok: true, value: { ...body.value, name: raw } } : body;
      },
    })),
  ],
  [
    'own-id-taken',
    'The id that a creation brings along is taken, whoever has it.',
    'pet-id-unique',
    seams(({ operations, readBody, idOf }) => ({
      operations: {
        ...operations,
        createPet: (context) => {
          const body = readBody(context.request.body);
          const id = body.ok ? (member(body.value, 'id') ?? member(body.value, '_id')) : undefined;
          const given = isNumber(id)
            ? integerOf(id)
            : typeof id === 'string' && /^\d+$/.test(id)
              ? BigInt(id)
              : undefined;
          return operations.createPet({
            ...context,
            behaviour: { ...context.behaviour, idOf: (nth) => given ?? idOf(nth) },
          });
        },
      },
    })),
    ['list-matches-created', 'get-matches-created', 'list-matches-get', 'get-ok'],
  ],
]);
