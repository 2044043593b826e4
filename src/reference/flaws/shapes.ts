import { LosslessNumber } from 'lossless-json';
import type { Context } from '../behaviour.js';
import {
  asText,
  both,
  categoryAs,
  emptied,
  labelled,
  of,
  onAnimals,
  onAnswers,
  onJson,
  onObject,
  seams,
  withStatus,
} from '../changes.js';
import { type JsonObject, textOf, writeJson } from '../json.js';
import type { Answer } from '../messages.js';
import { flawsTurning } from '../registry.js';

const without =
  (name: string) =>
  (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).filter(([other]) => other !== name));

const says = (status: number) => (error: JsonObject) => ({ ...error, status });

/** Flaws of Error bodies with correct status codes. */
export const errorFlaws = [
  ...flawsTurning('error-shape', 'suites', {
    'invalid-body-as-detail: A 400 has a list of details, as the validation library writes it.': onObject(
      withStatus(400),
      () => ({ detail: [{ loc: ['body', 'name'], msg: 'field required' }] }),
    ),
    'unknown-animal-as-detail: A 404 has the body {"detail": "Not Found"}.': onObject(withStatus(404), () => ({
      detail: 'Not Found',
    })),
    'unauthorized-as-oauth-error: A 401 has the error members of OAuth.': onObject(withStatus(401), () => ({
      error: 'invalid_token',
      error_description: 'the key is not valid',
    })),
    'unauthorized-without-body: A 401 has no body, because it comes from a gateway.': onAnswers(
      withStatus(401),
      emptied,
    ),
    'unknown-animal-without-body: A 404 has no body.': onAnswers(withStatus(404), emptied),
    'refused-creation-without-body: A 400 has no body.': onAnswers(both(of('createPet'), withStatus(400)), emptied),
    'error-code-number: The code of an Error is the number of the status.': onObject(
      withStatus(400, 401, 404),
      (error) => ({ ...error, code: error['status'] ?? 0 }),
    ),
    'error-code-missing: The Error of a 404 has no code.': onObject(withStatus(404), without('code')),
    'error-message-missing: The Error of a 401 to a fetch has no message.': onObject(
      both(of('getPet'), withStatus(401)),
      without('message'),
    ),
    'error-message-list: The message of a 400 is a list of messages.': onObject(withStatus(400), (error) => ({
      ...error,
      message: [error['message'] ?? ''],
    })),
    'error-message-null: The message of a 404 is null.': onObject(withStatus(404), (error) => ({
      ...error,
      message: null,
    })),
    'error-status-missing: The Error of a 400 lacks the status.': onObject(withStatus(400), without('status')),
    'error-status-string: The status in an Error is a string.': onObject(withStatus(400, 401, 404), (error) => ({
      ...error,
      status: textOf(error['status']),
    })),
    'error-wrapped: The Error is wrapped in an object with a member "error".': onObject(
      withStatus(400, 401, 404),
      (error) => ({ error }),
    ),
    'error-in-array: A 400 has a list of Errors, one for each field.': onObject(withStatus(400), (error) => [error]),
  }),
  ...flawsTurning('error-status-matches', 'suites', {
    'error-status-always-400: The Error of a 404 says 400, the default of its helper function.': onObject(
      withStatus(404),
      says(400),
    ),
    'error-status-of-exception: The Error of a 400 says 500, the status of the caught exception.': onObject(
      withStatus(400),
      says(500),
    ),
    'unauthorized-says-403: The Error of a 401 says 403.': onObject(withStatus(401), says(403)),
    'error-status-zero-on-creation: The Error of a 401 to a creation says 0, because the member was never set.':
      onObject(both(of('createPet'), withStatus(401)), says(0)),
  }),
];

const set = (changes: JsonObject) => (animal: JsonObject) => ({ ...animal, ...changes });

const nullStatus = (animal: JsonObject): JsonObject => ({ status: null, ...animal });

/** Text of a body, which another change may have written already. */
const bodyText = ({ body }: Answer): string => {
  if (body.kind === 'json') return writeJson(body.value);
  return body.kind === 'text' ? body.text : '';
};

const LISTED = both(of('listPets'), withStatus(200));
const FETCHED = both(of('getPet'), withStatus(200));

