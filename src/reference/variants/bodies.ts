import { LosslessNumber } from 'lossless-json';
import { always, labelled, onAnimals, onAnswers, onObject, withStatus, type Which } from '../changes.js';
import { textOf, writeJson, type JsonObject } from '../json.js';
import type { Answer } from '../messages.js';
import { variantsOf } from '../registry.js';

const ERRORS = withStatus(400, 401, 404, 405, 415, 422, 429);

/** Another way to write the same JSON. */
const rewritten = (which: Which, write: (answer: Answer & { body: { kind: 'json' } }) => string) =>
  onAnswers(which, (answer) =>
    answer.body.kind === 'json'
      ? {
          ...answer,
          body: { kind: 'text', mediaType: 'application/json', text: write({ ...answer, body: answer.body }) },
        }
      : answer,
  );

const escaped = (text: string): string =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const reversed = (object: JsonObject): JsonObject => Object.fromEntries(Object.entries(object).toReversed());

const withPoint = (animal: JsonObject): JsonObject => ({
  ...animal,
  id: new LosslessNumber(`${textOf(animal['id'])}.0`),
  categoryId: new LosslessNumber(`${textOf(animal['categoryId'])}.0`),
});

/** Freedom in how JSON is written and labelled. */
export const bodyVariants = variantsOf('suites', {
  'extra-members': {
    title: 'Animals and Errors carry members that the interface does not name.',
    change: (behaviour) =>
      onObject(ERRORS, (error) => ({ ...error, requestId: 'r-1', details: [{ field: 'name' }], help: null }))(
        onAnimals('all', (animal) => ({
          ...animal,
          category: { id: animal['categoryId'] ?? null, name: null },
          tags: [],
          createdAt: '2026-01-01T00:00:00Z',
          price: 12.5,
        }))(behaviour),
      ),
  },
  'members-in-other-order': {
    title: 'Members come in another order.',
    change: (behaviour) => onObject(ERRORS, reversed)(onAnimals('all', reversed)(behaviour)),
  },
  charset: {
    title: 'The media type carries a charset.',
    change: onAnswers(always, (answer) => labelled(answer, 'application/json; charset=utf-8')),
  },
  'charset-in-capitals': {
    title: 'The media type is written in capitals, with a quoted charset and no blank.',
    change: onAnswers(always, (answer) => labelled(answer, 'Application/JSON;charset="UTF-8"')),
  },
  'pretty-printed': {
    title: 'JSON is indented and ends with a line break.',
    change: rewritten(always, ({ body }) => `${writeJson(body.value, 2)}\n`),
  },
  'escaped-characters': {
    title: 'Characters beyond ASCII are written as escapes.',
    change: rewritten(always, ({ body }) => escaped(writeJson(body.value))),
  },
  'slashes-escaped': {
    title: 'Slashes and the signs of HTML are written as escapes.',
    change: rewritten(always, ({ body }) =>
      writeJson(body.value)
        .replaceAll('/', String.raw`\/`)
        .replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
    ),
  },
  'integers-with-point': {
    title: 'Integers are written with a point and a nought: 5.0.',
    change: onAnimals('all', withPoint),
  },
  'blanks-around-json': {
    title: 'Blanks and line breaks stand before and after the JSON.',
    change: rewritten(always, ({ body }) => `\r\n \t${writeJson(body.value)}\n\n`),
  },
  'errors-in-another-language': {
    title: 'Messages of Errors are not in English, and codes are sentences.',
    change: onObject(ERRORS, (error) => ({ ...error, code: '', message: 'Ungültiger Aufruf – 無効 🐾' })),
  },
});
