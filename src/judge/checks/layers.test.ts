import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Credential, Exchange, Intent } from '../../wire/exchange/types.js';
import { LosslessNumber } from 'lossless-json';
import type { RequirementId } from '../../base/interface/types.js';
import { describe } from '../findings/describe.js';
import { firstBreak, shapeBreaks, statusBreak } from './layers.js';
import { exchangeOf, judging, pet } from './exchange.test.support.js';

const expects = (chargedTo: RequirementId, ...statuses: number[]): Intent => ({
  kind: 'expects',
  statuses,
  chargedTo,
});
const DECLARED: Intent = { kind: 'declared', statuses: [200] };
const OPEN: Intent = { kind: 'open', row: 'list-limit-out-of-range' };
const LIST_OK = expects('list-ok', 200);
const MISSING = expects('create-missing-field', 400);
const VALID: Credential = { kind: 'valid', plan: 'pro' };
const NONE: Credential = { kind: 'none' };

/** Rows charged with a status code: null if the code is right, `nobody` if no row is. */
const STATUSES: readonly (readonly [
  what: string,
  given: { intent: Intent; credential?: Credential; status?: number; none?: 'reset' },
  charged: string | null,
])[] = [
  ['a 200 for the plain listing', { intent: LIST_OK }, null],
  ['a 500 for the plain listing', { intent: LIST_OK, status: 500 }, 'list-ok'],
  ['a 422 for a missing field', { intent: MISSING, status: 422 }, 'create-missing-field'],
  ['a 201 for a missing field', { intent: MISSING, status: 201 }, 'create-missing-field'],
  [
    'a 500 for a request without an expected status code',
    { intent: DECLARED, status: 500 },
    'declared-status',
  ],
  [
    'a 404 for a request without an expected status code',
    { intent: DECLARED, status: 404 },
    'declared-status',
  ],
  ['any status code that the interface leaves open', { intent: OPEN, status: 503 }, null],
  ['a 401 for a listing with a valid key', { intent: LIST_OK, status: 401 }, 'auth-valid-key'],
  [
    'a 403 for a valid key without an expected status code',
    { intent: DECLARED, status: 403 },
    'auth-valid-key',
  ],
  [
    'a 403 for a valid key where 201 or 400 is expected',
    { intent: expects('create-ok', 201, 400), status: 403 },
    'auth-valid-key',
  ],
  ['a 401 for a valid key where 400 is expected', { intent: MISSING, status: 401 }, 'create-missing-field'],
  [
    'a 401 for a lower-case scheme',
    { intent: expects('auth-scheme-case', 200), status: 401 },
    'auth-scheme-case',
  ],
  [
    'a 403 for a missing key',
    { intent: expects('auth-missing-key', 401), credential: NONE, status: 403 },
    'auth-missing-key',
  ],
  [
    'a 200 for a missing key',
    { intent: expects('auth-missing-key', 401), credential: NONE, status: 200 },
    'auth-missing-key',
  ],
  ['an unprovoked 429', { intent: LIST_OK, status: 429 }, 'nobody'],
  [
    'an unprovoked 429 without a key',
    { intent: expects('auth-missing-key', 401), credential: NONE, status: 429 },
    'nobody',
  ],
  [
    'an unprovoked 429 where the interface leaves the status code open',
    { intent: OPEN, status: 429 },
    'nobody',
  ],
  ['an expected 429', { intent: expects('rate-429', 429), status: 429 }, null],
  ['no response', { intent: LIST_OK, none: 'reset' }, 'nobody'],
];

for (const [what, given, charged] of STATUSES)
  test(`${what} ${charged === null ? 'is correct' : `is reported under ${charged.replace('nobody', 'no requirement')}`}`, () => {
    const broken = statusBreak(exchangeOf({ credential: VALID, ...given }));
    assert.equal(broken && (broken.charged ?? 'nobody'), charged);
  });

const PET = pet(1);
const ERROR = '{"code":"unauthorized","message":"no key","status":401}';
const created = (text: string, type: string | null = 'application/json'): Exchange =>
  exchangeOf({ operation: 'createPet', intent: expects('create-ok', 201), status: 201, text, type });
const keyless = (text: string, type = 'application/json'): Exchange =>
  exchangeOf({ intent: expects('auth-missing-key', 401), credential: NONE, status: 401, text, type });

