import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { RecordedBody } from '../exchange/client-exchange.js';
import { entryOf, KEY, pairs, recordOf } from './har.test.support.js';
import { POST, response } from './read-har.test.support.js';

const PACKED = gzipSync('[]').toString('base64');

const GZIP = { 'Content-Encoding': 'gzip' };

const json = pairs({ 'Content-Type': 'application/json', Authorization: `Bearer ${KEY}` });

describe('bodies', () => {
  const answers: readonly (readonly [what: string, entry: unknown, kind: RecordedBody['kind']])[] = [
    ['text', response({ text: '[]', size: 2 }), 'whole'],
    [
      'text that parses, with a wrong size',
      response({ text: '[]', size: 99 }, { 'Content-Length': '77' }),
      'whole',
    ],
    ['Base64', response({ text: Buffer.from('["ä"]').toString('base64'), encoding: 'base64' }), 'whole'],
    ['text cut short', response({ text: '[{"id":1', size: 99 }), 'cut'],
    ['text shorter than Content-Length', response({ text: '[{"id":1' }, { 'Content-Length': '77' }), 'cut'],
    [
      '"" with a Content-Length: mitmproxy after a break',
      response({ text: '', size: 0 }, { 'Content-Length': '77' }),
      'missing',
    ],
    ['"" without one', response({ text: '', size: 0 }), 'missing'],
    ['"" with Content-Length: 0', response({ text: '', size: 0 }, { 'Content-Length': '0' }), 'empty'],
    ['nothing', response({ size: -1, mimeType: 'x-unknown' }), 'missing'],
    ['no content', response(undefined), 'missing'],
    ['a comment', response({ size: 9, comment: 'not kept' }), 'missing'],
    ['cut short, and no length', response({ text: '[{"id":1' }), 'cut'],
    ['words in its place', response({ text: '[Filtered]', size: 10 }), 'missing'],
    ['compressed, as Base64', response({ text: PACKED, encoding: 'base64' }, GZIP), 'whole'],
    [
      'compressed, as Polly.js',
      response({ text: JSON.stringify([PACKED]), encoding: 'base64' }, GZIP),
      'whole',
    ],
    ['compressed, read as text', response({ text: '\u001F\uFFFD\b\u0000', size: 4 }, GZIP), 'missing'],
    ['a page with an error', response({ text: '<html>', size: 6 }), 'whole'],
  ];
  for (const [what, entry, kind] of answers)
    test(`of a response: ${what}`, async (t) => {
      const { exchanges } = await recordOf(t, [entry]);
      const answer = exchanges[0]?.answer;
      assert.equal(answer?.kind === 'response' ? answer.body.kind : 'none', kind);
    });

  test('of a response: compressed bytes are read', async (t) => {
    for (const text of [PACKED, JSON.stringify([PACKED])]) {
      const { exchanges } = await recordOf(t, [response({ text, encoding: 'base64' }, GZIP)]);
      const answer = exchanges[0]?.answer;
      assert.deepEqual(answer?.kind === 'response' && answer.body, { kind: 'whole', text: '[]' });
    }
  });

  const requests: readonly (readonly [what: string, request: object, kind: RecordedBody['kind']])[] = [
    ['text', { ...POST, headers: json, postData: { mimeType: 'application/json', text: '{}' } }, 'whole'],
    [
      'Base64, as harlem',
      { ...POST, headers: json, postData: { encoding: 'base64', text: 'e30=' } },
      'whole',
    ],
    [
      'parameters only',
      { ...POST, headers: json, postData: { mimeType: 'application/json', params: [{ name: '{"a":1}' }] } },
      'missing',
    ],
    ['in another file', { ...POST, headers: json, postData: { _file: 'a.json' } }, 'missing'],
    ['left out', { ...POST, headers: json }, 'missing'],
    ...['null', '{}', '""'].map(
      (text) =>
        [
          `${text} in its place`,
          { ...POST, headers: [...json, { name: 'Content-Length', value: '29' }], postData: { text } },
          'missing',
        ] as const,
    ),
    [
      'words in its place, without any header',
      { ...POST, headers: [], postData: { text: 'not kept' } },
      'missing',
    ],
    [
      'words in its place, as long as announced',
      { ...POST, headers: pairs({ 'Content-Length': '8' }), postData: { text: 'not kept' } },
      'whole',
    ],
    ['none, as Content-Length says', { ...POST, headers: pairs({ 'content-length': '0' }) }, 'empty'],
    ['of GET', {}, 'empty'],
  ];
  for (const [what, request, kind] of requests)
    test(`of a request: ${what}`, async (t) => {
      const { exchanges } = await recordOf(t, [entryOf({ request: request as Record<string, unknown> })]);
      assert.equal(exchanges[0]?.request.body.kind, kind);
    });

  test('a long body is judged whole, and kept as its beginning', async (t) => {
    const text = JSON.stringify(
      Array.from({ length: 9000 }, (_, id) => ({ id, name: 'x'.repeat(30), categoryId: 1 })),
    );
    const { exchanges, streamed } = await recordOf(t, [entryOf({ response: { content: { text } } })]);
    const kindIn = (all: typeof exchanges) =>
      all[0]?.answer.kind === 'response' ? all[0].answer.body.kind : 'none';
    assert.deepEqual([kindIn(streamed), kindIn(exchanges)], ['whole', 'cut']);
  });
});
