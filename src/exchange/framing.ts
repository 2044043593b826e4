import type { TransportCode } from './types.js';

/** Why the bytes of a connection are no answer. */
export interface Misframed {
  readonly code: TransportCode;
  readonly message: string;
}

/** What is made of the bytes that came: those of final answers, and what is left over where they are none. */
export interface Framed {
  readonly bytes: Buffer;
  readonly broken: Misframed | null;
  /** From where on the bytes are no answer. */
  readonly rest: Buffer;
}

/** Of a head, of all interim heads before it, of the extensions of chunks and of a trailer: as much as Node and undici take. */
const MAX_HEAD_BYTES = 16 * 1024;
/** Digits of a chunk's size: enough for 4 GB, and no body is let grow that far. */
const MAX_SIZE_DIGITS = 8;

const CR = 0x0d;
const LF = 0x0a;

type State =
  | { readonly in: 'head' }
  | { readonly in: 'body'; left: number }
  | { readonly in: 'chunk-size' }
  | { readonly in: 'chunk'; left: number }
  | { readonly in: 'chunk-end' }
  | { readonly in: 'trailer' }
  | { readonly in: 'until-close' };

/** How an answer's body is told (RFC 9112, 6.3). */
type Body =
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'until-close' };

/** The same as an error of a connection, as `transportError` reads it. */
export const misframedError = ({ code, message }: Misframed): Error =>
  code === 'too-large'
    ? Object.assign(new Error(message), { code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' })
    : Object.assign(new Error(message), { name: 'HTTPParserError' });

const malformed = (message: string): Misframed => ({ code: 'malformed-http', message });

/**
 * Follows the answers on one connection byte by byte, before any parser sees them. Interim answers (1xx, RFC 9110, 15.2) are
 * left out, asked for or not; lengths that are none, heads and trailers without end, bodies larger than allowed and bytes
 * beyond an answer's end are told. A connection carries one request at a time.
 * @param maxBodyBytes of one body, as it comes
 */
export function createFraming(maxBodyBytes: number): (chunk: Buffer) => Framed {
  let state: State = { in: 'head' };
  let held: Buffer = Buffer.alloc(0);
  let interim = 0;
  let body = 0;
  let extras = 0;

  /** One step: how many bytes are done with, and whether they are passed on; null where more have to come. */
  function step(bytes: Buffer): { readonly done: number; readonly passes: boolean } | Misframed | null {
    switch (state.in) {
      case 'head':
        return head(bytes);
      case 'until-close':
        return counted(bytes.length);
      case 'body':
      case 'chunk': {
        const done = Math.min(state.left, bytes.length);
        state.left -= done;
        const fault = counted(done);
        if (state.left === 0) state = state.in === 'body' ? { in: 'head' } : { in: 'chunk-end' };
        return fault;
      }
      case 'chunk-size':
        return chunkSize(bytes);
      case 'chunk-end':
        return chunkEnd(bytes);
      case 'trailer':
        return trailer(bytes);
    }
  }

  function counted(done: number): ReturnType<typeof step> {
    body += done;
    return body > maxBodyBytes
      ? { code: 'too-large', message: `the body is larger than ${maxBodyBytes} bytes` }
      : { done, passes: true };
  }

  function head(bytes: Buffer): ReturnType<typeof step> {
    const done = endOfHead(bytes);
    if (done > MAX_HEAD_BYTES || (done < 0 && bytes.length >= MAX_HEAD_BYTES)) {
      return malformed(`the head is larger than ${MAX_HEAD_BYTES} bytes`);
    }
    if (done < 0) return null;
    const [first = '', ...fields] = bytes.toString('latin1', 0, done).trimEnd().split(/\r?\n/);
    const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(first)?.[1] ?? 0);
    if (status < 100) return malformed('there is no status line');
    if (status === 101) return malformed('it switches protocols, which nobody asked for');
    if (status < 200) {
      interim += done;
      return interim > MAX_HEAD_BYTES ? malformed('interim answers have no end') : { done, passes: false };
    }
    const told = bodyOf(status, fields);
    if ('code' in told) return told;
    [interim, body, extras] = [0, 0, 0];
    if (told.kind === 'chunked') state = { in: 'chunk-size' };
    if (told.kind === 'until-close') state = { in: 'until-close' };
    if (told.kind === 'length') {
      if (told.length > maxBodyBytes) return counted(told.length);
      if (told.length > 0) state = { in: 'body', left: told.length };
    }
    return { done, passes: true };
  }

  function chunkSize(bytes: Buffer): ReturnType<typeof step> {
    const end = bytes.indexOf(LF);
    if (end > MAX_HEAD_BYTES || (end < 0 && bytes.length >= MAX_HEAD_BYTES)) {
      return malformed('the size of a chunk has no end');
    }
    if (end < 0) return null;
    const content = bytes.toString('latin1', 0, end).trimEnd();
    const digits = /^([\da-f]+)[ \t]*(?:;|$)/i.exec(content)?.[1];
    if (digits === undefined || digits.length > MAX_SIZE_DIGITS) return malformed('the size of a chunk is no size');
    extras += content.length - digits.length;
    if (extras > MAX_HEAD_BYTES) return malformed('the extensions of chunks have no end');
    const left = Number.parseInt(digits, 16);
    state = left === 0 ? { in: 'trailer' } : { in: 'chunk', left };
    return { done: end + 1, passes: true };
  }

  function chunkEnd(bytes: Buffer): ReturnType<typeof step> {
    const end = bytes[0] === CR ? 1 : 0;
    if (bytes[end] === undefined) return null;
    if (bytes[end] !== LF) return malformed('a chunk is longer than it says');
    state = { in: 'chunk-size' };
    return { done: end + 1, passes: true };
  }

  function trailer(bytes: Buffer): ReturnType<typeof step> {
    const end = bytes.indexOf(LF);
    extras += end < 0 ? 0 : end + 1;
    if (extras > MAX_HEAD_BYTES || (end < 0 && bytes.length >= MAX_HEAD_BYTES))
      return malformed('the trailer has no end');
    if (end < 0) return null;
    if (end === 0 || (end === 1 && bytes[0] === CR)) state = { in: 'head' };
    return { done: end + 1, passes: true };
  }

  return (chunk) => {
    let left = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    held = Buffer.alloc(0);
    const passed: Buffer[] = [];
    let broken: Misframed | null = null;
    let isOver = false;
    while (left.length > 0 && broken === null) {
      if (isOver) {
        broken = malformed('more bytes came than the answer has');
        break;
      }
      const result = step(left);
      if (result === null) {
        held = left;
        left = Buffer.alloc(0);
      } else if ('code' in result) broken = result;
      else {
        if (result.passes) passed.push(left.subarray(0, result.done));
        left = left.subarray(result.done);
        isOver = result.passes && state.in === 'head';
      }
    }
    const [only, ...others] = passed;
    return { bytes: only && others.length === 0 ? only : Buffer.concat(passed), broken, rest: left };
  };
}

/** How many bytes a head takes with the empty line that ends it; -1 where that has not come. Lines may end in LF alone. */
function endOfHead(bytes: Buffer): number {
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    const next = bytes[at + 1] === CR ? at + 2 : at + 1;
    if (bytes[next] === LF) return next + 1;
  }
  return -1;
}

function bodyOf(status: number, fields: readonly string[]): Body | Misframed {
  if (fields.some((field) => /^[ \t]/.test(field))) return malformed('a header goes on over several lines');
  const values = (name: string): readonly string[] =>
    fields.flatMap((field) => {
      const colon = field.indexOf(':');
      return field.slice(0, colon).trim().toLowerCase() === name ? [field.slice(colon + 1).trim()] : [];
    });
  const codings = values('transfer-encoding').join(',').toLowerCase();
  const [length, ...further] = values('content-length');
  if (length !== undefined && (further.length > 0 || !/^\d{1,15}$/.test(length))) {
    return malformed('its Content-Length is no length');
  }
  if (length !== undefined && codings !== '') return malformed('it has both a length and a transfer coding');
  if (status === 204 || status === 304) return { kind: 'length', length: 0 };
  if (codings !== '') return { kind: /(?:^|,)\s*chunked$/.test(codings) ? 'chunked' : 'until-close' };
  return length === undefined ? { kind: 'until-close' } : { kind: 'length', length: Number(length) };
}
