import type { RequirementId } from '../../base/interface/types.js';
import type { Exchange, Header, Intent } from '../../wire/exchange/types.js';
import { AT, exchangeOf, list, pet, SOUND_HEADERS } from './exchange.test.support.js';
import { RATE_HEADERS } from '../../base/interface/rate-headers.js';

export type Outcome = 'kept' | 'violated' | 'warns' | 'inconclusive' | 'not judged';

export const DECLARED: Intent = { kind: 'declared', statuses: [200] };
const CREATED: Intent = { kind: 'expects', statuses: [201], chargedTo: 'create-ok' };
const UNKNOWN: Intent = { kind: 'expects', statuses: [404], chargedTo: 'get-unknown' };
export const OPEN: Intent = { kind: 'open', row: 'list-status-unknown' };
const MALFORMED: Intent = { kind: 'open', row: 'get-malformed-id' };
const ERROR = '{"code":"unauthorized","message":"no key","status":401}';
const refused = (text: string, status = 401, type = 'application/json'): Exchange =>
  exchangeOf({
    intent: { kind: 'expects', statuses: [401], chargedTo: 'auth-missing-key' },
    credential: { kind: 'none' },
    status,
    text,
    type,
  });
const without = (name: string): readonly Header[] =>
  SOUND_HEADERS.filter(([candidate]) => candidate !== name);
const withHeader = (name: string, value: string): Exchange =>
  exchangeOf({ headers: [...without(name), [name, value]] });

