import type { Context } from '../behaviour.js';
import {
  both,
  categoryAs,
  emptied,
  failing,
  instead,
  isOperation,
  keptAs,
  of,
  onAnimals,
  onAnswers,
  restated,
  seams,
  sentMembers,
  withStatus,
} from '../changes.js';
import { isObject, member } from '../json.js';
import { invalid, refused, withHeader, type Answer } from '../messages.js';
import { flawsOf, flawsTurning } from '../registry.js';
import type { Animal } from '../store.js';

const CREATED = both(of('createPet'), withStatus(201));

/** Whether the request is a creation that would succeed, by its name. */
const named = (test: (name: string) => boolean) => (context: Context) => {
  const name = member(sentMembers(context), 'name');
  return typeof name === 'string' && test(name);
};

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escapedForHtml = (name: string) => name.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

const isAstral = (name: string) => /[\u{10000}-\u{10ffff}]/u.test(name);

/** So many creations go well first: all of which a row looks at the answer for its own sake. */
const EARLY = 5;

/** Does something else with sound creations after the first ones. */
const later = (operation: (context: Context, sound: (context: Context) => Answer) => Answer) =>
  seams(({ operations }) => {
    let created = 0;
    return {
      operations: {
        ...operations,
        createPet: (context) => {
          const isLater = created >= EARLY && isSound(context);
          const answer = isLater ? operation(context, operations.createPet) : operations.createPet(context);
          if (answer.status === 201) created += 1;
          return answer;
        },
      },
    };
  });

