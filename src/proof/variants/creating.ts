import type { Change } from '../../reference/behaviour.js';
import { CREATED, adding, after, around, chain, counted, on, seams } from '../changes/requests.js';
import { headed, setting } from '../changes/answers.js';
import { isOriginal, late, onAnimals, seenAs } from '../changes/animals.js';
import { keptAs, refusing, ruling } from '../changes/creations.js';
import { refusingHeaders } from '../changes/keys.js';
import { integerOf, isNumber, isObject, type JsonObject, member, readJson } from '../../reference/json.js';
import { errorAnswer, invalid, type Problem, read, refused } from '../../reference/messages.js';
import { SUITES, variantsBy, variantsOf } from '../registry.js';
import { isStatus } from '../../reference/operations.js';

const UNSUPPORTED: Problem = {
  status: 415,
  code: 'unsupported_media_type',
  message: 'the request body must be application/json',
};

const KNOWN_MEMBERS = ['name', 'categoryId', 'status'];

const unknownMembers = (body: JsonObject) =>
  Object.entries(body).filter(([name]) => !KNOWN_MEMBERS.includes(name));

const names = (
  test: (name: string) => boolean,
  problem: Problem | string = 'the name is not valid',
): Change => refusing(({ name }) => test(name), problem);

const lengthOf = (name: string): number => Array.from(name).length;

