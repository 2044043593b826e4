import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClientExchange, RecordedBody } from './client-exchange.js';
import { isSecretName } from './secret-names.js';
import { hiddenNames, withoutSecrets } from './secrets.js';
import type { Header } from './types.js';

const SECRET = 'abc-1f9';

interface Message {
  readonly target?: string;
  readonly headers?: readonly Header[];
  readonly body?: string;
}

const whole = (text = ''): RecordedBody => (text === '' ? { kind: 'empty' } : { kind: 'whole', text });

const exchangeOf = (sent: Message, received: Message = {}): ClientExchange => ({
  id: 't1',
  credential: { key: { kind: 'none' }, bearer: false, elsewhere: [] },
  request: {
    method: 'POST',
    target: sent.target ?? '/v1/pets',
    headers: sent.headers ?? [],
    body: whole(sent.body),
  },
  times: { kind: 'unknown' },
  answer: { kind: 'response', status: 200, headers: received.headers ?? [], body: whole(received.body) },
});

const bodyOf = (text: string): string => {
  const { body } = withoutSecrets(exchangeOf({ body: text })).request;
  return 'text' in body ? body.text : '';
};

const SECRETS = [
  'Cookie', 'Cookie2', 'Set-Cookie', 'Proxy-Authorization', 'X-Forwarded-Authorization', 'X-Api-Key', 'Api-Key',
  'apiKey', 'api_key', 'key', 'AWSAccessKeyId', 'Ocp-Apim-Subscription-Key', 'X-CSRF-Token', 'XSRF-TOKEN', 'access_token',
  'refreshToken', 'X-Session-Id', 'PHPSESSID', 'connect.sid', 'sid', 'sig', 'X-Amz-Signature', 'X-Amz-Credential',
  'client_secret', 'password', 'new[password]', 'X-Auth', 'Authentication', 'Authentication-Info', 'bearer', 'oauth', 'jwt', 'ticket',
]; // prettier-ignore

const PLAIN = [
  'name', 'categoryId', 'status', 'id', 'code', 'message', 'limit', 'X-RateLimit-Remaining', 'Retry-After', 'Host',
  ':authority', 'WWW-Authenticate', 'authenticated', 'author', 'monkey', 'keyword', 'side', 'signal', 'passenger', 'Content-Type', 'traceparent',
]; // prettier-ignore

describe('names of secrets', () => {
  for (const name of SECRETS) test(`${name} is one`, () => assert.ok(isSecretName(name)));
  for (const name of PLAIN) test(`${name} is none`, () => assert.ok(!isSecretName(name)));
});