/** The first broken layer is charged, even if others above it are broken too. */
const LAYERS: readonly (readonly [
  what: string,
  exchange: Exchange,
  layer: string | null,
  charged: string | null,
])[] = [
  ['a correct listing', exchangeOf({ text: `[${PET}]` }), null, null],
  ['a media type with parameters', exchangeOf({ type: 'Application/JSON ; charset=utf-8' }), null, null],
  [
    'a correct animal with additional members',
    created(pet(1, '"status":"sold","tags":[],"owner":null')),
    null,
    null,
  ],
  ['a 500 as HTML', exchangeOf({ status: 500, type: 'text/html', text: '<p>' }), 'status', 'list-ok'],
  ['an HTML page', exchangeOf({ type: 'text/html', text: '<html>' }), 'media', 'json-media-type'],
  [
    'an envelope as +json',
    exchangeOf({ type: 'application/hal+json', text: '{}' }),
    'media',
    'json-media-type',
  ],
  ['JSON as text/json', exchangeOf({ type: 'text/json', text: '[]' }), 'media', 'json-media-type'],
  ['JSON without a type', created(PET, null), 'media', 'json-media-type'],
  [
    'a list of two media types',
    exchangeOf({ type: 'application/json, text/html' }),
    'media',
    'json-media-type',
  ],
  ['broken JSON', exchangeOf({ text: '[{]' }), 'media', 'json-media-type'],
  ['JSON in another encoding', exchangeOf({ text: '["\uFFFD"]', notUtf8: true }), 'media', 'json-media-type'],
  ['JSON nested 200,000 deep', exchangeOf({ text: '['.repeat(200_000) }), 'media', 'json-media-type'],
  ['an envelope', exchangeOf({ text: `{"data":[${PET}]}` }), 'shape', 'pets-array'],
  ['null for a listing', exchangeOf({ text: 'null' }), 'shape', 'pets-array'],
  ['an empty body for a listing', exchangeOf({ text: '' }), 'shape', 'pets-array'],
  ['an empty body for an animal', created(''), 'shape', 'pet-shape'],
  ['an animal without id', created('{"name":"a","categoryId":1}'), 'shape', 'pet-shape'],
  [
    'an animal in a listing without name',
    exchangeOf({ text: '[{"id":1,"categoryId":1}]' }),
    'shape',
    'pet-shape',
  ],
  [
    'an object with number-like members as id',
    created('{"id":{"isLosslessNumber":true,"value":"1"},"name":"a","categoryId":1}'),
    'shape',
    'pet-shape',
  ],
  [
    'an animal with its members under __proto__',
    created('{"__proto__":{"id":1,"name":"a","categoryId":1}}'),
    'shape',
    'pet-shape',
  ],
  ['an id of 1e400', created('{"id":1e400,"name":"a","categoryId":1}'), 'shape', 'pet-shape'],
  ['a status of null', created(pet(1, '"status":null')), 'shape', 'pet-shape'],
  ['a correct Error', keyless(ERROR), null, null],
  ['an Error as problem+json', keyless(ERROR, 'application/problem+json'), 'media', 'json-media-type'],
  ['an Error without code', keyless('{"message":"m","status":401}'), 'shape', 'error-shape'],
  ['an empty body for an Error', keyless(''), 'shape', 'error-shape'],
  [
    'an undeclared 400 for a listing',
    exchangeOf({ intent: OPEN, status: 400, type: 'text/plain', text: 'no' }),
    null,
    null,
  ],
];

for (const [what, exchange, layer, charged] of LAYERS)
  test(`${what} breaks ${layer ? `the ${layer} layer and is reported under ${charged}` : 'nothing'}`, () => {
    const broken = firstBreak(exchange, judging);
    assert.deepEqual([broken?.layer ?? null, broken?.charged ?? null], [layer, charged]);
  });

test('a broken layer states what was expected and received', () => {
  const broken = firstBreak(exchangeOf({ text: `[${PET},{"id":"2","name":"a","categoryId":1}]` }), judging);
  assert.deepEqual(
    [broken?.message, broken?.expected, broken?.actual],
    ['the id of animal 2 of the listing is not an integer', 'an integer', '"2"'],
  );
  assert.equal(firstBreak(created('{"id":1,"name":"a"}'), judging)?.expected, 'the member categoryId');
});

test('numbers are quoted as written and differ from strings', () => {
  assert.equal(describe(new LosslessNumber('9007199254740993')), '9007199254740993');
  assert.equal(describe('1'), '"1"');
  assert.equal(describe([new LosslessNumber('1.0'), null]), '[1.0,null]');
  assert.equal(describe(undefined), 'absent');
  assert.ok(describe('x'.repeat(1000)).length < 130);
});

const told = (exchange: Exchange) =>
  shapeBreaks(exchange, judging).map(({ message, expected, returned }) => [message, expected, returned]);

test('all missing members of an object are listed, and a common fault appears only once', () => {
  assert.deepEqual(told(keyless('{"status":401}')), [
    [
      'the Error has no code and no message',
      'the members code and message',
      'an Error without code and message',
    ],
  ]);
  const listing = `[{"id":1,"categoryId":1},${pet(2)},{"id":3,"categoryId":1},{"id":"4","status":null}]`;
  assert.deepEqual(told(exchangeOf({ text: listing })), [
    ['animal 1 of the listing has no name', 'the member name', 'an animal without name'],
    [
      'animal 4 of the listing has no name and no categoryId',
      'the members name and categoryId',
      'an animal without name and categoryId',
    ],
    [
      'the status of animal 4 of the listing is not one of available, pending, sold',
      'one of available, pending, sold',
      'status null',
    ],
    ['the id of animal 4 of the listing is not an integer', 'an integer', 'id "4"'],
  ]);
});
