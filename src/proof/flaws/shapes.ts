import { LosslessNumber } from 'lossless-json';
import type { Change } from '../../reference/behaviour.js';
import {
  LISTED,
  CREATED,
  FETCHED,
  both,
  on,
  seams,
  type Test,
  type Which,
  withStatus,
} from '../changes/requests.js';
import {
  asText,
  emptying,
  labelled,
  onAnswers,
  onJson,
  onObject,
  onWire,
  setting,
} from '../changes/answers.js';
import { isFiltered, onAnimals, onField } from '../changes/animals.js';
import { categoryAs } from '../changes/creations.js';
import { type Json, type JsonObject, textOf, writeJson } from '../../reference/json.js';
import { flawsBy, flawsTurning } from '../registry.js';

const ERROR = withStatus(400, 401, 404);

/** Flaws of Error bodies with correct status codes. */
export const errorFlaws = [
  ...flawsBy('error-shape', 'suites', (which: Which) => emptying(which), {
    'unauthorized-without-body: A 401 has no body, because it comes from a gateway.': withStatus(401),
    'unknown-animal-without-body: A 404 has no body.': withStatus(404),
    'refused-creation-without-body: A 400 has no body.': both(on('createPet'), withStatus(400)),
  }),
  ...flawsTurning('error-shape', 'suites', {
    'invalid-body-as-detail: A 400 has a list of details, as the validation library writes it.': onJson(
      withStatus(400),
      () => ({ detail: [{ loc: ['body', 'name'], msg: 'field required' }] }),
    ),
    'unknown-animal-as-detail: A 404 has the body {"detail": "Not Found"}.': onJson(withStatus(404), () => ({
      detail: 'Not Found',
    })),
    'unauthorized-as-oauth-error: A 401 has the error members of OAuth.': onJson(withStatus(401), () => ({
      error: 'invalid_token',
      error_description: 'the key is not valid',
    })),
    'error-code-number: The code of an Error is the number of the status.': onObject(ERROR, (error) => ({
      ...error,
      code: error['status'] ?? 0,
    })),
    'error-code-missing: The Error of a 404 has no code.': settingIn(404, 'code', undefined),
    'error-message-missing: The Error of a 401 to a fetch has no message.': onObject(
      both(on('getPet'), withStatus(401)),
      setting('message', undefined),
    ),
    'error-message-list: The message of a 400 is a list of messages.': settingIn(
      400,
      'message',
      (message = '') => [message],
    ),
    'error-message-null: The message of a 404 is null.': settingIn(404, 'message', null),
    'error-status-missing: The Error of a 400 lacks the status.': settingIn(400, 'status', undefined),
    'error-status-string: The status in an Error is a string.': onObject(ERROR, setting('status', textOf)),
    'error-wrapped: The Error is wrapped in an object with a member "error".': onObject(ERROR, (error) => ({
      error,
    })),
    'error-in-array: A 400 has a list of Errors, one for each field.': onObject(withStatus(400), (error) => [
      error,
    ]),
  }),
  ...flawsTurning('error-status-matches', 'suites', {
    'error-status-always-400: The Error of a 404 says 400, the default of its helper function.': settingIn(
      404,
      'status',
      400,
    ),
    'error-status-of-exception: The Error of a 400 says 500, the status of the caught exception.': settingIn(
      400,
      'status',
      500,
    ),
    'unauthorized-says-403: The Error of a 401 says 403.': settingIn(401, 'status', 403),
    'error-status-zero-on-creation: The Error of a 401 to a creation says 0, because the member was never set.':
      onObject(both(on('createPet'), withStatus(401)), setting('status', 0)),
  }),
];

function settingIn(status: number, ...to: Parameters<typeof setting>): Change {
  return onObject(withStatus(status), setting(...to));
}

const nullStatus = (animal: JsonObject): JsonObject => ({ status: null, ...animal });

const onStatusless = (name: string, to: Json): Change =>
  onAnimals('listPets', (animal) => (animal['status'] === undefined ? { ...animal, [name]: to } : animal));

