import { accepting, failing, instead, sentMembers } from '../changes.js';
import { integerOf, isInt64, isNumber, member, readJson, textOf, type Json } from '../json.js';
import { isStatus } from '../reading.js';
import { flawsTurning } from '../registry.js';
import { STATUSES } from '../store.js';
import { hasAll, isText, reading, refusingWith, UNNAMED } from './_creations.js';

const INT64_MOST = 2n ** 63n - 1n;

/** Mistakes about creations with values of the wrong kind. What is taken is kept in the right shape. */
export const invalidValueFlaws = flawsTurning(['create-invalid-value'], 'suites', {
  'name-null-taken': {
    title: 'A name of null is taken for the text "null".',
    change: accepting(
      'name',
      (value) => value === null,
      () => 'null',
    ),
  },
  'name-number-taken': {
    title: 'A number is turned into a text and taken for a name.',
    change: accepting('name', isNumber, (value) => textOf(value)),
  },
  'category-null-taken': {
    title: 'A categoryId of null is taken for 0.',
    change: accepting(
      'categoryId',
      (value) => value === null,
      () => 0n,
    ),
  },
  'category-string-taken': {
    title: 'A text is turned into a number and taken for a categoryId.',
    change: accepting('categoryId', isText, (value) => BigInt(Number.parseInt(textOf(value), 10) || 0)),
  },
  'category-boolean-taken': {
    title: 'true is taken for the categoryId 1.',
    change: accepting(
      'categoryId',
      (value) => typeof value === 'boolean',
      (value) => (value === true ? 1n : 0n),
    ),
  },
  'category-fraction-taken': {
    title: 'A categoryId of 1.5 is cut to 1.',
    change: accepting(
      'categoryId',
      (value) => isNumber(value) && integerOf(value) === undefined && Number.isFinite(Number(value.value)),
      (value) => BigInt(Math.trunc(Number(textOf(value)))),
    ),
  },
  'category-beyond-int64-taken': {
    title: 'A categoryId of 2^63 is taken for the greatest that fits.',
    change: accepting(
      'categoryId',
      (value) => isNumber(value) && !isInt64(integerOf(value) ?? 0n),
      () => INT64_MOST,
    ),
  },
  'category-beyond-int64-fails': {
    title: 'A categoryId of 2^63 ends in 500, where the driver binds it.',
    change: instead('createPet', (context) => {
      const category = member(sentMembers(context), 'categoryId');
      return isNumber(category) && !isInt64(integerOf(category) ?? 0n) ? failing(context) : null;
    }),
  },
  'status-unknown-taken': {
    title: 'A status outside the enumeration is taken and forgotten.',
    change: accepting(
      'status',
      (value) => typeof value === 'string' && !isStatus(value.toLowerCase()),
      () => undefined,
    ),
  },
  'status-in-capitals-taken': {
    title: 'The enumeration is read without regard to letter case, so that SOLD is taken.',
    change: accepting(
      'status',
      (value) => typeof value === 'string' && isStatus(value.toLowerCase()),
      (value) => STATUSES.find((status) => status === textOf(value).toLowerCase()),
    ),
  },
  'status-null-taken': {
    title: 'A status of null is taken as if it were left out.',
    change: accepting(
      'status',
      (value) => value === null,
      () => undefined,
    ),
  },
  'status-number-taken': {
    title: 'A number is taken for the status of that index.',
    change: accepting('status', isNumber, (value) => STATUSES[Number(textOf(value))]),
  },
  'empty-array-taken': {
    title: 'A body of [] is taken for an empty record, as in languages where the two are one.',
    change: reading((_text, value) => (Array.isArray(value) && value.length === 0 ? UNNAMED : undefined)),
  },
  'fields-in-order-taken': {
    title: 'An array with the fields in order is taken, as a record decoder does by default.',
    change: reading((_text, value) => {
      if (!Array.isArray(value) || value.length < 2) return undefined;
      const [name, categoryId, status] = value as readonly Json[];
      return { name: name ?? null, categoryId: categoryId ?? null, ...(status === undefined ? {} : { status }) };
    }),
  },
  'string-body-taken': {
    title: 'A body that is a string is taken for the name of the animal.',
    change: reading((_text, value) => (typeof value === 'string' ? { ...UNNAMED, name: value } : undefined)),
  },
  'null-body-taken': {
    title: 'A body of null is taken for an animal with nothing but defaults.',
    change: reading((_text, value) => (value === null ? UNNAMED : undefined)),
  },
  'null-body-fails': {
    title: 'A body of null ends in 500, since null is asked for its members.',
    change: instead('createPet', (context) => (readJson(context.request.body) === null ? failing(context) : null)),
  },
  'array-body-fails': {
    title: 'A body that is an array ends in 500, in a cast.',
    change: instead('createPet', (context) =>
      Array.isArray(readJson(context.request.body)) ? failing(context) : null,
    ),
  },
  'name-number-fails': {
    title: 'A name that is a number ends in 500, where its length is asked for.',
    change: instead('createPet', (context) =>
      isNumber(member(sentMembers(context), 'name')) ? failing(context) : null,
    ),
  },
  'invalid-value-422': {
    title: 'A value of the wrong kind is refused with 422, though a missing one is refused with 400.',
    change: refusingWith(422, hasAll),
  },
  'unknown-status-422': {
    title: 'A status outside the enumeration is refused with 422.',
    change: refusingWith(422, (context) => hasAll(context) && isText(member(sentMembers(context), 'status'))),
  },
});
