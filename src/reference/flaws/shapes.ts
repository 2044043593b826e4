import { LosslessNumber } from 'lossless-json';
import type { Context } from '../behaviour.js';
import { asText, both, categoryAs, labelled, of, onAnimals, onAnswers, onJson, seams, withStatus } from '../changes.js';
import { textOf, writeJson, type JsonObject } from '../json.js';
import type { Answer } from '../messages.js';
import { flawsTurning } from '../registry.js';

const set = (changes: JsonObject) => (animal: JsonObject) => ({ ...animal, ...changes });

const without =
  (name: string) =>
  (animal: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(animal).filter(([member]) => member !== name));

const nullStatus = (animal: JsonObject): JsonObject => ({ status: null, ...animal });

/** What an answer holds, as another change may have written it already. */
const bodyText = ({ body }: Answer): string => {
  if (body.kind === 'json') return writeJson(body.value);
  return body.kind === 'text' ? body.text : '';
};

const LISTED = both(of('listPets'), withStatus(200));
const FETCHED = both(of('getPet'), withStatus(200));

/** Mistakes in how animals are written. */
export const shapeFlaws = [
  ...flawsTurning(['pet-shape'], 'suites', {
    'listed-id-string': {
      title: 'In listings an id is a string, to be safe with JavaScript clients.',
      change: onAnimals('listPets', (animal) => ({ ...animal, id: textOf(animal['id']) })),
    },
    'created-id-string': {
      title: 'The answer to a creation carries the id as a string.',
      change: onAnimals('createPet', (animal) => ({ ...animal, id: textOf(animal['id']) })),
    },
    'fetched-category-string': {
      title: 'A fetched animal carries its categoryId as a string.',
      change: onAnimals('getPet', (animal) => ({ ...animal, categoryId: textOf(animal['categoryId']) })),
    },
    'listed-category-missing': {
      title: 'Listings leave the categoryId out, to keep them short.',
      change: onAnimals('listPets', without('categoryId')),
    },
    'listing-nested': {
      title: 'A listing is an array in an array, as a database driver gives rows and their columns.',
      change: seams(({ renderListing }) => ({
        renderListing: (animals, context) => [renderListing(animals, context)],
      })),
    },
    'listed-name-null': {
      title: 'Listings give null for the name of an animal that has no status.',
      change: onAnimals('listPets', (animal) => (animal['status'] === undefined ? { ...animal, name: null } : animal)),
    },
    'status-null': {
      title: 'An animal without a status is written with status null.',
      change: onAnimals('all', nullStatus),
    },
    'created-status-null': {
      title: 'Only the answer to a creation without status says status null.',
      change: onAnimals('createPet', nullStatus),
    },
    'listed-status-empty': {
      title: 'Listings give an empty text for the status of an animal that has none.',
      change: onAnimals('listPets', (animal) => ({ status: '', ...animal })),
    },
    'fetched-status-capitals': {
      title: 'A fetched animal carries its status in capitals, the names of the enumeration constants.',
      change: onAnimals('getPet', (animal) =>
        typeof animal['status'] === 'string' ? { ...animal, status: animal['status'].toUpperCase() } : animal,
      ),
    },
    'listed-sold-renamed': {
      title: 'Listings call the sold ones "adopted".',
      change: onAnimals('listPets', (animal) =>
        animal['status'] === 'sold' ? set({ status: 'adopted' })(animal) : animal,
      ),
    },
    'created-category-snake-case': {
      title: 'The answer to a creation calls the category category_id.',
      change: onAnimals('createPet', (animal) => ({
        ...without('categoryId')(animal),
        category_id: animal['categoryId'] ?? null,
      })),
    },
    'fetched-animal-wrapped': {
      title: 'A fetched animal is wrapped in an object with a member "pet".',
      change: onJson(FETCHED, (pet) => ({ pet })),
    },
    'fetched-animal-in-array': {
      title: 'A fetched animal comes as a list of one, straight from the query.',
      change: onJson(FETCHED, (pet) => [pet]),
    },
    'created-answers-id-only': {
      title: 'The answer to a creation carries nothing but the id.',
      change: onAnimals('createPet', ({ id = null }) => ({ id })),
    },
  }),
  ...flawsTurning(['pet-int64'], 'suites', {
    'ids-beyond-int64': {
      title: 'Ids are unsigned and begin at 2^63.',
      change: seams(() => ({ idOf: (nth) => 2n ** 63n + BigInt(nth) })),
    },
    'listed-category-beyond-int64': {
      title: 'Listings give an animal without status the greatest unsigned number for its category.',
      change: onAnimals('listPets', (animal) =>
        animal['status'] === undefined ? { ...animal, categoryId: new LosslessNumber('18446744073709551615') } : animal,
      ),
    },
    'category-as-double': {
      title: 'Numbers are read as doubles, so that a category above 2^53 comes back as its neighbour.',
      change: categoryAs((category) => BigInt.asIntN(64, BigInt(Number(category)))),
    },
    'category-as-int32': {
      title: 'Categories are kept in 32 bits, and larger ones wrap round.',
      change: categoryAs((category) => BigInt.asIntN(32, category)),
    },
    'category-in-exponent-form': {
      title: 'A category above 2^53 is written with an exponent, and its last digits are gone.',
      change: onAnimals('createPet', (animal) => {
        const category = animal['categoryId'];
        const isLarge = typeof category === 'bigint' && category > 2n ** 53n;
        return isLarge ? { ...animal, categoryId: new LosslessNumber(Number(category).toExponential(15)) } : animal;
      }),
    },
  }),
];

