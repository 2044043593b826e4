import type { Change, Context } from '../../reference/behaviour.js';
import {
  CREATED,
  anew,
  around,
  both,
  changed,
  counted,
  failing,
  fallingOver,
  type Handler,
  rehearsing,
  seams,
} from '../changes/requests.js';
import { answeredWith, emptying } from '../changes/answers.js';
import { onField, onNames } from '../changes/animals.js';
import {
  categoryAs,
  isMissing,
  keptAs,
  refusing,
  ruling,
  sending,
  sendingStatus,
  sentMembers,
} from '../changes/creations.js';
import { isObject, member, readJson, textOf } from '../../reference/json.js';
import { errorAnswer, invalid, refused } from '../../reference/messages.js';
import { flawsBy, flawsTurning } from '../registry.js';
import type { Animal } from '../../reference/store.js';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escapedForHtml = (name: string) => name.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

const isAstral = (name: string) => /[\u{10000}-\u{10ffff}]/u.test(name);

/** First creations that succeed: a row judges the response of each. */
const EARLY = 5;

const later = (operation: Handler): Change =>
  counted(
    'createPet',
    (count, context, sound) => (count > EARLY ? operation(context, sound) : sound(context)),
    (context) =>
      isComplete(context) && context.behaviour.rules.status(member(sentMembers(context), 'status')).ok,
  );

/** Rejects the first creation after each rejected one. */
const keepingErrors: Change = anew(() => {
  let isSpoilt = false;
  return around('createPet', (context, sound) => {
    const answer = isSpoilt ? errorAnswer(invalid('name is missing')) : sound(context);
    isSpoilt = !isSpoilt && answer.status === 400;
    return answer;
  });
});

const FEW = { options: { animals: 3 } };

const withoutStatus = sending('status', isMissing);

