import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgedAs, recordOf, sent, type Given } from './traffic.test.support.js';
import { creation, BIG, ROUNDED, pet } from './requests.test.support.js';

test('in a record from elsewhere, an accepted token is a key, and stays one at another origin', () => {
  const token = { kind: 'other', nth: 1 } as const;
  const har = (...given: readonly Given[]) =>
    recordOf(
      given.map((each) => sent({ key: token, ...each })),
      { source: 'har' },
    );
  assert.equal(judgedAs('client-bearer-key', har({})), 'kept');
  assert.equal(judgedAs('client-bearer-key', har({ status: 401 })), 'not-shown');
  const led = { status: 307, headers: [['Location', 'https://elsewhere.test/']] } as const;
  assert.equal(judgedAs('client-key-stays', har({}, led, { origin: 'https://elsewhere.test' })), 'violated');
  assert.equal(judgedAs('client-key-stays', har({}, { origin: 'https://elsewhere.test' })), 'not-shown');
  const foreign = { key: { kind: 'other', nth: 2 }, origin: 'https://elsewhere.test' } as const;
  assert.equal(judgedAs('client-key-stays', har({}, foreign)), 'not-shown');
  assert.equal(judgedAs('client-key-stays', { ...har({}), insecure: true }), 'violated');
});

test('a value that is not set is no key: it breaks the row where the service refused it', () => {
  for (const text of ['undefined', 'null', 'NaN', 'None', '[object Object]', '[object Promise]']) {
    const key = { kind: 'unset', text } as const;
    for (const source of ['har', 'proxy', 'reference'] as const) {
      const judge = (...given: readonly Given[]) =>
        judgedAs(
          'client-bearer-key',
          recordOf(
            given.map((each) => sent(each)),
            { source },
          ),
        );
      assert.equal(judge({}, { key, status: 401 }), 'violated', `${text}, ${source}`);
      assert.equal(judge({ key, status: 401 }), 'violated', `${text}, ${source}, alone`);
      assert.equal(judge({}, { key, status: 401 }, { key }), 'kept', 'accepted elsewhere: a recorder’s');
      assert.equal(judge({}, { key, status: 403 }), 'kept', 'refused for another reason');
    }
    assert.equal(judgedAs('client-bearer-key', recordedElsewhere({ key })), 'not-shown');
    assert.equal(judgedAs('client-base-path', recordedElsewhere({ key, target: '/other' })), 'not-shown');
  }
});

/** Returns a record made elsewhere. */
const recordedElsewhere = (...given: readonly Given[]) =>
  recordOf(
    given.map((each) => sent(each)),
    { source: 'har' },
  );

test('where no key can be read, a request that the service accepted shows nothing of its key', () => {
  const unread = { key: { kind: 'none' }, bearer: false } as const;
  assert.equal(
    judgedAs('client-bearer-key', recordedElsewhere(unread, { ...unread, status: 404 })),
    'not-shown',
  );
  assert.equal(
    judgedAs('client-bearer-key', recordedElsewhere(unread, {})),
    'violated',
    'another request shows a key',
  );
  assert.equal(judgedAs('client-bearer-key', recordedElsewhere({ ...unread, status: 401 })), 'violated');
  assert.equal(judgedAs('client-bearer-key', recordOf([sent(unread)])), 'violated', 'at our own server');
  assert.equal(
    judgedAs('client-bearer-key', recordedElsewhere(unread, { ...unread, status: 401 })),
    'not-shown',
    'the sanitiser writes so',
  );
});

test('a redirect shows nothing of a key that the record does not show', () => {
  const redirect = { status: 307, headers: [['Location', 'http://127.0.0.1:9/v1/pets']] } as const;
  const masked = { kind: 'masked', mask: '***' } as const;
  for (const key of [masked, { kind: 'none' }] as const)
    assert.equal(
      judgedAs('client-key-stays', recordOf([sent({ ...redirect, key })], { source: 'har' })),
      'not-shown',
    );
  assert.equal(judgedAs('client-key-stays', recordOf([sent(redirect)], { source: 'har' })), 'kept');
});

test('a value that a recorder removed or rounded neither keeps nor breaks a request', () => {
  for (const given of [
    { target: '/v1/pets?limit=***' },
    { target: '/v1/pets/[redacted]' },
    creation('{"name":"a","categoryId":1}', { type: '[Filtered]' }),
    creation('{"name":"a","categoryId":1,"status":"[redacted]"}'),
    creation('{"name":"a","categoryId":9223372036854775808}'),
    // What JSON.stringify writes for the largest and the smallest int64.
    creation('{"name":"a","categoryId":9223372036854776000}'),
    creation('{"name":"a","categoryId":-9223372036854776000}'),
  ]) {
    assert.equal(judgedAs('client-valid-request', recordOf([sent(given)], { source: 'har' })), 'not-shown');
    assert.equal(judgedAs('client-valid-request', recordOf([sent(given)])), 'violated');
  }
});

test('the type of a creation is not shown by a recorder that leaves out its length too', () => {
  const typeless = creation('{"name":"a","categoryId":1}', { type: null });
  const whole = { ...typeless, requestHeaders: [['Content-Length', '27']] } as const;
  const chunked = { ...typeless, requestHeaders: [['transfer-encoding', 'chunked']] } as const;
  const outcomeOf = (given: typeof typeless): string =>
    judgedAs('client-valid-request', recordOf([sent(given)], { source: 'har' }));
  assert.equal(outcomeOf(typeless), 'not-shown');
  assert.equal(outcomeOf(whole), 'violated');
  assert.equal(outcomeOf(chunked), 'violated');
  assert.equal(judgedAs('client-valid-request', recordOf([sent(typeless)])), 'violated');
});

test('no recorder writes these: an id or a limit of an address beyond int64, and a value that is not set', () => {
  for (const given of [
    { target: '/v1/pets/9223372036854775808' },
    { target: '/v1/pets?limit=9223372036854775808' },
    { target: '/v1/pets/[object%20Object]' },
    { target: '/v1/pets?limit=[object%20Object]' },
    { target: '/v1/pets?status=%5Bobject%20Set%5D' },
    creation('{"name":"a","categoryId":1,"status":"[object Object]"}'),
  ])
    assert.equal(judgedAs('client-valid-request', recordOf([sent(given)], { source: 'har' })), 'violated');
});

test('the body that a record lacks neither keeps nor breaks a creation', () => {
  const exchange = sent(creation('', {}));
  const lost = {
    ...exchange,
    request: { ...exchange.request, body: { kind: 'missing', why: 'not recorded' } as const },
  };
  assert.equal(judgedAs('client-valid-request', recordOf([lost])), 'not-shown');
});

const back = (categoryId: string) =>
  judgedAs(
    'client-int64',
    recordOf([
      sent({ answer: `[${pet('1', BIG)}]` }),
      sent({
        ...creation(`{"name":"Rex","categoryId":${ROUNDED}}`),
        status: 201,
        answer: pet('2', categoryId),
        at: [5, 6],
      }),
    ]),
  );

test('a spoilt category that the service got whole was spoilt by the recorder', () => {
  assert.equal(back(BIG), 'not-shown');
  assert.equal(back(ROUNDED), 'violated');
});