/** How each passive row judges an exchange: both ways at least. */
export const CASES: readonly (readonly [
  row: RequirementId,
  what: string,
  exchange: Exchange,
  expected: Outcome,
])[] = [
  ['declared-status', 'a declared status', exchangeOf({ intent: DECLARED }), 'kept'],
  ['declared-status', 'an undeclared status', exchangeOf({ intent: DECLARED, status: 500 }), 'violated'],
  [
    'declared-status',
    'a status code that another requirement covers',
    exchangeOf({ status: 500 }),
    'not judged',
  ],
  ['declared-status', 'a 403 for a valid key', exchangeOf({ intent: DECLARED, status: 403 }), 'not judged'],
  ['declared-status', 'a 429', exchangeOf({ intent: DECLARED, status: 429 }), 'not judged'],
  [
    'declared-status',
    'a 5xx where the interface leaves the status code open',
    exchangeOf({ intent: OPEN, status: 502 }),
    'warns',
  ],
  [
    'declared-status',
    'a 4xx where the interface leaves the status code open',
    exchangeOf({ intent: OPEN, status: 422 }),
    'not judged',
  ],

  ['json-media-type', 'JSON', exchangeOf({ text: '[]' }), 'kept'],
  ['json-media-type', 'a text type', exchangeOf({ type: 'text/plain' }), 'violated'],
  ['json-media-type', 'broken JSON', exchangeOf({ text: '[' }), 'violated'],
  ['json-media-type', 'bytes that are not UTF-8', exchangeOf({ notUtf8: true }), 'violated'],
  ['json-media-type', 'bytes in no coding', exchangeOf({ miscoded: true }), 'violated'],
  ['json-media-type', 'a byte order mark', exchangeOf({ marked: true }), 'warns'],
  ['json-media-type', 'an id twice', exchangeOf({ text: '[{"id":1,"id":2}]' }), 'violated'],
  ['json-media-type', 'an id twice with one value', exchangeOf({ text: list('{"id":1,"id":1}') }), 'kept'],
  ['json-media-type', 'a further member twice', exchangeOf({ text: '[{"n":1,"n":2}]' }), 'warns'],
  ['json-media-type', 'a code twice in an animal', exchangeOf({ text: '[{"code":1,"code":2}]' }), 'warns'],
  [
    'json-media-type',
    'an id twice in a further object',
    exchangeOf({ text: '[{"o":{"id":1,"id":2}}]' }),
    'warns',
  ],
  ['json-media-type', 'an id twice in an Error', refused('{"id":1,"id":2}', 401), 'warns'],
  [
    'json-media-type',
    'a message twice in an Error',
    refused('{"message":"a","message":"b"}', 401),
    'violated',
  ],
  ['json-media-type', 'no body', exchangeOf({ text: '', type: null }), 'not judged'],
  [
    'json-media-type',
    'an HTML page for an undeclared status code',
    exchangeOf({ status: 500, type: 'text/html' }),
    'not judged',
  ],
  ['json-media-type', 'a text for a declared 401', refused('no key', 401, 'text/plain'), 'violated'],
  ['json-media-type', 'a page with 200 instead of a 401', refused('<p>', 200, 'text/html'), 'not judged'],

  [
    'json-media-type',
    'an HTML page for a 404 that the interface leaves open',
    exchangeOf({ operation: 'getPet', intent: MALFORMED, status: 404, type: 'text/html', text: '<p>' }),
    'not judged',
  ],

  ['pets-array', 'an array', exchangeOf({ text: list(pet(1)) }), 'kept'],
  ['pets-array', 'an array of numbers', exchangeOf({ text: '[1]' }), 'kept'],
  ['pets-array', 'an Error with 200 instead of a 401', refused(ERROR, 200), 'not judged'],
  ['pets-array', 'an envelope', exchangeOf({ text: '{"pets":[]}' }), 'violated'],
  ['pets-array', 'invalid JSON', exchangeOf({ text: '[' }), 'not judged'],
  ['pets-array', 'a fetched animal', exchangeOf({ operation: 'getPet', text: pet(1) }), 'not judged'],

  ['pet-shape', 'correct animals', exchangeOf({ text: list(pet(1), pet(2, '')) }), 'kept'],
  ['pet-shape', '1.0 for an id', exchangeOf({ text: list(pet('1.0')) }), 'kept'],
  ['pet-shape', 'no animals', exchangeOf({ text: '[]' }), 'not judged'],
  ['pet-shape', 'an envelope', exchangeOf({ text: '{"pets":[{}]}' }), 'not judged'],
  ['pet-shape', 'an id as text', exchangeOf({ text: '[{"id":"1","name":"a","categoryId":1}]' }), 'violated'],
  ['pet-shape', 'a fraction', exchangeOf({ text: list(pet(1.5)) }), 'violated'],
  ['pet-shape', 'a status in capitals', exchangeOf({ text: list(pet(1, '"status":"SOLD"')) }), 'violated'],
  [
    'pet-shape',
    'a status of null',
    exchangeOf({ operation: 'getPet', text: pet(1, '"status":null') }),
    'violated',
  ],
  ['pet-shape', 'a wrong last animal', exchangeOf({ text: list(pet(1), pet(2), '{"id":3}') }), 'violated'],
  [
    'pet-shape',
    'a created animal without id',
    exchangeOf({ operation: 'createPet', intent: CREATED, status: 201, text: '{"name":"a"}' }),
    'violated',
  ],

  [
    'pet-shape',
    'null with 200 instead of a 404',
    exchangeOf({ operation: 'getPet', intent: UNKNOWN, text: 'null' }),
    'not judged',
  ],

  ['error-shape', 'a correct Error', refused(ERROR), 'kept'],
  [
    'error-shape',
    'an Error with additional members',
    refused('{"code":"a","message":"b","status":1,"trace":[]}'),
    'kept',
  ],
  ['error-shape', 'a status as text', refused('{"code":"a","message":"b","status":"401"}'), 'violated'],
  ['error-shape', 'an array', refused('[]'), 'violated'],
  ['error-shape', 'no body', refused(''), 'violated'],
  ['error-shape', 'an undeclared status', refused('{}', 403), 'not judged'],
  ['error-shape', 'a success', exchangeOf({}), 'not judged'],
  ...['null', '', '{}', '[]', '{"code":"none","message":"none","status":404}'].map(
    (text) =>
      [
        'pet-shape',
        `${text || 'nothing'} for an id that is no integer`,
        exchangeOf({ operation: 'getPet', intent: MALFORMED, text }),
        'not judged',
      ] as const,
  ),
  [
    'pet-shape',
    'an animal without a name for an id that is no integer',
    exchangeOf({ operation: 'getPet', intent: MALFORMED, text: '{"id":1,"categoryId":2}' }),
    'violated',
  ],
  [
    'json-media-type',
    'a page for an id that is no integer',
    exchangeOf({ operation: 'getPet', intent: MALFORMED, type: 'text/html', text: '<p>' }),
    'not judged',
  ],
  [
    'rate-headers-present',
    'a page for an id that is no integer',
    exchangeOf({ operation: 'getPet', intent: MALFORMED, type: 'text/html', text: '<p>', headers: [] }),
    'not judged',
  ],

  [
    'error-shape',
    'a 404 that the interface leaves open',
    exchangeOf({ operation: 'getPet', intent: MALFORMED, status: 404, text: '{}' }),
    'not judged',
  ],
  [
    'rate-headers-present',
    'a 404 of the router',
    exchangeOf({ operation: 'getPet', intent: MALFORMED, status: 404, headers: [] }),
    'not judged',
  ],
  [
    'rate-headers-present',
    'a 400 that the interface leaves open',
    exchangeOf({ intent: OPEN, status: 400, headers: [] }),
    'violated',
  ],

  [
    'error-shape',
    'no Error with 404 instead of 200',
    exchangeOf({ operation: 'getPet', status: 404, text: '{}' }),
    'not judged',
  ],

  ['error-status-matches', 'the same status', refused(ERROR), 'kept'],
  [
    'error-status-matches',
    'the same status in another notation',
    refused(ERROR.replace('401}', '4.01e2}')),
    'kept',
  ],
  ['error-status-matches', 'another status', refused(ERROR.replace('401}', '400}')), 'violated'],
  ['error-status-matches', 'another status with 404 instead of 401', refused(ERROR, 404), 'not judged'],
  ['error-status-matches', 'no status member', refused('{"code":"a","message":"b"}'), 'not judged'],

  ['rate-headers-present', 'all three headers', exchangeOf({}), 'kept'],
  ['rate-headers-present', 'all three headers on a 401', refused(ERROR), 'kept'],
  ['rate-headers-present', 'no headers', exchangeOf({ headers: [] }), 'violated'],
  ...[RATE_HEADERS.limit, RATE_HEADERS.remaining, RATE_HEADERS.reset].map(
    (name) =>
      ['rate-headers-present', `no ${name}`, exchangeOf({ headers: without(name) }), 'violated'] as const,
  ),
  [
    'rate-headers-present',
    'names in another case',
    exchangeOf({ headers: SOUND_HEADERS.map(([name, value]) => [name.toLowerCase(), value]) }),
    'kept',
  ],
  ['rate-headers-present', 'a 431 of the HTTP layer', exchangeOf({ status: 431, headers: [] }), 'not judged'],

  ['rate-headers-wellformed', 'plain numbers', exchangeOf({}), 'kept'],
  ['rate-headers-wellformed', 'no rate headers', exchangeOf({ headers: [] }), 'not judged'],
  ['rate-headers-wellformed', 'a fraction', withHeader(RATE_HEADERS.remaining, '58.5'), 'violated'],
  ['rate-headers-wellformed', 'a negative Remaining', withHeader(RATE_HEADERS.remaining, '-1'), 'violated'],
  [
    'rate-headers-wellformed',
    'a Remaining above Limit',
    withHeader(RATE_HEADERS.remaining, '61'),
    'violated',
  ],
  [
    'rate-headers-wellformed',
    'a Reset in seconds from now',
    withHeader(RATE_HEADERS.reset, '60'),
    'violated',
  ],
  [
    'rate-headers-wellformed',
    'a Reset in milliseconds',
    withHeader(RATE_HEADERS.reset, String(AT + 60_000)),
    'violated',
  ],
  [
    'rate-headers-wellformed',
    'a Reset long ago',
    withHeader(RATE_HEADERS.reset, String(AT / 1000 - 60)),
    'violated',
  ],
  [
    'rate-headers-wellformed',
    'a Reset too far ahead',
    withHeader(RATE_HEADERS.reset, String(AT / 1000 + 120)),
    'violated',
  ],
  [
    'rate-headers-wellformed',
    'a Date that is 3 s old',
    withHeader(RATE_HEADERS.reset, String(AT / 1000 + 63)),
    'kept',
  ],
  ['rate-headers-wellformed', 'no Date', exchangeOf({ headers: without('Date') }), 'not judged'],
];
