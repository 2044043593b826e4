import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RATE_FIELDS } from '../../base/interface/rate-headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { idKeepsDigits } from './rounded-ids.js';
import {
  answers,
  refused,
  succeeded,
  asIfRemoved,
  existingIsServed,
  gone,
  stillThere,
  challenged,
  notRefusedForItsKey,
  isRequestedAnimal,
} from './status.js';
import { listingOutcome, memberKept, outcomeOf, statusGiven, valuesOf, codesByStatus } from './observing.js';
import { exchangeOf, kindOf, SOUND_HEADERS, judging } from './exchange.test.support.js';
import type { Judgement } from '../findings/finding.js';
import { readPet } from './pets.js';

const PREREQUISITE = 'inconclusive: prerequisite';
const RATE_LIMITED = 'inconclusive: rate-limited';
const TRANSPORT = 'inconclusive: transport';

const listed = (status = 200): Exchange => exchangeOf({ status });
const fetched = (status: number): Exchange =>
  exchangeOf({
    operation: 'getPet',
    intent: { kind: 'expects', statuses: [200], chargedTo: 'get-ok' },
    status,
  });
const removed = (status: number): Exchange =>
  exchangeOf({ operation: null, intent: { kind: 'open', row: 'get-after-removal' }, status });
const mutated = (status: number): Exchange =>
  exchangeOf({
    operation: 'createPet',
    intent: { kind: 'expects', statuses: [400], chargedTo: 'create-missing-field' },
    status,
  });
const control = exchangeOf({ operation: 'createPet', status: 201 });
const failedControl = exchangeOf({ operation: 'createPet', status: 400 });
const silent = exchangeOf({ none: 'timeout' });

const CASES: readonly (readonly [what: string, judgement: Judgement, expected: string])[] = [
  ['the expected status code', answers('list-ok', listed()), 'kept'],
  ['another status code', answers('list-ok', listed(500)), 'violated'],
  ['a status code that another requirement covers', answers('list-ok', listed(401)), PREREQUISITE],
  ['an unprovoked 429', answers('list-ok', listed(429)), RATE_LIMITED],
  ['no response', answers('list-ok', silent), TRANSPORT],
  [
    'a 400 after a successful control request',
    refused('create-missing-field', mutated(400), control),
    'kept',
  ],
  [
    'a 201 after a successful control request',
    refused('create-missing-field', mutated(201), control),
    'violated',
  ],
  [
    'a 422 after a successful control request',
    refused('create-missing-field', mutated(422), control),
    'violated',
  ],
  [
    'a 400 after a rejected control request',
    refused('create-missing-field', mutated(400), failedControl),
    PREREQUISITE,
  ],
  [
    'a 400 after a control request without response',
    refused('create-missing-field', mutated(400), silent),
    PREREQUISITE,
  ],

  ['a 200 for a valid key', notRefusedForItsKey(listed()), 'kept'],
  ['a 500 for a valid key', notRefusedForItsKey(listed(500)), 'kept'],
  ['a 401 for a valid key', notRefusedForItsKey(listed(401)), 'violated'],
  ['a 403 for a valid key', notRefusedForItsKey(listed(403)), 'violated'],
  ['a 429 for a valid key', notRefusedForItsKey(listed(429)), RATE_LIMITED],
  ['no response for a valid key', notRefusedForItsKey(silent), TRANSPORT],

  ['a 200 before the removal', stillThere(fetched(200)), 'kept'],
  ['a 410 before the removal', stillThere(fetched(410)), 'violated'],
  ['a redirect before the removal', stillThere(fetched(308)), 'violated'],
  ['a 500 before the removal', stillThere(fetched(500)), PREREQUISITE],
  ['get-ok with a 200', existingIsServed(fetched(200)), 'kept'],
  ['get-ok with a 500', existingIsServed(fetched(500)), 'violated'],
  ['get-ok with a 404', existingIsServed(fetched(404)), PREREQUISITE],
  ['a 404 after the removal', gone(removed(404)), 'kept'],
  ['a 500 after the removal', gone(removed(500)), 'kept'],
  ['a redirect after the removal', gone(removed(301)), 'kept'],
  ['a 200 after the removal', gone(removed(200)), 'violated'],
  ['a 204 after the removal', gone(removed(204)), 'violated'],
  ['a 429 after the removal', gone(removed(429)), RATE_LIMITED],
];

for (const [what, judgement, expected] of CASES)
  test(`${what}: ${expected}`, () => {
    assert.equal(kindOf(judgement), expected);
    if (judgement.kind === 'violated') assert.ok(judgement.expected && judgement.actual && judgement.message);
  });

test('only some status codes suggest that the operation was removed', () => {
  const looks = [200, 204, 300, 301, 308, 400, 401, 403, 404, 405, 410, 429, 500, 501, 503].filter((status) =>
    asIfRemoved(fetched(status)),
  );
  assert.deepEqual(looks, [300, 301, 308, 404, 405, 410, 501]);
});