export const shapeFlaws = [
  ...flawsTurning('pet-shape', 'suites', {
    'listed-id-string: In listings an id is a string, to be safe with JavaScript clients.': onField(
      'listPets',
      'id',
      textOf,
    ),
    'created-id-string: The response to a creation has the id as a string.': onField(
      'createPet',
      'id',
      textOf,
    ),
    'fetched-category-string: A fetched animal has its categoryId as a string.': onField(
      'getPet',
      'categoryId',
      textOf,
    ),
    'listed-category-missing: Listings lack the categoryId, to be short.': onField(
      'listPets',
      'categoryId',
      undefined,
    ),
    'listing-nested: A listing is an array in an array, as a database driver returns rows and columns.':
      seams(({ renderListing }) => ({
        renderListing: (animals, context) => [renderListing(animals, context)],
      })),
    'listed-name-null: Listings have name null for an animal without a status.': onStatusless('name', null),
    'status-null: An animal without a status has status null.': onAnimals('all', nullStatus),
    'created-status-null: Only the response to a creation without status has status null.': onAnimals(
      'createPet',
      nullStatus,
    ),
    'listed-status-empty: Listings have an empty status for an animal without one.': onAnimals(
      'listPets',
      (animal) => ({ status: '', ...animal }),
    ),
    'fetched-status-capitals: A fetched animal has its status in capitals, the names of the enumeration constants.':
      onField('getPet', 'status', (status) => (typeof status === 'string' ? status.toUpperCase() : status)),
    'listed-sold-renamed: Listings have the status "adopted" for sold animals.': onField(
      'listPets',
      'status',
      (status) => (status === 'sold' ? 'adopted' : status),
    ),
    'created-category-snake-case: The response to a creation has category_id instead of categoryId.':
      onAnimals('createPet', ({ categoryId = null, ...animal }) => ({ ...animal, category_id: categoryId })),
    'fetched-animal-wrapped: A fetched animal is wrapped in an object with a member "pet".': onJson(
      FETCHED,
      (pet) => ({
        pet,
      }),
    ),
    'fetched-animal-in-array: A fetched animal comes as a list of one, directly from the query.': onJson(
      FETCHED,
      (pet) => [pet],
    ),
    'created-answers-id-only: The response to a creation has only the id.': onAnimals(
      'createPet',
      ({ id = null }) => ({
        id,
      }),
    ),
  }),
  ...flawsTurning('pet-int64', 'suites', {
    'ids-beyond-int64: Ids are unsigned and start at 2^63.': seams({
      idOf: (nth) => 2n ** 63n + BigInt(nth),
    }),
    'listed-category-beyond-int64: Listings have the largest unsigned number as the category of an animal without status.':
      onStatusless('categoryId', new LosslessNumber('18446744073709551615')),
  }),
  ...flawsBy('pet-int64', 'suites', categoryAs, {
    'category-as-double: Numbers are read as doubles, so a category above 2^53 comes back as its neighbour.':
      (category) => BigInt.asIntN(64, BigInt(Number(category))),
    'category-as-int32: Categories are stored in 32 bits, and larger ones wrap around.': (category) =>
      BigInt.asIntN(32, category),
  }),
  ...flawsTurning('pet-int64', 'suites', {
    'category-in-exponent-form: A category above 2^53 is written with an exponent, without its last digits.':
      onField('createPet', 'categoryId', (category) =>
        typeof category === 'bigint' && category > 2n ** 53n
          ? new LosslessNumber(Number(category).toExponential(15))
          : category,
      ),
  }),
];

const labelling = (which: Which, mediaType: string) =>
  onAnswers(which, (answer) => labelled(answer, mediaType));

/** Writes some responses as text, given the text of their body, which another change may have written already. */
const writing = (
  which: Which,
  write: (text: string) => string,
  mediaType: string | null = 'application/json',
) =>
  onAnswers(which, (answer) => {
    const { body } = answer;
    const text = body.kind === 'json' ? writeJson(body.value) : body.kind === 'text' ? body.text : '';
    return asText(answer, write(text), mediaType);
  });

