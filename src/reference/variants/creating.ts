import { onAnimals, onAnswers, seams, withStatus, of, both } from '../changes.js';
import { integerOf, isNumber, type JsonObject } from '../json.js';
import { invalid, refused, withHeader, type Problem } from '../messages.js';
import { variantsOf } from '../registry.js';

const UNSUPPORTED: Problem = {
  status: 415,
  code: 'unsupported_media_type',
  message: 'the request body must be application/json',
};

const KNOWN_MEMBERS = ['name', 'categoryId', 'status'];

const unknownMembers = (body: JsonObject) => Object.entries(body).filter(([name]) => !KNOWN_MEMBERS.includes(name));

/** Freedom in what may be created. */
export const creatingVariants = variantsOf('suites', {
  'closed-categories': {
    title: 'Categories have to exist: those of the animals of the start.',
    clouds: ['pet-int64'],
    change: seams(() => ({
      creationProblem: (_body, { categoryId }, { store }) =>
        store.all().some((animal) => animal.categoryId === categoryId) ? undefined : invalid('no such category'),
    })),
  },
  'categories-within-int32': {
    title: 'Categories above 2^31 do not exist and are refused.',
    clouds: ['pet-int64'],
    change: seams(() => ({
      creationProblem: (_body, { categoryId }) =>
        categoryId >= 2n ** 31n || categoryId < 0n ? invalid('no such category') : undefined,
    })),
  },
  'long-names-refused': {
    title: 'A name of more than 64 characters is refused with 400.',
    change: seams(() => ({
      creationProblem: (_body, { name }) => (Array.from(name).length > 64 ? invalid('name is too long') : undefined),
    })),
  },
  'names-of-fifty-at-most': {
    title: 'A name of more than 50 characters is refused with 400.',
    change: seams(() => ({
      creationProblem: (_body, { name }) => (Array.from(name).length > 50 ? invalid('name is too long') : undefined),
    })),
  },
  'empty-name-refused': {
    title: 'An empty name is refused with 400.',
    change: seams(() => ({
      creationProblem: (_body, { name }) => (name.trim() === '' ? invalid('name is empty') : undefined),
    })),
  },
  'unknown-members-refused': {
    title: 'A creation with a member that is not declared is refused with 400.',
    change: seams(() => ({
      creationProblem: (body) => (unknownMembers(body).length > 0 ? invalid('a member is not known') : undefined),
    })),
  },
  'unknown-members-kept': {
    title: 'A creation’s further members come back in its answer.',
    change: onAnimals('createPet', (animal, { request, behaviour }) => {
      const body = behaviour.readBody(request.body);
      return body.ok ? { ...Object.fromEntries(unknownMembers(body.value)), ...animal } : animal;
    }),
  },
  'integers-without-point': {
    title: '1.0 and 1e0 are refused as integers.',
    change: seams(({ rules }) => ({
      rules: {
        ...rules,
        categoryId: (value) =>
          isNumber(value) && integerOf(value) !== undefined && !/^-?\d+$/.test(value.value)
            ? refused(invalid('categoryId must be written without a point'))
            : rules.categoryId(value),
      },
    })),
  },
  'media-type-ignored': {
    title: 'A creation is read as JSON whatever its Content-Type says.',
    change: seams(() => ({ mediaTypeProblem: () => undefined })),
  },
  'media-type-required': {
    title: 'A creation without a Content-Type is refused with 415.',
    change: seams(({ mediaTypeProblem }) => ({
      mediaTypeProblem: (type) => (type === undefined ? UNSUPPORTED : mediaTypeProblem(type)),
    })),
  },
  'media-type-400': {
    title: 'A creation under another media type is refused with 400.',
    change: seams(({ mediaTypeProblem }) => ({
      mediaTypeProblem: (type) => (mediaTypeProblem(type) === undefined ? undefined : { ...UNSUPPORTED, status: 400 }),
    })),
  },
  'location-on-201': {
    title: 'The answer to a creation names the new animal’s place in Location.',
    change: onAnswers(both(of('createPet'), withStatus(201)), (answer) => withHeader(answer, 'Location', '/v1/pets/1')),
  },
});
