import type { Context } from '../behaviour.js';
import {
  both,
  emptied,
  failing,
  instead,
  isOriginal,
  of,
  onAnimals,
  onIntegers,
  onAnswers,
  restated,
  seams,
  withStatus,
} from '../changes.js';
import { textOf } from '../json.js';
import { withHeader } from '../messages.js';
import { flawsOf, flawsTurning } from '../registry.js';
import type { Animal } from '../store.js';

const FETCHED = both(of('getPet'), withStatus(200));
/** Well-formed ids that no animal has; what a malformed one gets is free. */
const UNKNOWN = both(of('getPet'), withStatus(404), (_answer, context) => isWellFormed(context));

/** From it the server's clock is moved on, so that it keeps going. */
const STARTED_AT = Date.now();

/** 2031, when the deprecated operation is long gone. */
const AFTER_REMOVAL = '2031-01-01';

const GREATEST = String(2n ** 63n - 1n);

const petIdOf = ({ route }: Context) => (route.kind === 'operation' ? route.petId : '');

const isWellFormed = (context: Context) => /^-?\d+$/.test(petIdOf(context));

/** Another animal in place of the one that was asked for. */
const finding = (alter: (animal: Animal, context: Context) => Animal) =>
  seams(({ find }) => ({
    find: (context, id) => {
      const animal = find(context, id);
      return animal === undefined ? undefined : alter(animal, context);
    },
  }));