const relabelled = (mediaType: string) => (answer: Answer) => labelled(answer, mediaType);

const isFiltered = ({ request }: Context) => request.query.has('status');

/** Mistakes in how a sound body is labelled and written. */
export const mediaTypeFlaws = flawsTurning(['json-media-type'], 'suites', {
  'listing-as-text': {
    title: 'Listings are labelled text/plain.',
    change: onAnswers(LISTED, relabelled('text/plain; charset=utf-8')),
  },
  'filtered-listing-as-text-json': {
    title: 'Filtered listings are labelled text/json.',
    change: onAnswers(LISTED, (answer, context) => (isFiltered(context) ? labelled(answer, 'text/json') : answer)),
  },
  'fetched-as-vendor-type': {
    title: 'A fetched animal is labelled with a media type of its own that ends in +json.',
    change: onAnswers(FETCHED, relabelled('application/vnd.petstore.v1+json')),
  },
  'created-without-media-type': {
    title: 'The answer to a creation says nothing about its media type.',
    change: onAnswers(both(of('createPet'), withStatus(201)), (answer) => asText(answer, bodyText(answer), null)),
  },
  'fetched-with-byte-order-mark': {
    title: 'A fetched animal is written with a byte order mark and a trailing comma, from a template.',
    change: onAnswers(FETCHED, (answer) =>
      asText(answer, `\uFEFF${bodyText(answer).replace(/\}$/, ',}')}`, 'application/json'),
    ),
  },
  'bodies-in-latin-1': {
    title: 'Bodies are written in ISO 8859-1, the default of the platform, so that names beyond ASCII are no UTF-8.',
    change: seams(({ transport }) => ({
      transport: (wire, context) => {
        const text = wire.payload.toString('utf8').replaceAll(/[^\0-\xff]/gu, '?');
        return transport({ ...wire, payload: Buffer.from(text, 'latin1') }, context);
      },
    })),
  },
  'listing-as-lines': {
    title: 'A listing of several animals has one a line and no brackets.',
    also: ['pets-array'],
    change: onAnswers(LISTED, (answer) =>
      answer.body.kind === 'json' && Array.isArray(answer.body.value) && answer.body.value.length !== 1
        ? asText(answer, answer.body.value.map((animal) => writeJson(animal)).join('\n'), 'application/json')
        : answer,
    ),
  },
  'limited-listing-cut-off': {
    title: 'The body of a full listing ends in the middle, because a buffer is too small.',
    change: onAnswers(LISTED, (answer) => {
      const text = bodyText(answer);
      return text.length > 2_000 ? asText(answer, text.slice(0, 2_000), 'application/json') : answer;
    }),
  },
  'errors-as-problem-json': {
    title: 'Errors are labelled application/problem+json.',
    change: onAnswers(withStatus(400, 401, 404), relabelled('application/problem+json')),
  },
  'unknown-animal-as-html': {
    title: 'An unknown id is answered with a page in HTML, the default of the framework.',
    change: onAnswers(withStatus(404), (answer) => asText(answer, '<h1>Not Found</h1>', 'text/html; charset=utf-8')),
  },
  'unauthorized-as-text': {
    title: 'A 401 says "Unauthorized" as plain text.',
    change: onAnswers(withStatus(401), (answer) => asText(answer, 'Unauthorized', 'text/plain')),
  },
  'malformed-body-as-text': {
    title: 'A 400 is sent by the body parser as plain text.',
    change: onAnswers(withStatus(400), (answer) => asText(answer, 'Unexpected token in JSON', 'text/plain')),
  },
  'unknown-animal-with-quotes-unescaped': {
    title: 'The Error of a 404 is glued together by hand, and a quote in its message breaks the JSON.',
    change: onAnswers(withStatus(404), (answer) =>
      asText(answer, '{"code":"not_found","message":"no pet with id "1"","status":404}', 'application/json'),
    ),
  },
});
