import type { Change, Context } from '../../reference/behaviour.js';
import {
  FETCHED,
  after,
  anew,
  around,
  both,
  changed,
  failing,
  fallingOver,
  instead,
  on,
  petIdOf,
  seams,
  type Test,
  withStatus,
} from '../changes/requests.js';
import { answeredWith, asText, emptying, onAnswers } from '../changes/answers.js';
import { isOriginal, onField, onIntegers, onNames } from '../changes/animals.js';
import { errorAnswer, json } from '../../reference/messages.js';
import { flawsBy, flawsTurning, IN_2031 } from '../registry.js';
import type { Animal } from '../../reference/store.js';

const GREATEST = String(2n ** 63n - 1n);

const isWellFormed: Test = (context) => /^-?\d+$/.test(petIdOf(context));
const isGreatest: Test = (context) => petIdOf(context) === GREATEST;

/** Well-formed ids that no animal has. The response to a malformed one is free. */
const UNKNOWN = both(on('getPet'), withStatus(404), isWellFormed);

/** Any id that no animal has. */
const NO_ANIMAL = both(on('getPet'), withStatus(404));

const finding = (alter: (animal: Animal, context: Context) => Animal) =>
  after('find', (animal, context) => animal && alter(animal, context));

const fetchedAgain = (change: Change): Change =>
  anew(() => {
    const fetched = new Set<string>();
    return around('getPet', (context, sound) => {
      const id = petIdOf(context);
      const isCached = fetched.has(id);
      fetched.add(id);
      return sound(isCached ? changed(context, change) : context);
    });
  });