/** Selects requests whose Accept does not name JSON, as those of curl and fetch. */
const acceptsAnything: Test = ({ request }) => !request.headers['accept']?.includes('json');

/** Flaws of media type and JSON of a correct body. */
export const mediaTypeFlaws = flawsTurning('json-media-type', 'suites', {
  'listing-as-text: Listings are labelled text/plain.': labelling(LISTED, 'text/plain; charset=utf-8'),
  'filtered-listing-as-text-json: Filtered listings are labelled text/json.': labelling(
    both(LISTED, isFiltered),
    'text/json',
  ),
  'fetched-as-vendor-type: A fetched animal is labelled with a vendor media type that ends in +json.':
    labelling(FETCHED, 'application/vnd.petstore.v1+json'),
  'created-without-media-type: The response to a creation has no media type.': writing(
    CREATED,
    (text) => text,
    null,
  ),
  'fetched-with-byte-order-mark: A fetched animal has a byte order mark and a trailing comma, from a template.':
    writing(FETCHED, (text) => `\uFEFF${text.replace(/\}$/, ',}')}`),
  'fetched-with-name-twice: A fetched animal has its name twice, with two values.': writing(FETCHED, (text) =>
    text.replace('{', '{"name":"unnamed",'),
  ),
  'bodies-in-latin-1: Bodies are written in ISO 8859-1, the platform’s default, so names beyond ASCII are not UTF-8.':
    onWire((wire) => {
      const text = wire.payload.toString('utf8').replaceAll(/[^\0-\xff]/gu, '?');
      return { ...wire, payload: Buffer.from(text, 'latin1') };
    }),
  'bodies-labelled-gzip: Bodies are labelled gzip, but a proxy has already decompressed them.': onWire(
    (wire) =>
      wire.payload.length > 0
        ? { ...wire, headers: [...wire.headers, ['Content-Encoding', 'gzip'] as const] }
        : wire,
  ),
  'listing-as-lines: A listing of several animals has one per line and no brackets.': [
    onAnswers(LISTED, (answer) =>
      answer.body.kind === 'json' && Array.isArray(answer.body.value) && answer.body.value.length !== 1
        ? asText(answer, answer.body.value.map((animal) => writeJson(animal)).join('\n'), 'application/json')
        : answer,
    ),
    ['pets-array'],
  ],
  'limited-listing-cut-off: The body of a full listing ends in the middle, because a buffer is too small.':
    writing(LISTED, (text) => text.slice(0, 2_000)),
  'errors-as-problem-json: Errors are labelled application/problem+json.': labelling(
    ERROR,
    'application/problem+json',
  ),
  'unknown-animal-as-html: An unknown id returns an HTML page, the framework’s default.': writing(
    withStatus(404),
    () => '<h1>Not Found</h1>',
    'text/html; charset=utf-8',
  ),
  'unauthorized-as-text: A 401 says "Unauthorized" as plain text.': writing(
    withStatus(401),
    () => 'Unauthorized',
    'text/plain',
  ),
  'malformed-body-as-text: A 400 is sent by the body parser as plain text.': writing(
    withStatus(400),
    () => 'Unexpected token in JSON',
    'text/plain',
  ),
  'errors-as-html-unless-json-accepted: Errors are HTML pages unless Accept names JSON, the framework’s default.':
    writing(both(ERROR, acceptsAnything), () => '<h1>Error</h1>', 'text/html; charset=utf-8'),
  'created-as-xml-unless-json-accepted: A created animal is XML unless Accept names JSON.': writing(
    both(CREATED, acceptsAnything),
    () => '<Pet/>',
    'application/xml',
  ),
  'unknown-animal-with-quotes-unescaped: The Error of a 404 is concatenated by hand, and a quote in its message breaks the JSON.':
    writing(withStatus(404), () => '{"code":"not_found","message":"no pet with id "1"","status":404}'),
});
