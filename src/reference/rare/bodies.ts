import { fallingOver, renumbered, seams } from '../changes/requests.js';
import { reading, refusingBodies } from '../changes/creations.js';
import { integerOf, isNumber, isObject, type Json, type JsonObject, member, readJson } from '../json.js';
import { flawsBy, flawsTurning } from '../registry.js';

/** Single member of an object if it is an object too. */
const wrapped = (value: Json | undefined): JsonObject | undefined => {
  const members = isObject(value) ? Object.values(value) : [];
  const [only] = members;
  return members.length === 1 && isObject(only) ? only : undefined;
};

/** Parses a text again after removing what strict JSON forbids. */
const repaired = (repair: (text: string) => string) =>
  reading((text, value) => {
    if (value !== undefined) return undefined;
    const again = readJson(repair(text));
    return isObject(again) ? again : undefined;
  });

/** Flaws of bodies that are no animal, or another spelling of one. */
export const rareBodies = [
  ...flawsTurning('create-invalid-value', 'explore', {
    'body-of-no-object-falls-over: A body that is a number or a boolean is read as if it had members.': fallingOver(
      'createPet',
      ({ request }) => {
        const body = readJson(request.body);
        return isNumber(body) || typeof body === 'boolean';
      },
    ),
    'bare-number-taken: A body that is a number becomes an animal of that category.': reading((_text, value) =>
      isNumber(value) ? (readJson('{"name":"Rex","categoryId":1}') as JsonObject) : undefined,
    ),
    'array-of-one-taken: An array of one animal is accepted as the animal.': reading((_text, value) =>
      Array.isArray(value) && value.length === 1 && isObject(value[0]) ? value[0] : undefined,
    ),
  }),
  ...flawsBy('create-missing-field', 'explore', reading, {
    'wrapped-animal-taken: An animal nested one level too deep is accepted.': (_text, value) => wrapped(value),
    'like-member-taken: Members with similar names are accepted as the category.': (_text, value) =>
      isObject(value) &&
      !Object.hasOwn(value, 'categoryId') &&
      (Object.hasOwn(value, 'category') || Object.hasOwn(value, 'category_id'))
        ? { ...value, categoryId: member(readJson('{"categoryId":1}') as JsonObject, 'categoryId') ?? null }
        : isObject(value) && Object.hasOwn(value, 'petName')
          ? { ...value, name: 'Rex' }
          : undefined,
  }),
  ...flawsBy('create-malformed-json', 'explore', repaired, {
    'trailing-comma-taken: A comma before the closing brace is accepted.': (text) => text.replace(/,\s*\}/, '}'),
    'comments-taken: Comments in JSON are accepted.': (text) => text.replace(/\/\*.*?\*\//s, ''),
    'raw-line-break-taken: A raw line break inside a text is accepted.': (text) => text.replaceAll('\n', '\\n'),
    'leading-noughts-taken: Numbers with a leading zero are accepted.': (text) => text.replace(/:0(\d)/, ':$1'),
  }),
  ...flawsTurning('create-malformed-json', 'explore', {
    'second-object-overlooked: Text after the first JSON object is ignored.': reading((text, value) => {
      if (value !== undefined || !/\}\s*[{}1]/.test(text)) return undefined;
      const first = readJson(text.slice(0, text.indexOf('}') + 1));
      return isObject(first) ? first : undefined;
    }),
  }),
  ...flawsTurning('create-ok', 'explore', {
    'escaped-members-unknown: Member names written with escapes are not recognised.': [
      refusingBodies((text) => text.startsWith('{"\\u'), 'name is required'),
      ['declared-status', 'create-each-status', 'create-status-optional'],
    ],
    'blanks-before-json-refused: A body that starts with a space is rejected.': [
      refusingBodies((text) => /^\s+\{/.test(text), 'the request body is not JSON'),
      ['declared-status', 'create-each-status', 'create-status-optional'],
    ],
  }),
  ...flawsTurning('created-pet-echo', 'explore', {
    'status-before-name-ignored: A status before the name is read too early and lost.': seams(({ readBody }) => ({
      readBody: (text) => {
        const body = readBody(text);
        if (!body.ok || !text.startsWith('{"status"')) return body;
        const { status: _status, ...rest } = body.value;
        return { ok: true, value: rest };
      },
    })),
    'escaped-name-kept-raw: A name written with escapes is stored with the escapes.': seams(({ readBody }) => ({
      readBody: (text) => {
        const body = readBody(text);
        const raw = /"name":"(\\u[^"]*)"/.exec(text)?.[1];
        return body.ok && raw !== undefined ? { ok: true, value: { ...body.value, name: raw } } : body;
      },
    })),
  }),
  ...flawsTurning('pet-id-unique', 'explore', {
    'own-id-taken: The id in a creation is used, even if another animal has it.': [
      seams(({ operations, readBody, idOf }) => ({
        operations: {
          ...operations,
          createPet: (context) => {
            const body = readBody(context.request.body);
            const id = body.ok ? (member(body.value, 'id') ?? member(body.value, '_id')) : undefined;
            const given = isNumber(id)
              ? integerOf(id)
              : typeof id === 'string' && /^\d+$/.test(id)
                ? BigInt(id)
                : undefined;
            return operations.createPet(renumbered(context, (nth) => given ?? idOf(nth)));
          },
        },
      })),
      ['list-matches-created', 'get-matches-created', 'list-matches-get', 'get-ok'],
    ],
  }),
];