export const fetchingFlaws = [
  ...flawsTurning('get-ok', 'suites', {
    'fetch-fails: Fetching an existing animal returns 500.': onAnswers(FETCHED, ({ headers }) => ({
      ...failing,
      headers,
    })),
    'fetch-answers-partial: Fetching an animal returns 203.': answeredWith(FETCHED, 203),
    'fetch-not-modified: Fetching an animal returns 304 to a client that has no copy of it.': emptying(
      FETCHED,
      304,
    ),
    'fetched-again-not-modified: A second fetch of an animal returns 304 to a client that has no copy of it.':
      anew(() => {
        const fetched = new Set<string>();
        return emptying((context, answer) => {
          if (!FETCHED(context, answer)) return false;
          const isAgain = fetched.has(petIdOf(context));
          fetched.add(petIdOf(context));
          return isAgain;
        }, 304);
      }),
    'fetched-old-neighbour: Fetching an animal of the start returns the one after it: they were imported with their row numbers.':
      finding((animal, { store }) => (isOriginal(animal) ? (store.find(animal.id + 1n) ?? animal) : animal)),
  }),
  ...flawsTurning('get-until-removal', 'suites', {
    'fetch-gone: The deprecated operation was removed years too early and returns 410.': seams({
      isRemoved: () => true,
    }),
    'fetch-not-implemented: The deprecated operation was never written and returns 501.': instead(
      'getPet',
      (context) =>
        isWellFormed(context)
          ? errorAnswer({ status: 501, code: 'not_implemented', message: 'not implemented' })
          : null,
    ),
    'fetch-redirected: The deprecated operation redirects to the listing that replaces it.': emptying(
      FETCHED,
      301,
      '/v1/pets',
    ),
    'fetch-unrouted: The deprecated operation has no route, so every id is unknown.': seams({
      find: () => undefined,
    }),
    'fetch-method-refused: The deprecated operation returns 405: the path remains for another method.':
      onAnswers(FETCHED, ({ headers }) => ({
        ...errorAnswer({ status: 405, code: 'method_not_allowed', message: 'not this method' }),
        headers: [...headers, ['Allow', 'DELETE']],
      })),
  }),
  ...flawsTurning('get-after-removal', 'suites', {
    'fetch-after-removal: The deprecated operation still works after the day of its removal.': [
      seams({ isRemoved: () => false }),
      IN_2031,
    ],
  }),
  ...flawsTurning(['get-matches-created', 'list-matches-get'], 'suites', {
    'fetched-status-dropped: A fetched animal has no status, because its view lacks it.': onField(
      'getPet',
      'status',
      undefined,
    ),
    'fetched-status-reset: A fetched animal is always available, the default of its view.': onField(
      'getPet',
      'status',
      (status) => (status === 'available' ? 'pending' : 'available'),
    ),
    'fetched-name-in-capitals: A fetched animal has its name with capitals, as a display name.': onNames(
      'getPet',
      (name) => name.toUpperCase(),
    ),
    'fetched-name-cut: A fetched animal has only the first eight characters of its name.': onNames(
      'getPet',
      (name) => name.slice(0, 8),
    ),
    'fetched-again-from-cache-without-status: A second fetch of an animal is from a cache, whose entries lack the status.':
      fetchedAgain(onField('getPet', 'status', undefined)),
    'fetched-category-shifted: A fetched animal has the index of its category, counted from 0.': onIntegers(
      'getPet',
      'categoryId',
      (category) => (category < 1_000n ? category - 1n : category),
    ),
  }),
  ...flawsTurning('pet-int64', 'suites', {
    'fetched-category-as-double: A fetched animal has its category as a double, so a large one loses its last digits.':
      onIntegers('getPet', 'categoryId', (category) => BigInt(Number(category))),
  }),
  ...flawsTurning('get-matches-created', 'suites', {
    'fetched-neighbour: Fetching a new animal returns the one before it: the index counts from 0 and the ids from 1.':
      finding((animal, { store }) => (isOriginal(animal) ? animal : (store.find(animal.id - 1n) ?? animal))),
    'newest-not-found: The newest animal is not found by its id until another is created: the index is one creation behind.':
      after('find', (animal, { store }, id) =>
        animal && !isOriginal(animal) && store.all().at(-1)?.id === id ? undefined : animal,
      ),
    'created-default-status-only-returned: The response to a creation without status says available, and the animal has none.':
      onField('createPet', 'status', (status) => status ?? 'available'),
  }),
  ...flawsTurning('get-unknown', 'suites', {
    'unknown-animal-200: An unknown id returns 200 and the first animal.': onAnswers(
      UNKNOWN,
      (answer, context) => {
        const [first] = context.store.all();
        return first === undefined
          ? answer
          : json(200, context.behaviour.renderAnimal(first, context), answer.headers);
      },
    ),
    'fetched-by-32-bits: Only 32 bits of a requested id are used, so an unknown one may find an animal.':
      seams(({ find }) => ({ find: (context, id) => find(context, BigInt.asIntN(32, id)) })),
    'unknown-animal-204: An unknown id returns 204 and no body.': emptying(UNKNOWN, 204),
    'unknown-animal-null: Each id without an animal, malformed ones too, returns 200 and null.': onAnswers(
      NO_ANIMAL,
      (answer) => ({ ...asText(answer, 'null', 'application/json'), status: 200 }),
    ),
    'unknown-animal-no-members: Each id without an animal, malformed ones too, returns 200 and {}.':
      onAnswers(NO_ANIMAL, (answer) => ({ ...asText(answer, '{}', 'application/json'), status: 200 })),
    'unknown-animal-empty: Each id without an animal, malformed ones too, returns 200 and no body.': emptying(
      NO_ANIMAL,
      200,
    ),
    'greatest-id-fails: The id 2^63-1 returns 500, because ids are stored in 32 bits.': fallingOver(
      'getPet',
      isGreatest,
    ),
    'greatest-id-400: The id 2^63-1 is rejected with 400, because a double cannot hold it.': answeredWith(
      both(UNKNOWN, isGreatest),
      400,
    ),
  }),
  ...flawsBy('get-unknown', 'suites', (status: number) => answeredWith(UNKNOWN, status), {
    'unknown-animal-400: An unknown id returns 400.': 400,
    'unknown-animal-403: An unknown id returns 403, to hide what exists.': 403,
    'unknown-animal-fails: An unknown id returns 500.': 500,
  }),
];
