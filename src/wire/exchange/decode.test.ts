import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { decode, isMisnamed, textOf } from './decode.js';
import { rawAnswer, readAnswer } from './raw-answer.js';

const CODINGS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  identity: (bytes) => bytes,
};
const CAP = 100_000;

for (const [name, encode] of Object.entries(CODINGS))
  test(`${name} is decoded`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 2000 }), async (bytes) => {
        const decoded = decode(encode(Buffer.from(bytes)), name.toUpperCase(), CAP);
        assert.deepEqual(decoded, Buffer.from(bytes));
      }),
      { numRuns: 30 },
    );
  });

test('deflate without zlib header is decoded', async () => {
  const body = Buffer.from('[1,2,3] '.repeat(20));
  assert.deepEqual(decode(deflateRawSync(body), 'deflate', CAP), body);
});

test('several codings are decoded from last to first', async () => {
  const body = Buffer.from('[]');
  const twice = brotliCompressSync(gzipSync(body));
  assert.deepEqual(decode(twice, 'gzip, br', CAP), body);
});

test('an empty body needs no decoding', async () => {
  assert.deepEqual(decode(Buffer.alloc(0), 'gzip', CAP), Buffer.alloc(0));
});

const BOMB = Buffer.alloc(50_000_000);

for (const [name, bomb] of [
  ['gzip', gzipSync(BOMB, { level: 1 })],
  ['deflate', deflateSync(BOMB, { level: 1 })],
] as const)
  test(`a ${name} body that expands to 50 MB stops at the limit`, async () => {
    const decoded = decode(bomb, name, CAP);
    assert.equal(!Buffer.isBuffer(decoded) && decoded.code, 'too-large');
  });

const BROKEN: readonly (readonly [what: string, body: Buffer, coding: string])[] = [
  ['plain text labelled gzip', Buffer.from('[]'), 'gzip'],
  ['a truncated gzip body', gzipSync(Buffer.from('[]'.repeat(500))).subarray(0, 20), 'gzip'],
  ['plain text labelled br', Buffer.from('this is no brotli'), 'br'],
  ['a coding not in Accept-Encoding', Buffer.from('[]'), 'zstd'],
  ['a gzip body inside a coding not in Accept-Encoding', Buffer.from('[]'), 'gzip, compress'],
];

for (const [what, body, coding] of BROKEN)
  test(`${what} is a bad encoding`, async () => {
    const decoded = decode(body, coding, CAP);
    assert.equal(!Buffer.isBuffer(decoded) && decoded.code, 'bad-encoding');
  });

const answered = (body: Buffer, coding: string) =>
  readAnswer(rawAnswer({ status: 200, headers: ['Content-Encoding', coding] }, [body], CAP));

test('a body that is not in its coding is kept as it came; one in a coding that was not requested is not read', () => {
  const plain = answered(Buffer.from('[]'), 'gzip');
  assert.ok(plain.kind === 'response' && plain.miscoded === true && plain.text === '[]');
  assert.equal(answered(Buffer.from('[]'), 'zstd').kind, 'none');
  assert.equal(answered(gzipSync(BOMB, { level: 1 }), 'gzip').kind, 'none');
});

for (const [what, bytes, read] of [
  ['UTF-8', Buffer.from('["Zoë 🐈"]'), { text: '["Zoë 🐈"]' }],
  ['UTF-8 with a byte order mark', Buffer.from('\uFEFF[]'), { text: '[]', marked: true }],
  ['ISO 8859-1', Buffer.from('["Zoë"]', 'latin1'), { text: '["Zo\uFFFD"]', notUtf8: true }],
  [
    'half a surrogate pair',
    Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
    { text: '"\uFFFD\uFFFD\uFFFD"', notUtf8: true },
  ],
  ['UTF-8 with a real replacement character', Buffer.from('"\uFFFD"'), { text: '"\uFFFD"' }],
  ['zero bytes', Buffer.alloc(0), { text: '' }],
] as const)
  test(`a body in ${what} is read as text`, () => assert.deepEqual(textOf(bytes), read));

for (const name of ['UTF-8', 'none', 'binary', '*', 'iso-8859-1', 'constructor', 'gzip, utf-8'])
  test(`"${name}" is read as the codings in it, and is misnamed`, () => {
    const body = Buffer.from('[{"id":1}]');
    assert.deepEqual(decode(name.startsWith('gzip') ? gzipSync(body) : body, name, CAP), body);
    assert.ok(isMisnamed(name));
  });

for (const name of ['gzip', 'br, identity', 'zstd', ''])
  test(`"${name}" is not misnamed`, () => assert.ok(!isMisnamed(name)));
