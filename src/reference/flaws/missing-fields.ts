import { accepting, failing, instead } from '../changes.js';
import { isObject, readJson, type Json } from '../json.js';
import { flawsTurning } from '../registry.js';
import { isBodiless, isBroken, lacks, reading, refusingWith, UNNAMED } from './_creations.js';

/** The first JSON value of a text that goes on after it. */
const firstValue = (text: string): Json | undefined => {
  const ends = [...text.matchAll(/\}/g)].map(({ index }) => index + 1);
  return ends.map((end) => readJson(text.slice(0, end))).find((value) => value !== undefined);
};

/** Mistakes about creations that lack something. */
export const missingFieldFlaws = [
  ...flawsTurning(['create-missing-field'], 'suites', {
    'name-not-required': {
      title: 'A creation without name is taken, and the animal is called "unnamed".',
      change: accepting(
        'name',
        (value) => value === undefined,
        () => 'unnamed',
      ),
    },
    'category-not-required': {
      title: 'A creation without categoryId is taken, and the category is 0, the zero of its type.',
      change: accepting(
        'categoryId',
        (value) => value === undefined,
        () => 0n,
      ),
    },
    'empty-object-taken': {
      title: 'A creation with {} is taken: validation runs only when there is a member to look at.',
      change: reading((_text, value) => (isObject(value) && Object.keys(value).length === 0 ? UNNAMED : undefined)),
    },
    'missing-field-422': {
      title: 'A creation that lacks a field is refused with 422, the default of the framework.',
      change: refusingWith(422, (context) => lacks(context, 'name') || lacks(context, 'categoryId')),
    },
    'missing-category-fails': {
      title: 'A creation without categoryId ends in 500, on the foreign key.',
      change: instead('createPet', (context) => (lacks(context, 'categoryId') ? failing(context) : null)),
    },
    'missing-name-409': {
      title: 'A creation without name is refused with 409.',
      change: refusingWith(409, (context) => lacks(context, 'name') && !lacks(context, 'categoryId')),
    },
  }),
  ...flawsTurning(['create-body-required'], 'suites', {
    'missing-body-fails': {
      title: 'A creation without a body ends in 500.',
      change: instead('createPet', (context) => (isBodiless(context) ? failing(context) : null)),
    },
    'missing-body-415': {
      title: 'A creation without a body is refused with 415.',
      change: refusingWith(415, isBodiless),
    },
    'missing-body-taken': {
      title: 'A creation without a body makes an animal of nothing but defaults.',
      change: reading((text) => (text.trim() === '' ? UNNAMED : undefined)),
    },
    'missing-body-422': {
      title: 'A creation without a body is refused with 422.',
      change: refusingWith(422, isBodiless),
    },
  }),
  ...flawsTurning(['create-malformed-json'], 'suites', {
    'broken-json-fails': {
      title: 'Broken JSON ends in 500, because nobody catches what the parser throws.',
      change: instead('createPet', (context) => (isBroken(context) ? failing(context) : null)),
    },
    'broken-json-422': {
      title: 'Broken JSON is refused with 422.',
      change: refusingWith(422, isBroken),
    },
    'trailing-text-taken': {
      title: 'The JSON decoder stops after the first value, so that whatever follows is overlooked.',
      change: reading((text, value) => {
        const first = value === undefined ? firstValue(text) : undefined;
        return isObject(first) ? first : undefined;
      }),
    },
  }),
];
