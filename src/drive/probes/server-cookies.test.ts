import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeholder, SERVER_COOKIES } from '../../wire/exchange/key-forms.js';
import { redactedBy } from '../../wire/exchange/redaction.js';
import { exchange as shape, type Exchange, type Header } from '../../wire/exchange/types.js';
import { inServerCookies } from './credentials.js';
import { serverCookies } from './server-cookies.js';

const answered = (cookies: readonly string[], credential: Exchange['credential']): Exchange => ({
  id: 'x1',
  probe: 'GET /pets',
  operation: 'listPets',
  intent: { kind: 'declared', statuses: [200] },
  credential,
  request: { method: 'GET', path: '/v1/pets', headers: [], body: null },
  sentAt: 0,
  latencyMs: 1,
  attempts: 1,
  answer: {
    kind: 'response',
    status: 200,
    headers: cookies.map((value): Header => ['set-Cookie', value]),
    text: '[]',
  },
});

const VALID = { kind: 'valid', plan: 'free' } as const;

test('the newest value of each cookie of the valid key counts, unless it was cleared', () => {
  const cookies = serverCookies([
    answered(['sid=first; Path=/; HttpOnly', 'lang = de', 'gone=1'], VALID),
    answered(['sid=second', 'gone=; Max-Age=0', 'nameless'], VALID),
    answered(['sid=strange', 'other=1'], { kind: 'none' }),
  ]);
  assert.deepEqual(cookies, [
    ['sid', 'second'],
    ['lang', 'de'],
  ]);
});

test('no record shows a cookie, neither as set nor as sent', () => {
  const exchange = answered(['sid=first; Path=/', 'first', 'empty=; Path=/'], VALID);
  const { answer } = redactedBy(shape, exchange, (text) => text);
  assert.deepEqual(answer.kind === 'response' && answer.headers.map(([, value]) => value), [
    'sid=[redacted]; Path=/',
    '[redacted]',
    'empty=[redacted]; Path=/',
  ]);
  const [[, cookie] = ['', () => '']] = inServerCookies(serverCookies([exchange])).headers;
  assert.equal(cookie(placeholder), SERVER_COOKIES);
  assert.equal(
    cookie(() => 'the key'),
    'sid=first',
  );
  assert.deepEqual(serverCookies([{ ...exchange, answer }]), []);
});