/** Flaws of animals' JSON. */
export const shapeFlaws = [
  ...flawsTurning('pet-shape', 'suites', {
    'listed-id-string: In listings an id is a string, to be safe with JavaScript clients.': onAnimals(
      'listPets',
      (animal) => ({ ...animal, id: textOf(animal['id']) }),
    ),
    'created-id-string: The response to a creation has the id as a string.': onAnimals('createPet', (animal) => ({
      ...animal,
      id: textOf(animal['id']),
    })),
    'fetched-category-string: A fetched animal has its categoryId as a string.': onAnimals('getPet', (animal) => ({
      ...animal,
      categoryId: textOf(animal['categoryId']),
    })),
    'listed-category-missing: Listings lack the categoryId, to be short.': onAnimals('listPets', without('categoryId')),
    'listing-nested: A listing is an array in an array, as a database driver returns rows and columns.': seams(
      ({ renderListing }) => ({ renderListing: (animals, context) => [renderListing(animals, context)] }),
    ),
    'listed-name-null: Listings have name null for an animal without a status.': onAnimals('listPets', (animal) =>
      animal['status'] === undefined ? { ...animal, name: null } : animal,
    ),
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
      onAnimals('getPet', (animal) =>
        typeof animal['status'] === 'string' ? { ...animal, status: animal['status'].toUpperCase() } : animal,
      ),
    'listed-sold-renamed: Listings have the status "adopted" for sold animals.': onAnimals('listPets', (animal) =>
      animal['status'] === 'sold' ? set({ status: 'adopted' })(animal) : animal,
    ),
    'created-category-snake-case: The response to a creation has category_id instead of categoryId.': onAnimals(
      'createPet',
      (animal) => ({
        ...without('categoryId')(animal),
        category_id: animal['categoryId'] ?? null,
      }),
    ),
    'fetched-animal-wrapped: A fetched animal is wrapped in an object with a member "pet".': onJson(FETCHED, (pet) => ({
      pet,
    })),
    'fetched-animal-in-array: A fetched animal comes as a list of one, directly from the query.': onJson(
      FETCHED,
      (pet) => [pet],
    ),
    'created-answers-id-only: The response to a creation has only the id.': onAnimals('createPet', ({ id = null }) => ({
      id,
    })),
  }),
  ...flawsTurning('pet-int64', 'suites', {
    'ids-beyond-int64: Ids are unsigned and start at 2^63.': seams({ idOf: (nth) => 2n ** 63n + BigInt(nth) }),
    'listed-category-beyond-int64: Listings have the largest unsigned number as the category of an animal without status.':
      onAnimals('listPets', (animal) =>
        animal['status'] === undefined ? { ...animal, categoryId: new LosslessNumber('18446744073709551615') } : animal,
      ),
    'category-as-double: Numbers are read as doubles, so a category above 2^53 comes back as its neighbour.':
      categoryAs((category) => BigInt.asIntN(64, BigInt(Number(category)))),
    'category-as-int32: Categories are stored in 32 bits, and larger ones wrap around.': categoryAs((category) =>
      BigInt.asIntN(32, category),
    ),
    'category-in-exponent-form: A category above 2^53 is written with an exponent, without its last digits.': onAnimals(
      'createPet',
      (animal) => {
        const category = animal['categoryId'];
        const isLarge = typeof category === 'bigint' && category > 2n ** 53n;
        return isLarge ? { ...animal, categoryId: new LosslessNumber(Number(category).toExponential(15)) } : animal;
      },
    ),
  }),
];

const relabelled = (mediaType: string) => (answer: Answer) => labelled(answer, mediaType);

const isFiltered = ({ request }: Context) => request.query.has('status');

/** Flaws of media type and JSON of a correct body. */
export const mediaTypeFlaws = flawsTurning('json-media-type', 'suites', {
  'listing-as-text: Listings are labelled text/plain.': onAnswers(LISTED, relabelled('text/plain; charset=utf-8')),
  'filtered-listing-as-text-json: Filtered listings are labelled text/json.': onAnswers(LISTED, (answer, context) =>
    isFiltered(context) ? labelled(answer, 'text/json') : answer,
  ),
  'fetched-as-vendor-type: A fetched animal is labelled with a vendor media type that ends in +json.': onAnswers(
    FETCHED,
    relabelled('application/vnd.petstore.v1+json'),
  ),
  'created-without-media-type: The response to a creation has no media type.': onAnswers(
    both(of('createPet'), withStatus(201)),
    (answer) => asText(answer, bodyText(answer), null),
  ),
  'fetched-with-byte-order-mark: A fetched animal has a byte order mark and a trailing comma, from a template.':
    onAnswers(FETCHED, (answer) =>
      asText(answer, `\uFEFF${bodyText(answer).replace(/\}$/, ',}')}`, 'application/json'),
    ),
  'bodies-in-latin-1: Bodies are written in ISO 8859-1, the platform’s default, so names beyond ASCII are not UTF-8.':
    seams(({ transport }) => ({
      transport: (wire, context) => {
        const text = wire.payload.toString('utf8').replaceAll(/[^\0-\xff]/gu, '?');
        return transport({ ...wire, payload: Buffer.from(text, 'latin1') }, context);
      },
    })),
  'listing-as-lines: A listing of several animals has one per line and no brackets.': [
    onAnswers(LISTED, (answer) =>
      answer.body.kind === 'json' && Array.isArray(answer.body.value) && answer.body.value.length !== 1
        ? asText(answer, answer.body.value.map((animal) => writeJson(animal)).join('\n'), 'application/json')
        : answer,
    ),
    ['pets-array'],
  ],
  'limited-listing-cut-off: The body of a full listing ends in the middle, because a buffer is too small.': onAnswers(
    LISTED,
    (answer) => {
      const text = bodyText(answer);
      return text.length > 2_000 ? asText(answer, text.slice(0, 2_000), 'application/json') : answer;
    },
  ),
  'errors-as-problem-json: Errors are labelled application/problem+json.': onAnswers(
    withStatus(400, 401, 404),
    relabelled('application/problem+json'),
  ),
  'unknown-animal-as-html: An unknown id returns an HTML page, the framework’s default.': onAnswers(
    withStatus(404),
    (answer) => asText(answer, '<h1>Not Found</h1>', 'text/html; charset=utf-8'),
  ),
  'unauthorized-as-text: A 401 says "Unauthorized" as plain text.': onAnswers(withStatus(401), (answer) =>
    asText(answer, 'Unauthorized', 'text/plain'),
  ),
  'malformed-body-as-text: A 400 is sent by the body parser as plain text.': onAnswers(withStatus(400), (answer) =>
    asText(answer, 'Unexpected token in JSON', 'text/plain'),
  ),
  'unknown-animal-with-quotes-unescaped: The Error of a 404 is concatenated by hand, and a quote in its message breaks the JSON.':
    onAnswers(withStatus(404), (answer) =>
      asText(answer, '{"code":"not_found","message":"no pet with id "1"","status":404}', 'application/json'),
    ),
});
