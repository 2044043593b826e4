import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { shownExchange, type ClientExchange } from './client-exchange.js';
import { isMask } from './mask.js';
import { CredentialReader } from './request-credential.js';
import { parseRequestTarget } from './request-target.js';
import type { Header } from './types.js';

const FREE = 'free-4f1c9a+/7d';
const KEYS = { free: FREE, pro: 'pro-77aa31c9' };

const request = (target: string, headers: readonly Header[], body: string | null = '') => ({
  method: 'GET',
  target,
  headers,
  body,
});
const read = (...given: Parameters<typeof request>) =>
  new CredentialReader(KEYS).credentialOf(request(...given));
const BEARER: Header = ['authorization', `Bearer ${FREE}`];
const escaped = (character: string): string => `%${character.charCodeAt(0).toString(16)}`;
const free = { kind: 'plan', plan: 'free' };

describe('a request’s credential', () => {
  test('is a bearer token, in any case of the scheme', () => {
    for (const scheme of ['Bearer', 'bearer'])
      assert.deepEqual(read('/v1/pets', [['Authorization', `${scheme} ${FREE}`]]), {
        key: free,
        bearer: true,
        elsewhere: [],
      });
  });
  test('is found in each other place, plain or encoded', () => {
    type Place = readonly [string, Parameters<typeof request>];
    const places: readonly Place[] = [
      ['the query parameter api_key', [`/v1/pets?api_key=${encodeURIComponent(FREE)}`, [BEARER]]],
      ['the query parameter token', [`/v1/pets?limit=5&token=${FREE}`, [BEARER]]],
      ['the query parameter k', [`/v1/pets?k=${FREE.replaceAll(/./g, escaped)}&limit=5`, [BEARER]]],
      ['the path', [`/v1/${encodeURIComponent(FREE)}/pets`, [BEARER]]],
      ['the header X-API-Key', ['/v1/pets', [BEARER, ['X-API-Key', FREE]]]],
      ['the body', ['/v1/pets', [BEARER], `{"key":"${FREE}"}`]],
      ['Authorization without Bearer', ['/v1/pets', [['Authorization', `Basic ${btoa(`${FREE}:`)}`]]]],
      ...['me:', 'api:', ':'].map((user): Place => {
        const basic: Header = ['X-Auth', `Basic ${btoa(`${user}${FREE}`)}`];
        return ['the header X-Auth', ['/v1/pets', [BEARER, basic]]];
      }),
      [
        'the query parameter k',
        [`/v1/pets?k=${Buffer.from(`pets:${FREE}:x`).toString('base64url')}`, [BEARER]],
      ],
      ['the query parameter k', [`/v1/pets?k=${Buffer.from(FREE).toString('hex')}`, [BEARER]]],
      ['Authorization without Bearer', ['/v1/pets', [['Authorization', FREE]]]],
      ['a second Authorization', ['/v1/pets', [BEARER, ['authorization', `Basic ${btoa(`${FREE}:`)}`]]]],
    ];
    for (const [place, given] of places) {
      const { key, elsewhere } = read(...given);
      assert.deepEqual([key, elsewhere], [free, [place]]);
    }
  });
  test('is another, a masked one or none', () => {
    const reader = new CredentialReader(KEYS);
    const of = (token: string) =>
      reader.credentialOf(request('/v1/pets', [['Authorization', `Bearer ${token}`]])).key;
    assert.deepEqual(
      [of('first-token'), of('second-token'), of('first-token')].map((key) => 'nth' in key && key.nth),
      [1, 2, 1],
    );
    for (const mask of ['***', '[redacted]', '$PETSTORE_KEY', '{{apiKey}}', 'xxxx', '<token>']) {
      assert.deepEqual(of(mask), { kind: 'masked', mask });
      assert.ok(isMask(mask));
    }
    for (const text of ['undefined', 'null', 'NaN', 'None', '[object Object]', '[object Promise]'])
      assert.deepEqual(of(text), { kind: 'unset', text });
    for (const token of ['undefinedly', 'nullable', 'NULL', 'nan-key'])
      assert.equal(of(token).kind, 'other', token);
    assert.deepEqual(read('/v1/pets', []), { key: { kind: 'none' }, bearer: false, elsewhere: [] });
  });
  test('is in no text after hiding, wherever it was', () => {
    const key = fc.stringMatching(/^[A-Za-z0-9+/_.~-]{8,40}$/);
    fc.assert(
      fc.property(key, fc.string(), fc.string(), (free, before, after) => {
        const reader = new CredentialReader({ free });
        for (const form of [free, encodeURIComponent(free), btoa(`${free}:`)]) {
          const hidden = reader.hide(before + form + after);
          assert.ok(!hidden.includes(free), hidden);
        }
      }),
    );
  });
  test('is hidden whole where it begins as another does, among thousands', () => {
    const reader = new CredentialReader({});
    const tokens = Array.from({ length: 1000 }, (_, nth) => `token-${'y'.repeat(nth + 1)}`);
    for (const token of tokens)
      reader.credentialOf(request('/v1/pets', [['Authorization', `Bearer ${token}`]]));
    assert.equal(reader.hide('a token-yyy, a=token-y'), 'a $UNKNOWN_KEY_3, a=$UNKNOWN_KEY_1');
  });
});

const at = (target: string, method = 'GET') => parseRequestTarget({ method, target }, '/v1');

describe('a request’s target', () => {
  test('names the declared operations only', () => {
    assert.equal(at('/v1/pets?limit=5').operation, 'listPets');
    assert.equal(at('/v1/pets', 'POST').operation, 'createPet');
    assert.equal(at('/v1/pets/7').petId, '7');
    for (const target of ['/v1/pets/', '/v1/pets/1/2', '/v1', '/pets', '/v1petstore/pets'])
      assert.equal(at(target).operation, null);
    for (const method of ['HEAD', 'DELETE', 'OPTIONS']) assert.equal(at('/v1/pets', method).operation, null);
  });
  test('has no fragment (RFC 9112, 3.2.1): a client that sends one means another path', () => {
    assert.equal(at('/v1/pets#x').operation, null);
    assert.equal(at('/v1/pets?limit=5#x').query.get('limit'), '5#x');
  });
  test('may be a whole address, as clients of a proxy send it', () => {
    assert.equal(at('http://127.0.0.1:8080/v1/pets?limit=5').operation, 'listPets');
    assert.ok(!at('http://127.0.0.1:8080').belowBase);
  });
  test('is below the base path or not, and never throws', () => {
    assert.ok(at('/v1').belowBase && at('/v1?x').belowBase && at('/v1//pets').belowBase);
    assert.ok(!at('/v1pets').belowBase && !at('/v2/pets').belowBase);
    fc.assert(fc.property(fc.string(), (text) => void at(text)));
  });
});

test('an exchange of the record becomes one that reports show', () => {
  const recorded: ClientExchange = {
    id: 't1',
    credential: { key: { kind: 'plan', plan: 'free' }, bearer: true, elsewhere: [] },
    request: { method: 'GET', target: '/v1/pets?limit=5', headers: [], body: { kind: 'empty' } },
    times: { kind: 'server', readAt: 1000, writtenAt: 1005 },
    answer: { kind: 'response', status: 200, headers: [], body: { kind: 'whole', text: '[]' } },
  };
  const { probe, operation, credential, latencyMs } = shownExchange(recorded, { basePath: '/v1' });
  assert.deepEqual(
    [probe, operation, credential, latencyMs],
    ['GET /pets?limit=5', 'listPets', { kind: 'valid', plan: 'free' }, 5],
  );
});