/** Freedom in creations, and for exploring: unspecified and late behaviour. */
export const creatingVariants = [
  ...variantsBy(
    'suites',
    (test: Parameters<typeof refusing>[0]) => refusing(test, 'no such category'),
    {
      'closed-categories: A category must exist: only those of the animals of the start do.': (
        { categoryId },
        _body,
        { store },
      ) => !store.all().some((animal) => animal.categoryId === categoryId),
      'categories-within-int32: Categories above 2^31 do not exist and are rejected.': ({ categoryId }) =>
        categoryId >= 2n ** 31n || categoryId < 0n,
      'categories-above-0: A category of 0 or less does not exist and is rejected with 400.': ({
        categoryId,
      }) => categoryId <= 0n,
    },
    { clouds: ['pet-int64'] },
  ),
  ...variantsBy(
    'suites',
    (shift: bigint) =>
      chain(
        seenAs((animal) =>
          isOriginal(animal) ? { ...animal, categoryId: animal.categoryId + shift } : animal,
        ),
        refusing(
          ({ categoryId }, _body, { store }) =>
            !store.all().some((animal) => isOriginal(animal) && animal.categoryId + shift === categoryId),
          'no such category',
        ),
      ),
    {
      'closed-categories-of-many-digits: A category must exist, and all have 18 digits or more.': 10n ** 18n,
      'closed-categories-below-0: A category must exist, and all are negative.': -100n,
    },
    { clouds: ['pet-int64'] },
  ),
  ...variantsBy('suites', (test: (name: string) => boolean) => names(test), {
    'names-of-eighty-at-most: A name of more than 80 characters is rejected with 400.': (name) =>
      lengthOf(name) > 80,
    'control-characters-refused: A name with a control character is rejected with 400.': (name) =>
      /\p{Cc}/u.test(name),
    'nul-refused: A name with a NUL is rejected with 400.': (name) => name.includes('\0'),
    'nothing-but-text-taken: A name with a control, format or unassigned character gets 400; joined emoji are allowed.':
      (name) => /[\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cn}]|[\u200b\u202e\u00ad\ufeff]/u.test(name),
    'outer-blanks-refused: A name with spaces around it is rejected with 400.': (name) =>
      name !== name.trim(),
  }),
  ...variantsOf('suites', {
    'long-names-refused: A name of more than 64 characters is rejected with 400.': names(
      (name) => lengthOf(name) > 64,
      'name is too long',
    ),
    'names-of-fifty-at-most: A name of more than 50 characters is rejected with 400.': names(
      (name) => lengthOf(name) > 50,
      'name is too long',
    ),
    'names-of-twenty-at-most: A name of more than 20 characters is rejected with 400.': [
      names((name) => lengthOf(name) > 20, 'name is too long'),
      { expect: 'inconclusive', clouds: SUITES },
    ],
    'default-status-in-reads-only: An animal created without a status gets one, which the response to its creation lacks.':
      chain(
        ruling('status', (value, rule) => (value === undefined ? read('available') : rule(value))),
        onAnimals('createPet', (animal, { request, behaviour }) => {
          const body = behaviour.readBody(request.body);
          return body.ok && body.value['status'] === undefined
            ? setting('status', undefined)(animal)
            : animal;
        }),
      ),
    'empty-name-refused: An empty name is rejected with 400.': names(
      (name) => name.trim() === '',
      'name is empty',
    ),
    'unknown-members-refused: A creation with an undeclared member is rejected with 400.': refusing(
      (_animal, body) => unknownMembers(body).length > 0,
      'a member is not known',
    ),
    'unknown-members-kept: A creation’s further members come back in its response.': onAnimals(
      'createPet',
      (animal, { request, behaviour }) => {
        const body = behaviour.readBody(request.body);
        return body.ok ? { ...Object.fromEntries(unknownMembers(body.value)), ...animal } : animal;
      },
    ),
    'integers-without-point: 1.0 and 1e0 are rejected as integers.': ruling('categoryId', (value, rule) =>
      isNumber(value) && integerOf(value) !== undefined && !/^-?\d+$/.test(value.value)
        ? refused(invalid('categoryId must be written without a point'))
        : rule(value),
    ),
    'media-type-ignored: A creation is read as JSON with any Content-Type.': seams({
      mediaTypeProblem: () => undefined,
    }),
    'media-type-required: A creation without a Content-Type is rejected with 415.': after(
      'mediaTypeProblem',
      (problem, type) => (type === undefined ? UNSUPPORTED : problem),
    ),
    'media-type-400: A creation with another media type is rejected with 400.': after(
      'mediaTypeProblem',
      (problem) => problem && { ...UNSUPPORTED, status: 400 },
    ),
    'location-on-201: The response to a creation has the new animal’s address in Location.': headed(CREATED, [
      'Location',
      '/v1/pets/1',
    ]),
    'large-bodies-queued: A creation with a body of more than 32 KiB goes through a queue and returns 202.':
      around('createPet', (context, sound) => {
        const answer = sound(context);
        return answer.status === 201 && context.request.body.length > 32_768
          ? { ...answer, status: 202, body: { kind: 'none' } }
          : answer;
      }),
    'long-name-422: A name of more than 200 characters is rejected with 422.': names(
      (name) => lengthOf(name) > 200,
      {
        status: 422,
        code: 'too_long',
        message: 'the name is too long',
      },
    ),
    'long-name-413: A name of more than 255 characters is rejected with 413.': names(
      (name) => lengthOf(name) > 255,
      {
        status: 413,
        code: 'too_large',
        message: 'the body is too large',
      },
    ),
    'empty-name-422: A name that is empty or has only spaces is rejected with 422.': names(
      (name) => name.trim() === '',
      {
        status: 422,
        code: 'empty',
        message: 'the name is empty',
      },
    ),
    'outer-blanks-trimmed: Spaces around a name are removed.': keptAs((name) => name.trim()),
    'own-ids-refused: A creation with an id is rejected with 400.': refusing(
      (_animal, body) => Object.hasOwn(body, 'id') || Object.hasOwn(body, '_id'),
      'the service assigns ids',
    ),
    'last-member-wins: The last of two equal members counts.': after('readBody', (body, text) => {
      if (body.ok) return body;
      const once = readJson(text.replace(/"name":"Rex",(?=.*"name":"Twice")/, ''));
      return isObject(once) && member(once, 'name') === 'Twice' ? read(once) : body;
    }),
    'ids-in-paths-decoded: Percent-encoded ids are decoded.': seams(({ readId }) => ({
      readId: (text) => {
        try {
          return readId(decodeURIComponent(text));
        } catch {
          return readId(text);
        }
      },
    })),
    'ids-read-leniently: Only the digits at the start of an id count.': seams(({ readId }) => ({
      readId: (text) => readId(/^-?\d{1,19}/.exec(text)?.[0] ?? text),
    })),
    'limits-read-leniently: Only the digits at the start of a limit count; a limit without any is ignored.':
      seams(({ readLimit }) => ({
        readLimit: (text) =>
          text === null || /^\d+$/.test(text)
            ? readLimit(text)
            : readLimit(/^\s*\+?0*(\d{1,2})/.exec(text)?.[1] ?? null),
      })),
    'statuses-in-any-case: The filter accepts a status in any letter case, with spaces around it.': after(
      'readStatus',
      (found, text) => {
        const status = text?.trim().toLowerCase();
        return isStatus(status) ? read(status) : found;
      },
    ),
    'parameters-twice-refused: A repeated parameter is rejected with 400.': around(
      'listPets',
      (context, sound) =>
        new Set(context.request.query.keys()).size < context.request.query.size
          ? errorAnswer(invalid('a parameter is given twice'))
          : sound(context),
    ),
    'listings-late: A created animal can be fetched immediately and appears in listings after 1.5 s.': late(
      1_500,
      on('listPets'),
    ),
    'fetches-late: A created animal appears in listings immediately and can be fetched after a second.': late(
      1_000,
      on('getPet'),
    ),
    'replica-behind: Every second response comes from a replica that is 800 ms behind.': late(
      800,
      ({ request }) => request.serial % 5 === 1,
    ),
    'others-add-now-and-then: Another client adds an animal before every ninth listing.': counted(
      'listPets',
      (count, context, sound) => {
        if (count % 9 === 0) adding(context, { name: 'Wanda', categoryId: 3n, status: 'sold' });
        return sound(context);
      },
    ),
    'others-add-steadily: Another client adds an animal before every listing.': counted(
      'listPets',
      (_count, context, sound) => {
        adding(context, { name: 'Wilma', categoryId: 3n, status: 'sold' });
        return sound(context);
      },
    ),
    'others-add-by-requests: Another client adds an animal for every fifth request.': after(
      'early',
      (found, context) => {
        if (context.request.serial % 5 === 1)
          adding(context, { name: 'Walt', categoryId: 2n, status: 'sold' });
        return found;
      },
    ),
    'further-scheme-words-refused: An Authorization header other than Bearer and one word returns 401, as malformed.':
      refusingHeaders((header) => /^bearer \S+$/i.test(header)),
  }),
];