/** Mistakes about creations that should succeed. */
export const creatingFlaws = [
  ...flawsOf('suites', {
    'later-creations-misnamed': {
      options: { animals: 3 },
      title: 'The answer to the sixth creation and those after it carries the name of an animal from a pool.',
      turns: ['created-pet-echo'],
      change: later((context, sound) => {
        const answer = sound(context);
        return answer.body.kind === 'json' && isObject(answer.body.value)
          ? { ...answer, body: { kind: 'json', value: { ...answer.body.value, name: 'Rex' } } }
          : answer;
      }),
    },
    'later-creations-fail': {
      options: { animals: 3 },
      title: 'The sixth creation and those after it end in 500.',
      turns: ['declared-status'],
      change: later((context, sound) => {
        const nothingKept = { ...context, store: { ...context.store, add: () => undefined } };
        return sound(nothingKept).status === 201 ? failing(context) : sound(context);
      }),
    },
  }),
  ...flawsTurning(['create-ok'], 'suites', {
    'created-with-200': {
      title: 'A creation is answered with 200.',
      also: ['create-status-optional', 'create-each-status', 'created-pet-echo'],
      change: onAnswers(CREATED, (answer) => restated(answer, 200)),
    },
    'created-with-202': {
      title: 'A creation is answered with 202 Accepted, because it goes through a queue.',
      also: ['create-status-optional', 'create-each-status', 'created-pet-echo'],
      change: onAnswers(CREATED, (answer) => restated(answer, 202)),
    },
    'created-with-see-other': {
      title: 'A creation is answered with a redirect to the new animal, as after a form.',
      also: ['create-status-optional', 'create-each-status', 'created-pet-echo'],
      change: onAnswers(CREATED, (answer) => withHeader(emptied({ ...answer, status: 303 }), 'Location', '/v1/pets')),
    },
    'creation-fails': {
      title: 'Every creation ends in 500: a column was renamed.',
      also: ['create-status-optional', 'create-each-status', 'created-pet-echo', 'declared-status'],
      change: instead('createPet', (context) => (isComplete(context) ? failing(context) : null)),
    },
  }),
  ...flawsTurning(['create-status-optional'], 'suites', {
    'status-required': {
      title: 'A creation without status is refused.',
      change: seams(({ rules }) => ({
        rules: {
          ...rules,
          status: (value) => (value === undefined ? refused(invalid('status is required')) : rules.status(value)),
        },
      })),
    },
    'creation-without-status-fails': {
      title: 'A creation without status ends in 500, a null that nobody expected.',
      change: instead('createPet', (context) =>
        isComplete(context) && member(sentMembers(context), 'status') === undefined ? failing(context) : null,
      ),
    },
    'creation-without-status-answers-200': {
      title: 'A creation without status is answered with 200.',
      change: onAnswers(CREATED, (answer, context) =>
        member(sentMembers(context), 'status') === undefined ? restated(answer, 200) : answer,
      ),
    },
  }),
  ...flawsTurning(['create-each-status'], 'suites', {
    'creation-as-pending-refused': {
      title: 'A creation with status pending is refused: only orders may set it.',
      change: refusingStatus('pending'),
    },
    'creation-as-sold-refused': {
      title: 'A creation with status sold is refused.',
      change: refusingStatus('sold'),
    },
    'creation-as-sold-available': {
      title: 'An animal that is created as sold is kept as available.',
      also: ['created-pet-echo'],
      change: seams(({ rules }) => ({
        rules: { ...rules, status: (value) => rules.status(value === 'sold' ? 'available' : value) },
      })),
    },
    'creation-as-pending-answers-200': {
      title: 'A creation with status pending is answered with 200.',
      change: onAnswers(CREATED, (answer, context) =>
        member(sentMembers(context), 'status') === 'pending' ? restated(answer, 200) : answer,
      ),
    },
    'created-status-dropped': {
      title: 'The answer to a creation leaves the status out, though it is kept.',
      also: ['created-pet-echo'],
      change: onAnimals('createPet', ({ status: _status, ...animal }) => animal),
    },
  }),
  ...flawsTurning(['created-pet-echo'], 'suites', {
    'names-escaped-for-html': {
      title: 'Names are escaped for HTML when they are stored.',
      change: keptAs(escapedForHtml),
    },
    'names-stripped-of-tags': {
      title: 'Names are stripped of whatever looks like HTML.',
      change: keptAs((name) => name.replace(/[<>&]/g, '')),
    },
    'names-with-quotes-doubled': {
      title: 'Quotes in names are escaped with a backslash that stays.',
      change: keptAs((name) => name.replace(/["']/g, String.raw`\$&`)),
    },
    'names-escaped-in-created': {
      title: 'Names are escaped for HTML in the answer to a creation, and only there.',
      change: seams(({ renderAnimal }) => ({
        renderAnimal: (animal, context) => {
          const name = isOperation(context, 'createPet') ? escapedForHtml(animal.name) : animal.name;
          return renderAnimal({ ...animal, name }, context);
        },
      })),
    },
    'names-cut-at-64': {
      title: 'Names are cut at 64 characters by their column.',
      change: keptAs((name) => name.slice(0, 64)),
    },
    'names-cut-at-99': {
      title: 'Names are cut at 99 characters, one short of their column.',
      change: keptAs((name) => name.slice(0, 99)),
    },
    'names-in-latin-1': {
      title: 'Characters beyond Latin-1 become question marks in names.',
      change: keptAs((name) => name.replace(/[\u0100-\u{10ffff}]/gu, '?')),
    },
    'names-without-astral-characters': {
      title: 'Characters of four UTF-8 bytes are lost from names, in a column of three-byte UTF-8.',
      change: keptAs((name) => name.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd')),
    },
    'names-decomposed': {
      title: 'Names are normalised to NFD by the file system that they are kept on.',
      change: keptAs((name) => name.normalize('NFD')),
    },
    'names-double-encoded': {
      title: 'The request is read as Latin-1, so that names come back with two signs for each accented letter.',
      change: keptAs((name) => Buffer.from(name, 'utf8').toString('latin1')),
    },
  }),
  ...flawsTurning(['create-ok'], 'suites', {
    'emoji-fails': {
      title: 'A name with an emoji ends in 500.',
      also: ['created-pet-echo'],
      change: instead('createPet', (context) => (named(isAstral)(context) ? failing(context) : null)),
    },
    'emoji-refused': {
      title: 'A name with an emoji is refused with 400.',
      also: ['created-pet-echo'],
      change: seams(() => ({
        creationProblem: (_body, { name }) =>
          isAstral(name) ? invalid('name has characters that are not allowed') : undefined,
      })),
    },
    'long-names-of-sold-refused': {
      title: 'A long name is refused for an animal that is created as sold, though not for another.',
      change: seams(() => ({
        creationProblem: (_body, { name, status }) =>
          status === 'sold' && name.length > 64
            ? invalid('sold animals go to the archive, whose names are short')
            : undefined,
      })),
    },
  }),
  ...flawsTurning(['created-pet-echo'], 'suites', {
    'wide-categories-lose-status': {
      title: 'A category beyond 2^32 takes another path into the store, which leaves the animal without its status.',
      change: seams(({ keep, renderAnimal }) => ({
        keep: (animal) => keep(onThatPath(animal)),
        renderAnimal: (animal, context) => renderAnimal(onThatPath(animal), context),
      })),
    },
    'ordinary-categories-lost': {
      title: 'Small categories are looked up in a table, are not found there, and are kept as 0.',
      change: categoryAs((category) => (category < 1_000n ? 0n : category)),
    },
    'created-name-in-capitals': {
      title: 'Names are stored in capitals.',
      change: keptAs((name) => name.toUpperCase()),
    },
    'created-name-in-small-letters': {
      title: 'Names are stored in small letters.',
      change: keptAs((name) => name.toLowerCase()),
    },
    'names-with-blanks-collapsed': {
      title: 'Several blanks in a row become one in names.',
      change: keptAs((name) => name.replace(/ +/g, ' ')),
    },
  }),
];

/** Whether a creation has what it must have. */
function isComplete(context: Context): boolean {
  const body = sentMembers(context);
  const { rules } = context.behaviour;
  return rules.name(member(body, 'name')).ok && rules.categoryId(member(body, 'categoryId')).ok;
}

/** Whether a creation is one that should succeed. */
const isSound = (context: Context): boolean =>
  isComplete(context) && context.behaviour.rules.status(member(sentMembers(context), 'status')).ok;

function refusingStatus(status: string) {
  return seams(({ rules }) => ({
    rules: {
      ...rules,
      status: (value) =>
        value === status ? refused(invalid(`an animal cannot be created as ${status}`)) : rules.status(value),
    },
  }));
}

/** An animal with a wide category, without its status. */
function onThatPath(animal: Animal): Animal {
  return animal.categoryId > 2n ** 32n ? { ...animal, status: undefined } : animal;
}