/** Flaws of creations that must succeed. */
export const creatingFlaws = [
  ...flawsTurning('create-ok', 'suites', {
    'created-with-200: A creation returns 200.': answeredWith(CREATED, 200),
    'created-with-202: A creation returns 202 Accepted, because it goes through a queue.': answeredWith(
      CREATED,
      202,
    ),
    'created-with-see-other: A creation returns a redirect to the new animal, as after a form.': emptying(
      CREATED,
      303,
      '/v1/pets',
    ),
    'names-with-digits-refused: A name with a digit is rejected with 400.': refusing(
      ({ name }) => /\d/.test(name),
      'the name is not valid',
    ),
    'creation-fails: Every creation returns 500: a column was renamed.': [
      fallingOver('createPet', isComplete),
      ['declared-status'],
    ],
  }),
  ...flawsTurning('declared-status', 'suites', {
    'later-creations-fail: The sixth and each later creation returns 500.': [
      later((context, sound) => (sound(rehearsing(context)).status === 201 ? failing : sound(context))),
      FEW,
    ],
  }),
  ...flawsTurning('create-status-optional', 'suites', {
    'status-required: A creation without status is rejected.': ruling('status', (value, rule) =>
      value === undefined ? refused(invalid('status is required')) : rule(value),
    ),
    'creation-without-status-fails: A creation without status returns 500, because of an unexpected null.':
      fallingOver('createPet', both(isComplete, withoutStatus)),
    'creation-without-status-answers-200: A creation without status returns 200.': answeredWith(
      both(CREATED, withoutStatus),
      200,
    ),
  }),
  ...flawsTurning('create-each-status', 'suites', {
    'creation-as-pending-refused: A creation with status pending is rejected: only orders may set it.':
      refusingStatus('pending'),
    'creation-as-sold-refused: A creation with status sold is rejected.': refusingStatus('sold'),
    'creation-as-sold-available: An animal created as sold is stored as available.': [
      ruling('status', (value, rule) => rule(value === 'sold' ? 'available' : value)),
      ['created-pet-echo'],
    ],
    'creation-as-pending-answers-200: A creation with status pending returns 200.': answeredWith(
      both(CREATED, sendingStatus('pending')),
      200,
    ),
    'created-status-dropped: The response to a creation lacks the status, although it is stored.': [
      onField('createPet', 'status', undefined),
      ['created-pet-echo'],
    ],
  }),
  ...flawsTurning('created-pet-echo', 'suites', {
    'later-creations-misnamed: The response to the sixth and each later creation has the name of an animal from a pool.':
      [later((context, sound) => sound(changed(context, onField('createPet', 'name', 'Rex')))), FEW],
    'names-escaped-in-created: Names are escaped for HTML only in the response to a creation.': onNames(
      'createPet',
      escapedForHtml,
    ),
    'wide-categories-lose-status: A category beyond 2^32 is stored by other code, which drops the animal’s status.':
      seams(({ keep, renderAnimal }) => ({
        keep: (animal) => keep(onThatPath(animal)),
        renderAnimal: (animal, context) => renderAnimal(onThatPath(animal), context),
      })),
    'ordinary-categories-lost: Small categories are looked up in a table, not found, and stored as 0.':
      categoryAs((category) => (category < 1_000n ? 0n : category)),
  }),
  ...flawsBy('created-pet-echo', 'suites', keptAs, {
    'names-escaped-for-html: Names are escaped for HTML when they are stored.': escapedForHtml,
    'names-stripped-of-tags: Names lose everything that looks like HTML.': (name) =>
      name.replace(/[<>&]/g, ''),
    'names-with-quotes-doubled: Quotes in names get a backslash, which is stored.': (name) =>
      name.replace(/["']/g, String.raw`\$&`),
    'names-cut-at-64: Names are cut at 64 characters, the width of their column.': (name) =>
      name.slice(0, 64),
    'names-cut-at-99: Names are cut at 99 characters, one short of their column.': (name) =>
      name.slice(0, 99),
    'names-in-latin-1: Characters beyond Latin-1 become question marks in names.': (name) =>
      name.replace(/[\u0100-\u{10ffff}]/gu, '?'),
    'names-without-astral-characters: Names lose characters of four UTF-8 bytes, in a column of three-byte UTF-8.':
      (name) => name.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd'),
    'names-decomposed: Names are normalised to NFD by the file system that stores them.': (name) =>
      name.normalize('NFD'),
    'names-double-encoded: The request is read as Latin-1, so names come back with two characters for each accented letter.':
      (name) => Buffer.from(name, 'utf8').toString('latin1'),
    'created-name-in-capitals: Names are stored in capitals.': (name) => name.toUpperCase(),
    'created-name-in-small-letters: Names are stored in small letters.': (name) => name.toLowerCase(),
    'names-with-blanks-collapsed: Several spaces in a row become one in names.': (name) =>
      name.replace(/ +/g, ' '),
  }),
  ...flawsTurning({ turns: ['create-ok'], also: ['created-pet-echo'] }, 'suites', {
    'emoji-fails: A name with an emoji returns 500.': fallingOver(
      'createPet',
      sending('name', (name) => isAstral(textOf(name))),
    ),
    'emoji-refused: A name with an emoji is rejected with 400.': refusing(
      ({ name }) => isAstral(name),
      'name has characters that are not allowed',
    ),
  }),
  ...flawsTurning('create-ok', 'suites', {
    'categories-after-the-first-refused: Only animals of the first category can be added.': refusing(
      ({ categoryId }) => categoryId > 1n,
      'the category is not valid',
    ),
    'long-names-of-sold-refused: A long name is rejected for an animal created as sold, but not for others.':
      refusing(
        ({ name, status }) => status === 'sold' && name.length > 64,
        'sold animals go to the archive, whose names are short',
      ),
    'creation-after-rejected-one-rejected: A creation is rejected after another one, whose errors the validator keeps.':
      [keepingErrors, FEW],
  }),
];

function isComplete({ request, behaviour: { rules } }: Context): boolean {
  const body = readJson(request.body);
  return (
    isObject(body) && rules.name(member(body, 'name')).ok && rules.categoryId(member(body, 'categoryId')).ok
  );
}

function refusingStatus(status: string): Change {
  const problem = invalid(`an animal cannot be created as ${status}`);
  return ruling('status', (value, rule) => (value === status ? refused(problem) : rule(value)));
}

function onThatPath(animal: Animal): Animal {
  return animal.categoryId > 2n ** 32n ? { ...animal, status: undefined } : animal;
}
