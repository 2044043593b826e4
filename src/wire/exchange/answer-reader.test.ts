import { EventEmitter } from 'node:events';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { onlyAnswers } from './answer-reader.js';

const CAP = 1_000;

const bytes = fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array));
const line = fc.constantFrom('\r\n', '\n');

/** A final response with any framing of its body. */
const final = fc.oneof(
  fc
    .record({ body: bytes, end: line })
    .map(({ body, end }) =>
      Buffer.concat([
        Buffer.from(`HTTP/1.1 200 OK${end}X: y${end}Content-Length: ${body.length}${end}${end}`),
        body,
      ]),
    ),
  fc.constantFrom(204, 304).map((status) => Buffer.from(`HTTP/1.1 ${status} Nothing\r\nX: y\r\n\r\n`)),
  fc
    .record({
      parts: fc.array(bytes.filter(({ length }) => length > 0)),
      extension: fc.boolean(),
      trailer: fc.boolean(),
    })
    .map(({ parts, extension, trailer }) =>
      Buffer.concat([
        Buffer.from('HTTP/1.0 429\r\ntransfer-encoding: Chunked\r\n\r\n'),
        ...parts.flatMap((part) => [
          Buffer.from(`${part.length.toString(16)}${extension ? ';a=b' : ''}\r\n`),
          part,
          Buffer.from('\r\n'),
        ]),
        Buffer.from(`0\r\n${trailer ? 'T: u\r\n' : ''}\r\n`),
      ]),
    ),
);

const interim = fc
  .constantFrom('100 Continue', '102 Processing', '103 Early Hints\r\nLink: </a>')
  .map((text) => Buffer.from(`HTTP/1.1 ${text}\r\n\r\n`));

/** Splits bytes into pieces of the given sizes. */
function pieces(whole: Buffer, sizes: readonly number[]): readonly Buffer[] {
  const all: Buffer[] = [];
  for (let at = 0, next = 0; at < whole.length; next += 1) {
    const size = sizes[next % sizes.length] ?? 1;
    all.push(whole.subarray(at, at + size));
    at += size;
  }
  return all;
}

test('responses pass unchanged in pieces of any size, without their interim responses', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.array(interim, { maxLength: 3 }), final), { minLength: 1, maxLength: 4 }),
      fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 }),
      (answers, sizes) => {
        const framed = onlyAnswers(CAP, new EventEmitter());
        for (const [before, answer] of answers) {
          const came = pieces(Buffer.concat([...before, answer]), sizes).map(framed);
          assert.deepEqual(
            came.flatMap(({ broken }) => broken ?? []),
            [],
          );
          assert.deepEqual(Buffer.concat(came.map((one) => one.bytes)), answer);
        }
      },
    ),
  );
});

test('a body that ends with its connection passes unchanged', () => {
  const framed = onlyAnswers(CAP, new EventEmitter());
  const told = ['HTTP/1.1 200 OK\r\n\r\n', 'HTTP/1.1 100 no head of its own\r\n\r\n', 'and so on'];
  assert.equal(Buffer.concat(told.map((text) => framed(Buffer.from(text)).bytes)).toString(), told.join(''));
});

const head = (...fields: readonly string[]): string => ['HTTP/1.1 200 OK', ...fields, '', ''].join('\r\n');
const chunked = head('Transfer-Encoding: chunked');
const MUCH = 20_000;

for (const [what, text, code] of [
  ['a Content-Length below zero', head('Content-Length: -6'), 'malformed-http'],
  ['two Content-Length headers', head('Content-Length: 2', 'Content-Length: 3'), 'malformed-http'],
  ['two lengths in one header', head('Content-Length: 2, 2'), 'malformed-http'],
  [
    'Content-Length with Transfer-Encoding',
    head('Content-Length: 2', 'Transfer-Encoding: chunked'),
    'malformed-http',
  ],
  ['a header on two lines', head('Content-Length:', ' 5'), 'malformed-http'],
  ['a Content-Length above the limit', head('Content-Length: 1001'), 'too-large'],
  ['a body above the limit', `${head()}${'x'.repeat(1001)}`, 'too-large'],
  ['a chunked body above the limit', `${chunked}${`64\r\n${'x'.repeat(100)}\r\n`.repeat(11)}`, 'too-large'],
  ['a chunk size below zero', `${chunked}-6\r\n`, 'malformed-http'],
  ['a chunk size without digits', `${chunked}x\r\n`, 'malformed-http'],
  ['a chunk size of many digits', `${chunked}1000000000\r\n`, 'malformed-http'],
  ['a chunk longer than its size', `${chunked}2\r\nabc\r\n`, 'malformed-http'],
  ['an endless chunk size', `${chunked}1;${'x'.repeat(MUCH)}`, 'malformed-http'],
  ['endless chunk extensions', `${chunked}${`1;${'x'.repeat(90)}\r\na\r\n`.repeat(200)}`, 'malformed-http'],
  ['an endless trailer', `${chunked}0\r\n${'A: b\r\n'.repeat(MUCH / 6)}`, 'malformed-http'],
  ['an endless trailer line', `${chunked}0\r\n${'A'.repeat(MUCH)}`, 'malformed-http'],
  ['an endless header section', `HTTP/1.1 200 OK\r\n${'A: b\r\n'.repeat(MUCH / 6)}`, 'malformed-http'],
  ['an endless status line', `HTTP/1.1 200 ${'A'.repeat(MUCH)}`, 'malformed-http'],
  ['an endless series of interim responses', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000), 'malformed-http'],
  ['no status line', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', 'malformed-http'],
  ['no status line and no end of a head', 'SSH-2.0-OpenSSH_9.6\r\n', 'malformed-http'],
  ['a switch to another protocol', 'HTTP/1.1 101 Switching\r\n\r\n', 'malformed-http'],
  ['more bytes than Content-Length', `${head('Content-Length: 2')}abc`, 'malformed-http'],
  ['two answers in one piece', head('Content-Length: 0').repeat(2), 'malformed-http'],
] as const)
  test(`${what} is detected, both in one piece and byte by byte`, () => {
    for (const size of [text.length, 1]) {
      const framed = onlyAnswers(CAP, new EventEmitter());
      const broken: string[] = [];
      for (const piece of pieces(Buffer.from(text), [size])) {
        const fault = framed(piece).broken;
        if (fault) broken.push(fault.code);
        if (fault) break;
      }
      // If bytes come one by one, a second response counts as that to the next request.
      if (size > 1 || !/^(?:more|two answers)/.test(what)) assert.deepEqual(broken, [code]);
    }
  });