/** Mistakes about fetching one animal. */
export const fetchingFlaws = [
  ...flawsTurning(['get-ok'], 'suites', {
    'fetch-fails': {
      title: 'Fetching an animal that exists ends in 500.',
      change: onAnswers(FETCHED, (answer, context) => ({ ...failing(context), headers: answer.headers })),
    },
    'fetch-answers-partial': {
      title: 'A fetched animal is answered with 203.',
      change: onAnswers(FETCHED, (answer) => restated(answer, 203)),
    },
    'fetch-not-modified': {
      title: 'A fetched animal is answered 304 to a client that has no copy of it.',
      change: onAnswers(FETCHED, (answer) => emptied({ ...answer, status: 304 })),
    },
  }),
  ...flawsTurning(['get-until-removal'], 'suites', {
    'fetch-gone': {
      title: 'The deprecated operation was removed years too early and answers 410.',
      change: seams(() => ({ isRemoved: () => true })),
    },
    'fetch-not-implemented': {
      title: 'The deprecated operation was never written and answers 501.',
      change: instead('getPet', (context) =>
        isWellFormed(context)
          ? context.behaviour.problem({ status: 501, code: 'not_implemented', message: 'not implemented' }, context)
          : null,
      ),
    },
    'fetch-redirected': {
      title: 'The deprecated operation redirects to the listing that replaces it.',
      change: onAnswers(FETCHED, (answer) => withHeader(emptied({ ...answer, status: 301 }), 'Location', '/v1/pets')),
    },
    'fetch-unrouted': {
      title: 'The deprecated operation has no route, so that every id is unknown.',
      change: seams(() => ({ find: () => undefined })),
    },
    'fetch-method-refused': {
      title: 'The deprecated operation answers 405: the path was kept for another method.',
      change: onAnswers(FETCHED, (answer, context) => ({
        ...context.behaviour.problem({ status: 405, code: 'method_not_allowed', message: 'not this method' }, context),
        headers: [...answer.headers, ['Allow', 'DELETE']],
      })),
    },
  }),
  ...flawsOf('suites', {
    'fetch-after-removal': {
      title: 'The deprecated operation is still served after the day of its removal.',
      turns: ['get-after-removal'],
      asOf: AFTER_REMOVAL,
      options: { now: () => Date.now() + (Date.parse(AFTER_REMOVAL) - STARTED_AT) },
      change: seams(() => ({ isRemoved: () => false })),
    },
  }),
  ...flawsTurning(['get-matches-created', 'list-matches-get'], 'suites', {
    'fetched-status-dropped': {
      title: 'A fetched animal carries no status, a member that its view does not have.',
      change: onAnimals('getPet', ({ status: _status, ...animal }) => animal),
    },
    'fetched-status-reset': {
      title: 'A fetched animal is always available, the default of its view.',
      change: onAnimals('getPet', (animal) => ({
        ...animal,
        status: animal['status'] === 'available' ? 'pending' : 'available',
      })),
    },
    'fetched-name-in-capitals': {
      title: 'A fetched animal carries its name with capitals, as a display name.',
      change: onAnimals('getPet', (animal) => ({ ...animal, name: textOf(animal['name']).toUpperCase() })),
    },
    'fetched-name-cut': {
      title: 'A fetched animal carries the first eight characters of its name.',
      change: onAnimals('getPet', (animal) => ({ ...animal, name: textOf(animal['name']).slice(0, 8) })),
    },
    'fetched-category-shifted': {
      title: 'A fetched animal carries the index of its category, counted from 0.',
      change: onIntegers('getPet', 'categoryId', (category) => (category < 1_000n ? category - 1n : category)),
    },
  }),
  ...flawsOf('suites', {
    'fetched-category-as-double': {
      title: 'A fetched animal carries its category as a double, so that the last digits of a large one are lost.',
      turns: ['pet-int64'],
      change: onIntegers('getPet', 'categoryId', (category) => BigInt(Number(category))),
    },
    'fetched-by-32-bits': {
      title: 'Of an id that is asked for 32 bits are kept, so that an unknown one may find an animal.',
      turns: ['get-unknown'],
      change: seams(({ find }) => ({ find: (context, id) => find(context, BigInt.asIntN(32, id)) })),
    },
    'fetched-neighbour': {
      title: 'Fetching a new animal gives the one before it: the index counts from 0 and the ids from 1.',
      turns: ['get-matches-created'],
      change: finding((animal, { store }) => (isOriginal(animal) ? animal : (store.find(animal.id - 1n) ?? animal))),
    },
    'fetched-old-neighbour': {
      title:
        'Fetching an animal of the start gives the one after it: they were imported with the numbers of their rows.',
      turns: ['get-ok'],
      change: finding((animal, { store }) => (isOriginal(animal) ? (store.find(animal.id + 1n) ?? animal) : animal)),
    },
  }),
  ...flawsTurning(['get-unknown'], 'suites', {
    'unknown-animal-200': {
      title: 'An unknown id is answered with 200 and the first animal.',
      change: onAnswers(UNKNOWN, (answer, context) => {
        const [first] = context.store.all();
        return first === undefined
          ? answer
          : { ...answer, status: 200, body: { kind: 'json', value: context.behaviour.renderAnimal(first, context) } };
      }),
    },
    'unknown-animal-204': {
      title: 'An unknown id is answered with 204 and no body.',
      change: onAnswers(UNKNOWN, (answer) => emptied({ ...answer, status: 204 })),
    },
    'unknown-animal-400': {
      title: 'An unknown id is answered with 400.',
      change: onAnswers(UNKNOWN, (answer) => restated(answer, 400)),
    },
    'unknown-animal-403': {
      title: 'An unknown id is answered with 403, so as not to tell what exists.',
      change: onAnswers(UNKNOWN, (answer) => restated(answer, 403)),
    },
    'unknown-animal-fails': {
      title: 'An unknown id ends in 500.',
      change: onAnswers(UNKNOWN, (answer) => restated(answer, 500)),
    },
    'greatest-id-fails': {
      title: 'The id 2^63-1 ends in 500, because ids are kept in 32 bits.',
      change: instead('getPet', (context) => (petIdOf(context) === GREATEST ? failing(context) : null)),
    },
    'greatest-id-400': {
      title: 'The id 2^63-1 is refused with 400, as beyond what a double can hold.',
      change: onAnswers(UNKNOWN, (answer, context) => (petIdOf(context) === GREATEST ? restated(answer, 400) : answer)),
    },
  }),
];
