import { LosslessNumber } from 'lossless-json';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Change, Context } from '../../reference/behaviour.js';
import { after, always, chain, counted, withStatus } from '../changes/requests.js';
import { asText, headed, labelled, onAnswers, onObject, onWire } from '../changes/answers.js';
import { onAnimals, statusAsked } from '../changes/animals.js';
import { type Json, type JsonObject, textOf, writeJson } from '../../reference/json.js';
import { errorAnswer, type Header, type Problem } from '../../reference/messages.js';
import { variantsOf } from '../registry.js';

const ERRORS = withStatus(400, 401, 404, 405, 415, 422, 429);

const rewritten = (write: (value: Json) => string): Change =>
  onAnswers(always, (answer) =>
    answer.body.kind === 'json' ? asText(answer, write(answer.body.value), 'application/json') : answer,
  );

const escaped = (text: string): string =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const reversed = (object: JsonObject): JsonObject => Object.fromEntries(Object.entries(object).toReversed());

const withPoint = (animal: JsonObject): JsonObject => ({
  ...animal,
  id: new LosslessNumber(`${textOf(animal['id'])}.0`),
  categoryId: new LosslessNumber(`${textOf(animal['categoryId'])}.0`),
});

const renamed = (rename: (name: string) => string): Change =>
  onWire((wire) => ({
    ...wire,
    headers: wire.headers.map(([name, value]): Header => [rename(name), value]),
  }));

const encoded = (coding: string, encode: (payload: Buffer) => Buffer): Change =>
  onWire((wire, { request }) =>
    request.headers['accept-encoding']?.includes(coding) === true && wire.payload.length > 0
      ? { ...wire, payload: encode(wire.payload), headers: [...wire.headers, ['Content-Encoding', coding]] }
      : wire,
  );

const dated = (alter: (date: string, context: Context) => readonly Header[]): Change =>
  onWire((wire, context) => ({
    ...wire,
    headers: wire.headers.flatMap(([name, value]) =>
      name === 'Date' ? alter(value, context) : [[name, value]],
    ),
  }));

/** Delays of responses, ms: different ones, so they overtake one another. */
const LEAST_DELAY_MS = 5;
const MOST_DELAY_MS = 30;

/** Age of a Date on a sound server, ms, in addition to its cut to whole seconds. */
const STALE_MS = 1_300;

const SKEW_MS = 90_000;

const UNAVAILABLE: Problem = {
  status: 503,
  code: 'unavailable',
  message: 'try again in a moment',
  headers: [['Retry-After', '0']],
};

const LIMITED: Problem = {
  status: 429,
  code: 'rate_limited',
  message: 'the rate limit of this plan is used up',
  headers: [['Retry-After', '1']],
};

const OTHER_HEADERS: readonly Header[] = [
  ['Set-Cookie', 'session=1; HttpOnly'],
  ['Cache-Control', 'no-store'],
  ['ETag', 'W/"1"'],
  ['Vary', 'Accept-Encoding'],
  ['Access-Control-Allow-Origin', '*'],
  ['Strict-Transport-Security', 'max-age=1'],
  ['X-Request-Id', '1'],
  ['RateLimit', '"default";r=1;t=1'],
];

