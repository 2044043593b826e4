import type { Change } from '../behaviour.js';
import { around, isOperation, keptAs, seams } from '../changes.js';
import { isObject, member, readJson, type JsonObject } from '../json.js';
import { invalid, read, type Problem } from '../messages.js';
import { isStatus } from '../reading.js';
import { variantsOf } from '../registry.js';

const creations = (problemOf: (body: JsonObject, name: string, category: bigint) => Problem | undefined): Change =>
  seams(({ creationProblem }) => ({
    creationProblem: (body, animal, context) =>
      problemOf(body, animal.name, animal.categoryId) ?? creationProblem(body, animal, context),
  }));

const names = (test: (name: string) => boolean, problem: Problem = invalid('the name is not valid')): Change =>
  creations((_body, name) => (test(name) ? problem : undefined));

/** Shows new animals in listings, or fetches, so many ms late. */
const late = (operation: 'listPets' | 'getPet', ms: number): Change =>
  seams(({ visible, find }) => ({
    visible: (context) =>
      visible(context).filter(({ addedAt }) => !isOperation(context, operation) || addedAt + ms <= context.request.at),
    find: (context, id) => {
      const animal = find(context, id);
      return animal && isOperation(context, operation) && animal.addedAt + ms > context.request.at ? undefined : animal;
    },
  }));

const lengthOf = (name: string): number => Array.from(name).length;

/** Freedom where exploring looks: what the interface is silent about, and what may be late. */
export const exploringVariants = variantsOf('suites', {
  'control-characters-refused': {
    title: 'A name with a control character is refused with 400.',
    change: names((name) => /\p{Cc}/u.test(name)),
  },
  'nul-refused': {
    title: 'A name with a NUL is refused with 400.',
    change: names((name) => name.includes('\0')),
  },
  'nothing-but-text-taken': {
    title:
      'A name with a control or format character, a separator of lines or no character at all is refused with 400; emoji may be joined.',
    change: names((name) => /[\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cn}]|[\u200b\u202e\u00ad\ufeff]/u.test(name)),
  },
  'names-of-eighty-at-most': {
    title: 'A name of more than 80 characters is refused with 400.',
    change: names((name) => lengthOf(name) > 80),
  },
  'long-name-422': {
    title: 'A name of more than 200 characters is refused with 422.',
    change: names((name) => lengthOf(name) > 200, { status: 422, code: 'too_long', message: 'the name is too long' }),
  },
  'long-name-413': {
    title: 'A name of more than 255 characters is refused with 413.',
    change: names((name) => lengthOf(name) > 255, { status: 413, code: 'too_large', message: 'the body is too large' }),
  },
  'empty-name-422': {
    title: 'An empty name, or one of blanks alone, is refused with 422.',
    change: names((name) => name.trim() === '', { status: 422, code: 'empty', message: 'the name is empty' }),
  },
  'outer-blanks-trimmed': {
    title: 'Blanks around a name are not kept.',
    change: keptAs((name) => name.trim()),
  },
  'outer-blanks-refused': {
    title: 'A name with blanks around it is refused with 400.',
    change: names((name) => name !== name.trim()),
  },
  'own-ids-refused': {
    title: 'A creation that brings an id along is refused with 400.',
    change: creations((body) =>
      Object.hasOwn(body, 'id') || Object.hasOwn(body, '_id') ? invalid('the service assigns ids') : undefined,
    ),
  },
  'last-member-wins': {
    title: 'Of a member that stands twice the last counts.',
    change: seams(({ readBody }) => ({
      readBody: (text) => {
        const body = readBody(text);
        if (body.ok) return body;
        const once = readJson(text.replace(/"name":"Rex",(?=.*"name":"Twice")/, ''));
        return isObject(once) && member(once, 'name') === 'Twice' ? read(once) : body;
      },
    })),
  },
  'categories-above-0': {
    title: 'A category of 0 or less does not exist and is refused with 400.',
    clouds: ['pet-int64'],
    change: creations((_body, _name, category) => (category <= 0n ? invalid('no such category') : undefined)),
  },
  'ids-in-paths-decoded': {
    title: 'Percent-encoded ids are decoded.',
    change: seams(({ readId }) => ({
      readId: (text) => {
        try {
          return readId(decodeURIComponent(text));
        } catch {
          return readId(text);
        }
      },
    })),
  },
  'ids-read-leniently': {
    title: 'Of an id the digits at its beginning count.',
    change: seams(({ readId }) => ({ readId: (text) => readId(/^-?\d{1,19}/.exec(text)?.[0] ?? text) })),
  },
  'limits-read-leniently': {
    title: 'Of a limit the digits at its beginning count, and one that is none is left out.',
    change: seams(({ readLimit }) => ({
      readLimit: (text) =>
        text === null || /^\d+$/.test(text) ? readLimit(text) : readLimit(/^\s*\+?0*(\d{1,2})/.exec(text)?.[1] ?? null),
    })),
  },
  'statuses-in-any-case': {
    title: 'The filter takes a status in any letter case, and with blanks around it.',
    change: seams(({ readStatus }) => ({
      readStatus: (text) => {
        const status = text?.trim().toLowerCase();
        return isStatus(status) ? read(status) : readStatus(text);
      },
    })),
  },
  'parameters-twice-refused': {
    title: 'A parameter that is given twice is refused with 400.',
    change: around('listPets', (context, sound) =>
      new Set(context.request.query.keys()).size < context.request.query.size
        ? context.behaviour.problem(invalid('a parameter is given twice'), context)
        : sound(context),
    ),
  },
  'listings-late': {
    title: 'A created animal can be fetched at once and shows in listings after 1.5 s.',
    change: late('listPets', 1_500),
  },
  'fetches-late': {
    title: 'A created animal is in listings at once and can be fetched after a second.',
    change: late('getPet', 1_000),
  },
  'replica-behind': {
    title: 'Every second request is answered by a replica that is 800 ms behind.',
    change: seams(({ visible, find }) => ({
      visible: (context) =>
        visible(context).filter(
          ({ addedAt }) => context.request.serial % 2 === 0 || addedAt + 800 <= context.request.at,
        ),
      find: (context, id) => {
        const animal = find(context, id);
        return animal && context.request.serial % 2 === 1 && animal.addedAt + 800 > context.request.at
          ? undefined
          : animal;
      },
    })),
  },
  'others-add-now-and-then': {
    title: 'With every ninth listing another client has added an animal.',
    change: seams(({ operations, idOf }) => {
      let listings = 0;
      return {
        operations: {
          ...operations,
          listPets: (context) => {
            listings += 1;
            const id = idOf(context.store.all().length + 1);
            if (listings % 9 === 0)
              context.store.add({ id, name: 'Wanda', categoryId: 3n, status: 'sold', addedAt: context.request.at });
            return operations.listPets(context);
          },
        },
      };
    }),
  },
  'further-scheme-words-refused': {
    title: 'Whoever comes with anything but Bearer and one word is told of a malformed header, with 401.',
    change: seams(({ unauthorized, authenticate }) => ({
      authenticate: (request, settings) =>
        /^bearer \S+$/i.test(request.headers['authorization'] ?? '')
          ? authenticate(request, settings)
          : { kind: 'unknown' },
      unauthorized,
    })),
  },
});
