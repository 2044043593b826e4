import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { anyText } from '../../base/kernel/any-text.test.support.js';
import type { Har } from 'har-format';
import type { Exchange } from '../../wire/exchange/types.js';
import { exampleExchange, exampleLog, HOSTILE } from '../example-run.test.support.js';
import { harText } from './har.js';

const read = (...exchanges: Exchange[]): Har =>
  JSON.parse([...harText(exampleLog({ exchanges }))].join('')) as Har;

/** Members that HAR 1.2 requires of an entry, its request and its response. */
const REQUIRED = {
  entry: ['startedDateTime', 'time', 'request', 'response', 'cache', 'timings'],
  request: ['method', 'url', 'httpVersion', 'cookies', 'headers', 'queryString', 'headersSize', 'bodySize'],
  response: [
    'status',
    'statusText',
    'httpVersion',
    'cookies',
    'headers',
    'content',
    'redirectURL',
    'headersSize',
    'bodySize',
  ],
} as const;

function validate({ log }: Har): void {
  assert.equal(log.version, '1.2');
  assert.ok(log.creator.name && log.creator.version);
  for (const entry of log.entries) {
    for (const name of REQUIRED.entry) assert.ok(name in entry, `entry.${name}`);
    for (const name of REQUIRED.request) assert.ok(name in entry.request, `request.${name}`);
    for (const name of REQUIRED.response) assert.ok(name in entry.response, `response.${name}`);
    assert.equal(entry.startedDateTime, new Date(entry.startedDateTime).toISOString());
    assert.equal(entry.time, entry.timings.wait);
    assert.ok(entry.response.content.mimeType);
  }
}

describe('exchanges.har', () => {
  test('contains the request and the response', () => {
    const har = read(exampleExchange({ path: '/v1/pets?limit=5&status=sold', text: '["ü"]' }));
    validate(har);
    const [entry] = har.log.entries;
    assert.equal(entry?.request.url, 'https://staging.example.com/v1/pets?limit=5&status=sold');
    assert.deepEqual(entry.request.queryString, [
      { name: 'limit', value: '5' },
      { name: 'status', value: 'sold' },
    ]);
    assert.deepEqual(entry.request.headers, [{ name: 'Authorization', value: 'Bearer $PETSTORE_KEY' }]);
    assert.equal(entry.response.status, 200);
    assert.deepEqual(entry.response.content, { size: 6, mimeType: 'application/json', text: '["ü"]' });
    assert.equal(entry.comment, 'x1: listing');
  });

  test('contains a request body with its type and size', () => {
    const plain = exampleExchange();
    const request = {
      method: 'POST',
      path: '/v1/pets',
      headers: [['content-type', 'application/json']],
      body: '{"a":"ü"}',
    } as const;
    const [entry] = read({ ...plain, request }).log.entries;
    assert.deepEqual(entry?.request.postData, { mimeType: 'application/json', text: '{"a":"ü"}' });
    assert.equal(entry.request.bodySize, 10);
  });

  test('shows a missing response as status 0 with its cause', () => {
    const answer = { kind: 'none', code: 'reset', message: 'the connection was closed' } as const;
    const har = read({ ...exampleExchange(), attempts: 2, answer });
    validate(har);
    const [entry] = har.log.entries;
    assert.equal(entry?.response.status, 0);
    assert.equal(
      (entry.response as unknown as Record<string, unknown>)['_error'],
      'reset: the connection was closed',
    );
    assert.match(entry.comment ?? '', /sent 2 times/);
  });

  test('lists entries in the order of sending', () => {
    const late = { ...exampleExchange({ id: 'x1' }), sentAt: 2000 };
    const early = { ...exampleExchange({ id: 'x2' }), sentAt: 1000 };
    assert.deepEqual(
      read(late, early).log.entries.map((entry) => entry.comment),
      ['x2: listing', 'x1: listing'],
    );
  });

  test('keeps any text from the target unchanged', () => {
    const sent = fc.oneof(fc.constantFrom(...HOSTILE), anyText(), fc.constant('%zz?a=%'));
    fc.assert(
      fc.property(sent, (text) => {
        const har = read(exampleExchange({ text, header: text, path: `/v1/pets?x=${text}` }));
        validate(har);
        assert.equal(har.log.entries[0]?.response.content.text, text);
        assert.equal(har.log.entries[0]?.response.headers[1]?.value, text);
      }),
    );
  });
});