export const transportVariants = variantsOf('suites', {
  'extra-members: Animals and Errors have members that the interface does not name.': chain(
    onAnimals('all', (animal) => ({
      ...animal,
      category: { id: animal['categoryId'] ?? null, name: null },
      tags: [],
      createdAt: '2026-01-01T00:00:00Z',
      price: 12.5,
    })),
    onObject(ERRORS, (error) => ({ ...error, requestId: 'r-1', details: [{ field: 'name' }], help: null })),
  ),
  'members-in-other-order: Members come in another order.': chain(
    onAnimals('all', reversed),
    onObject(ERRORS, reversed),
  ),
  'charset: The media type has a charset.': onAnswers(always, (answer) =>
    labelled(answer, 'application/json; charset=utf-8'),
  ),
  'charset-in-capitals: The media type is in capitals, with a quoted charset and no space.': onAnswers(
    always,
    (answer) => labelled(answer, 'Application/JSON;charset="UTF-8"'),
  ),
  'pretty-printed: JSON is indented and ends with a line break.': rewritten(
    (value) => `${writeJson(value, 2)}\n`,
  ),
  'escaped-characters: Characters beyond ASCII are written as escapes.': rewritten((value) =>
    escaped(writeJson(value)),
  ),
  'slashes-escaped: Slashes and HTML characters are written as escapes.': rewritten((value) =>
    writeJson(value)
      .replaceAll('/', String.raw`\/`)
      .replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
  ),
  'integers-with-point: Integers are written with a decimal point and a zero: 5.0.': onAnimals(
    'all',
    withPoint,
  ),
  'blanks-around-json: Spaces and line breaks surround the JSON.': rewritten(
    (value) => `\r\n \t${writeJson(value)}\n\n`,
  ),
  'errors-in-another-language: Messages of Errors are not in English, and codes are sentences.': onObject(
    ERRORS,
    (error) => ({ ...error, code: '', message: 'Ungültiger Aufruf – 無効 🐾' }),
  ),
  'byte-order-mark: A byte order mark precedes every body.': [
    onWire((wire) => ({
      ...wire,
      payload:
        wire.payload.length === 0 ? wire.payload : Buffer.concat([Buffer.from('\uFEFF'), wire.payload]),
    })),
    { warns: ['json-media-type'] },
  ],
  'repeated-member: Every object has a further member twice, with two values.': [
    rewritten((value) => writeJson(value).replaceAll(/\{(?=")/g, '{"note":1,"note":2,')),
    { warns: ['json-media-type'] },
  ],
  'lower-case-headers: Header names are in lower case.': renamed((name) => name.toLowerCase()),
  'upper-case-headers: Header names are in capitals.': renamed((name) => name.toUpperCase()),
  'gzip: Bodies are compressed with gzip where the client accepts it.': encoded('gzip', gzipSync),
  'deflate: Bodies are compressed with deflate where the client accepts it.': encoded('deflate', deflateSync),
  'brotli: Bodies are compressed with Brotli where the client accepts it.': encoded('br', brotliCompressSync),
  'chunked: Bodies come in chunks, with no Content-Length.': onWire((wire) => ({ ...wire, chunked: true })),
  'connection-close: Every connection ends after one response.': onWire((wire) => ({
    ...wire,
    closes: true,
  })),
  'closes-after-refusals: The connection ends after each refused request.': onWire((wire) => ({
    ...wire,
    closes: wire.status >= 400,
  })),
  'creation-unavailable-once: The third creation gets 503 with a Retry-After, and succeeds when it is repeated.':
    counted('createPet', (count, context, sound) =>
      count === 3 ? errorAnswer(UNAVAILABLE) : sound(context),
    ),
  'listing-limited-once: The first listing with a filter gets 429, and succeeds after the wait.': counted(
    'listPets',
    (count, context, sound) => (count === 1 ? errorAnswer(LIMITED) : sound(context)),
    (context) => statusAsked(context) !== null,
  ),
  'slow-and-jittery: Responses take 5 to 30 ms.': onWire((wire) => ({
    ...wire,
    delayMs: LEAST_DELAY_MS + Math.random() * (MOST_DELAY_MS - LEAST_DELAY_MS),
  })),
  'clock-ahead: The server’s clock is 90 s ahead, in both Date and Reset.': after(
    'clock',
    (now) => now + SKEW_MS,
  ),
  'clock-behind: The server’s clock is 90 s behind, in both Date and Reset.': after(
    'clock',
    (now) => now - SKEW_MS,
  ),
  'no-date: Responses have no Date.': [
    dated(() => []),
    { expect: 'inconclusive', clouds: ['rate-headers-wellformed'] },
  ],
  'stale-date: Date is up to 2.3 s old, as on servers that update it only at intervals.': dated(
    (_date, { request }) => [['Date', new Date(request.at - STALE_MS).toUTCString()]],
  ),
  'many-other-headers: Responses also have cookies, security headers, CORS, an ETag and the draft’s rate headers.':
    headed(always, ...OTHER_HEADERS),
});
