import { failing, fallingOver, instead } from '../changes/requests.js';
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
  sentMembers,
  UNNAMED,
} from '../changes/creations.js';
import { integerOf, isInt64, isNumber, isObject, type Json, member, readJson, textOf } from '../json.js';
import { flawsTurning } from '../registry.js';
import { STATUSES } from '../store.js';
import { isStatus } from '../operations.js';

/** First JSON value of a longer text. */
const firstValue = (text: string): Json | undefined => {
  const ends = [...text.matchAll(/\}/g)].map(({ index }) => index + 1);
  return ends.map((end) => readJson(text.slice(0, end))).find((value) => value !== undefined);
};

export const missingFieldFlaws = [
  ...flawsTurning('create-missing-field', 'suites', {
    'name-not-required: A creation without name is accepted, and the animal is called "unnamed".': accepting(
      'name',
      isMissing,
      'unnamed',
    ),
    'category-not-required: A creation without categoryId is accepted, and the category is 0, the zero of its type.':
      accepting('categoryId', isMissing, 0n),
    'empty-object-taken: A creation with {} is accepted: validation runs only for a body with members.': reading(
      (_text, value) => (isObject(value) && Object.keys(value).length === 0 ? UNNAMED : undefined),
    ),
    'missing-field-422: A creation that lacks a field is rejected with 422, the framework’s default.': refusingWith(
      422,
      (context) => lacks(context, 'name') || lacks(context, 'categoryId'),
    ),
    'missing-category-fails: A creation without categoryId returns 500, from the foreign key.': fallingOver(
      'createPet',
      (context) => lacks(context, 'categoryId'),
    ),
    'missing-name-409: A creation without name is rejected with 409.': refusingWith(
      409,
      (context) => lacks(context, 'name') && !lacks(context, 'categoryId'),
    ),
  }),
  ...flawsTurning('create-body-required', 'suites', {
    'missing-body-fails: A creation without a body returns 500.': fallingOver('createPet', isBodiless),
    'missing-body-415: A creation without a body is rejected with 415.': refusingWith(415, isBodiless),
    'missing-body-taken: A creation without a body creates an animal with only defaults.': reading((text) =>
      text.trim() === '' ? UNNAMED : undefined,
    ),
    'missing-body-422: A creation without a body is rejected with 422.': refusingWith(422, isBodiless),
  }),
  ...flawsTurning('create-malformed-json', 'suites', {
    'broken-json-fails: Broken JSON returns 500, because the parser’s error is not caught.': fallingOver(
      'createPet',
      isBroken,
    ),
    'broken-json-422: Broken JSON is rejected with 422.': refusingWith(422, isBroken),
    'trailing-text-taken: The JSON decoder stops after the first value, so further text is ignored.': reading(
      (text, value) => {
        const first = value === undefined ? firstValue(text) : undefined;
        return isObject(first) ? first : undefined;
      },
    ),
  }),
];

const INT64_MOST = 2n ** 63n - 1n;

/** Flaws of creations with invalid values. Accepted ones are stored as valid. */
export const invalidValueFlaws = flawsTurning('create-invalid-value', 'suites', {
  'name-null-taken: A name of null becomes the text "null".': accepting('name', isNull, 'null'),
  'name-number-taken: A number is converted to text and accepted as a name.': accepting('name', isNumber, (value) =>
    textOf(value),
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
    (value) => isNumber(value) && !isInt64(integerOf(value) ?? 0n),
    INT64_MOST,
  ),
  'category-beyond-int64-fails: A categoryId of 2^63 returns 500, from the database driver.': instead(
    'createPet',
    (context) => {
      const category = member(sentMembers(context), 'categoryId');
      return isNumber(category) && !isInt64(integerOf(category) ?? 0n) ? failing(context) : null;
    },
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
  'empty-array-taken: A body of [] is accepted as an empty record, as in languages that do not distinguish them.':
    reading((_text, value) => (Array.isArray(value) && value.length === 0 ? UNNAMED : undefined)),
  'fields-in-order-taken: An array with the fields in order is accepted, as by a record decoder’s default.': reading(
    (_text, value) => {
      if (!Array.isArray(value) || value.length < 2) return undefined;
      const [name, categoryId, status] = value as readonly Json[];
      return { name: name ?? null, categoryId: categoryId ?? null, ...(status === undefined ? {} : { status }) };
    },
  ),
  'string-body-taken: A body that is a string is accepted as the animal’s name.': reading((_text, value) =>
    typeof value === 'string' ? { ...UNNAMED, name: value } : undefined,
  ),
  'null-body-taken: A body of null creates an animal with only defaults.': reading((_text, value) =>
    value === null ? UNNAMED : undefined,
  ),
  'null-body-fails: A body of null returns 500, because null has no members.': fallingOver(
    'createPet',
    (context) => readJson(context.request.body) === null,
  ),
  'array-body-fails: A body that is an array returns 500, from a cast.': fallingOver('createPet', (context) =>
    Array.isArray(readJson(context.request.body)),
  ),
  'name-number-fails: A name that is a number returns 500, because it has no length.': fallingOver(
    'createPet',
    (context) => isNumber(member(sentMembers(context), 'name')),
  ),
  'invalid-value-422: A value of the wrong type is rejected with 422, although a missing one is rejected with 400.':
    refusingWith(422, hasAll),
  'unknown-status-422: A status outside the enumeration is rejected with 422.': refusingWith(
    422,
    (context) => hasAll(context) && isText(member(sentMembers(context), 'status')),
  ),
});