test('the value of a secret leaves no record in headers, queries and bodies of both directions', () => {
  for (const name of SECRETS) {
    const message = {
      target: `/v1/pets?limit=5&${name}=${SECRET}&status=sold`,
      headers: [
        [name, SECRET],
        ['Referer', `https://shop.example.com/?${name}=${SECRET}&limit=5`],
        ['Location', `https://me:${SECRET}@shop.example.com/#${name}=${SECRET}`],
      ],
      body: JSON.stringify({ [name]: SECRET, name: 'Rex', deep: [{ [name]: { a: [SECRET, 5] } }] }),
    } as const;
    const record = withoutSecrets(exchangeOf(message, message));
    const text = JSON.stringify(record);
    assert.ok(!text.includes(SECRET), text);
    assert.ok(record.request.target.endsWith('&status=sold'));
    assert.equal(text.split('Rex').length, 3, 'the rest stays');
    assert.deepEqual(new Set(hiddenNames([record])), new Set([name, 'user']));
    assert.deepEqual(withoutSecrets(record), record, 'twice changes nothing');
  }
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const xml = (secret: string): string =>
  `<pet token=${secret}><name>Rex</name><a:apiKey x="1">${secret}</a:apiKey></pet>`;

test('secrets in forms of parts, in XML and in free text are hidden, and the rest stays', () => {
  for (const end of ['\r\n', '\n']) {
    const part = (name: string, value: string): string =>
      [
        '--b',
        `Content-Disposition: form-data; name="${name}"`,
        'Content-Type: text/plain',
        '',
        value,
        '',
      ].join(end);
    const form = (secret: string): string => `${part('name', 'Rex')}${part('password', secret)}--b--${end}`;
    assert.equal(bodyOf(form(`${SECRET}${end}${SECRET}`)), form('[redacted]'));
  }
  assert.equal(bodyOf(xml(SECRET)), xml('[redacted]'));
  const message = {
    headers: [
      ['User-Agent', `shop/1 (token=${SECRET}, build=7)`],
      ['X-Debug', `password="${SECRET}", user=5`],
    ],
    body: `sid=${SECRET}`,
  } as const;
  const { request } = withoutSecrets(exchangeOf(message));
  assert.deepEqual(request.headers, [
    ['User-Agent', 'shop/1 (token=[redacted], build=7)'],
    ['X-Debug', 'password=[redacted], user=5'],
  ]);
  assert.deepEqual(request.body, { kind: 'whole', text: 'sid=[redacted]' });
});

test('an address within an address, a matrix parameter and an escaped name hide their secrets', () => {
  const inner = encodeURIComponent(`https://shop.example.com/?access_token=${SECRET}`);
  const target = `/v1/pets;jsessionid=${SECRET}?next=${inner}&back=/?sid=${SECRET}&access%5Ftoken=${SECRET}&limit=5`;
  assert.equal(
    withoutSecrets(exchangeOf({ target })).request.target,
    '/v1/pets;jsessionid=[redacted]?next=[redacted]&back=/?sid=[redacted]&access%5Ftoken=[redacted]&limit=5',
  );
});

test('texts in Base64 hide their secrets and stay Base64; a token of parts, an id and random bytes stay', () => {
  const parts = `${base64('{"alg":"none"}')}.${base64('{"session":"its own"}')}.c2lnbmF0dXJl`;
  const others = [parts, '12345678901234567890', 'X-RateLimit-Remaining', base64('\0ÿ token=1234567')];
  const message = (secret: string) =>
    ({
      target: `/v1/pets?state=${base64(JSON.stringify({ token: secret }))}`,
      headers: [['X-State', `a ${base64(`limit=5&sid=${secret}`)}, b`]],
      body: JSON.stringify([{ cursor: base64(`{"api_key":"${secret}"}`), others }]),
    }) as const;
  const record = withoutSecrets(exchangeOf(message(SECRET)));
  assert.deepEqual(record, exchangeOf(message('[redacted]')));
  assert.deepEqual(hiddenNames([record]), ['api_key', 'sid', 'token']);
});

test('a body keeps everything else to the character: digits, blanks, repeated members, broken ends', () => {
  assert.equal(
    bodyOf('{ "id":9007199254740993.0,"note":1,"note":2, "token" : 12e3 ,"\\u0073id":true,"key":null}'),
    '{ "id":9007199254740993.0,"note":1,"note":2, "token" : "[redacted]" ,"\\u0073id":"[redacted]","key":null}',
  );
  assert.equal(bodyOf(`[{"name":"a","token":"${SECRET}`), '[{"name":"a","token":"[redacted]"');
  assert.equal(bodyOf(`{"session":{"id":"${SECRET}"},"id":7}`), '{"session":{"id":"[redacted]"},"id":7}');
  assert.equal(
    bodyOf(`{"text":"{\\"token\\":\\"${SECRET}\\"}","name":"b"}`),
    '{"text":"{\\"token\\":\\"[redacted]\\"}","name":"b"}',
  );
  assert.equal(bodyOf(`name=Rex&password=${SECRET}`), 'name=Rex&password=[redacted]');
  assert.equal(bodyOf(`password=${SECRET}&name=Rex`), 'password=[redacted]&name=Rex');
});

test('the name of a key that was replaced stays, and JSON in brackets is no mask', () => {
  const headers: readonly Header[] = [
    ['Authorization', 'Bearer $PETSTORE_FREE_KEY'],
    ['X-API-Key', '$PETSTORE_FREE_KEY'],
    ['X-Forwarded-Authorization', 'Bearer $UNKNOWN_KEY_1'],
    ['X-Session', `{"id":"${SECRET}"}`],
    ['Cookie', '[abc]'],
  ];
  const record = withoutSecrets(exchangeOf({ target: '/v1/pets?api_key=$PETSTORE_FREE_KEY', headers }));
  assert.equal(record.request.target, '/v1/pets?api_key=$PETSTORE_FREE_KEY');
  assert.deepEqual(record.request.headers.slice(0, 3), headers.slice(0, 3));
  assert.deepEqual(record.request.headers.slice(3), [
    ['X-Session', '[redacted]'],
    ['Cookie', '[redacted]'],
  ]);
  assert.deepEqual(hiddenNames([record]), ['Cookie', 'X-Session']);
});

test('headers that the interface and HTTP read stay as they are', () => {
  const headers: readonly Header[] = [
    ['Authorization', 'Bearer $PETSTORE_FREE_KEY'],
    [':authority', 'shop.example.com'],
    ['WWW-Authenticate', 'Bearer realm="pets", error="invalid_token"'],
    ['Host', 'shop.example.com'],
    ['Content-Type', 'application/json; charset=utf-8'],
  ];
  assert.deepEqual(withoutSecrets(exchangeOf({ headers })).request.headers, headers);
});

test('a secret is hidden in whatever a value holds: JSON, a list of headers, a page, a name beside its value', () => {
  const texts: readonly ((secret: string) => string)[] = [
    (secret) => `data: {"token":"${secret}","name":"Rex"}\n\n`,
    (secret) => `found({"pet":{"name":"Rex","sid":"${secret}"}})`,
    (secret) => `)]}',\n[{"password":"${secret}"}]`,
    (secret) => `GET / HTTP/1.1\nHost: a\nX-Api-Key: ${secret}\n`,
    (secret) => `password: ${secret}`,
    (secret) => `<input type="hidden" name="csrf_token" value="${secret}"><b>Rex</b>`,
    (secret) => `<meta content='${secret}' name='csrf-token'>`,
    (secret) => `<script>window.state = {"accessToken":"${secret}","name":"Rex"}</script>`,
    (secret) => `<user><password><![CDATA[${secret}]]></password></user>`,
    (secret) => `{"headers":[{"name":"Cookie","value":"${secret}"},{"name":"Host","value":"a"}]}`,
    (secret) => `{"note":"sid=${secret}"}`,
    (secret) => `{"note":"GET /\\nCookie: ${secret}\\nHost: a"}`,
    (secret) => `{"note":"data: {\\"token\\":\\"${secret}\\"}"}`,
    (secret) => `name=Rex&password=${secret}(5)`.replace('(5)', secret === SECRET ? '(5)' : ''),
  ];
  for (const text of texts) {
    assert.equal(bodyOf(text(SECRET)), text('[redacted]'));
    assert.equal(bodyOf(bodyOf(text(SECRET))), text('[redacted]'), 'twice changes nothing');
  }
  const inHeader: Header = ['X-Context', `{"user":"Rex","sid":"${SECRET}"}`];
  const target = `/v1/pets?filter=${encodeURIComponent(`{"password":"${SECRET}"}`)}&limit=5`;
  const { request } = withoutSecrets(exchangeOf({ target, headers: [inHeader] }));
  assert.deepEqual(request.headers, [['X-Context', '{"user":"Rex","sid":"[redacted]"}']]);
  assert.equal(request.target, '/v1/pets?filter=[redacted]&limit=5');
});

test('texts that name no secret stay, whatever they hold', () => {
  for (const text of [
    '<input name="limit" value="5"><meta name="author" content="Rex">',
    'status: sold\nname: Rex\n',
    '{"name":"Rex: sold","value":"x","note":"a\\nb: c","tags":[{"name":"colour","value":"red"}]}',
    'data: {"name":"Rex"}\n\n',
  ])
    assert.equal(bodyOf(`${text} token`), `${text} token`);
});

test('a text of any depth is read, and its secret is hidden', () => {
  const addresses = Array.from({ length: 30 }).reduce<string>(
    (inner) => `/?next=${encodeURIComponent(inner)}`,
    `/?token=${SECRET}`,
  );
  const json = Array.from({ length: 12 }).reduce<string>(
    (inner) => JSON.stringify({ inner }),
    `{"token":"${SECRET}"}`,
  );
  const texts = [
    `${'a='.repeat(50_000)}token=${SECRET}`,
    addresses,
    json,
    `{"a":${'['.repeat(50_000)}"token"`,
  ];
  for (const text of texts) {
    const record = withoutSecrets(exchangeOf({ target: text, headers: [['X', text]], body: text }));
    assert.ok(!JSON.stringify(record).includes(SECRET));
  }
});