test('only a success status code qualifies as control response', () => {
  assert.deepEqual(
    [200, 201, 202, 303, 400, 429, 500].map((status) => succeeded(listed(status))),
    [true, true, true, false, false, false, false],
  );
  assert.equal(succeeded(silent), false);
});

const refusal = (headers = SOUND_HEADERS): Exchange => exchangeOf({ status: 401, headers });

test('one 401 without WWW-Authenticate among others is found', () => {
  const bare = refusal();
  const sound = refusal([...SOUND_HEADERS, ['www-authenticate', 'Bearer']]);
  assert.deepEqual(challenged([listed(), sound]).map(kindOf), ['kept']);
  assert.deepEqual(challenged([listed()]).map(kindOf), [PREREQUISITE]);
  assert.deepEqual(challenged([exchangeOf({ operation: null, status: 401 })]).map(kindOf), [PREREQUISITE]);
  const [found] = challenged([sound, bare, sound]);
  assert.ok(found?.kind === 'violated');
  assert.deepEqual(found.exchanges, [bare.id]);
});

const error = (status: number, code: string): Exchange => exchangeOf({ status, text: `{"code":${code}}` });

test('codes of Error bodies are grouped by status code', () => {
  const found = codesByStatus([
    listed(),
    error(404, '"gone"'),
    error(401, '"no_key"'),
    error(401, '"bad_key"'),
    error(401, '"no_key"'),
    error(400, '42'),
    exchangeOf({ status: 400, text: '{"__proto__":{"code":"x"}}' }),
    silent,
  ]);
  assert.deepEqual(
    found.map(({ status, codes, exchanges }) => [status, codes, exchanges.length]),
    [
      [401, ['bad_key', 'no_key'], 2],
      [404, ['gone'], 1],
    ],
  );
});

const created = (text: string, status = 201): Exchange =>
  exchangeOf({ operation: 'createPet', status, text });

test('observations summarize the response', () => {
  assert.equal(outcomeOf(listed(422)), 'returned 422');
  assert.equal(outcomeOf(silent), 'no response (timeout)');
  assert.equal(statusGiven(created('{"id":1,"status":"available"}')), 'status "available"');
  assert.equal(statusGiven(created('{"id":1}')), 'status absent');
  assert.equal(statusGiven(created('{}', 500)), 'returned 500');
  assert.equal(memberKept(created('{"odd":false}'), 'odd'), 'returned 201, the member was kept');
  assert.equal(memberKept(created('{}'), 'toString'), 'returned 201, the member was dropped');
  assert.equal(memberKept(created('{}', 400), 'odd'), 'returned 400');
  assert.equal(valuesOf(listed(), [RATE_FIELDS.limit, 'Link']), `${RATE_FIELDS.limit}: 60`);
  assert.equal(valuesOf(listed(), ['Link', 'Sunset']), 'none of Link, Sunset');
  const page = { exchange: listed(), reading: { ok: true, value: [] } } as const;
  assert.equal(listingOutcome(page), 'returned 200 with 0 animals');
});

for (const [what, status, text, kind] of [
  ['the animal', 200, '{"id":7,"name":"Rex","categoryId":3}', 'kept'],
  ['another animal', 200, '{"id":8,"name":"Rex","categoryId":3}', 'violated'],
  ['the animal and a string as category', 200, '{"id":7,"name":"Rex","categoryId":"3"}', 'kept'],
  ['another animal and a string as category', 200, '{"id":8,"name":"Rex","categoryId":"3"}', 'violated'],
  ['a string as id', 200, '{"id":"8","name":"Rex","categoryId":3}', 'untried'],
  ['no animal', 200, '{}', 'untried'],
  ['an Error', 404, '{"code":"not_found","message":"no such animal","status":404}', 'kept'],
] as const)
  test(`GET /pets/7 with ${what}: ${kind}`, () => {
    const exchange = exchangeOf({ operation: 'getPet', path: '/v1/pets/7', status, text });
    assert.equal(kindOf(isRequestedAnimal('7', { exchange, reading: readPet(exchange, judging) })), kind);
  });

test('GET /pets with an id that only lost its last digits: pet-int64 is charged', () => {
  const asked = String(2n ** 60n + 1n);
  const text = `{"id":${2n ** 60n},"name":"Rex","categoryId":3}`;
  const exchange = exchangeOf({ operation: 'getPet', path: `/v1/pets/${asked}`, text });
  const single = { exchange, reading: readPet(exchange, judging) };
  assert.equal(kindOf(isRequestedAnimal(asked, single)), 'inconclusive: prerequisite');
  assert.equal(kindOf(idKeepsDigits(asked, single)), 'violated');
  assert.equal(kindOf(idKeepsDigits(String(2n ** 60n), single)), 'kept');
});
