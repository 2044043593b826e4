import type { TransportCode } from './types.js';
import { size } from '../format/format.js';

/** Of a head, of all interim heads before it, of the extensions of chunks and of a trailer: as much as Node and undici take. */
export const MAX_HEAD_BYTES = 16 * 1024;

/** How an answer's body is told (RFC 9112, 6.3). */
export type Body =
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'until-close' };

/** How many bytes a head takes with the empty line that ends it, 0 where that has not come. Lines may end in LF alone. */
export function endOfHead(text: string): number {
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    const next = text[at + 1] === '\r' ? at + 2 : at + 1;
    if (text[next] === '\n') return next + 1;
  }
  return 0;
}

/** Names and values in turn; null where a line is no field, or goes on with the one before it (RFC 9112, 5.2). */
export function fieldsOf(text: string, start: number, end: number): readonly string[] | null {
  const fields: string[] = [];
  for (let at = start; at < end;) {
    const next = text.indexOf('\n', at) + 1;
    const colon = text.indexOf(':', at);
    if (next - at <= 2 && text[at] !== ':') break;
    if (colon < at + 1 || colon >= next || text[at] === ' ' || text[at] === '\t') return null;
    fields.push(text.slice(at, colon), text.slice(colon + 1, next).trim());
    at = next;
  }
  return fields;
}

/** How the body after a head is told, or what is wrong with how it is. */
export function bodyOf(status: number, fields: readonly string[]): Body | Misframed {
  let length: string | null = null;
  let codings = '';
  for (let at = 0; at < fields.length; at += 2) {
    const [name = '', value = ''] = [fields[at], fields[at + 1]];
    if (name.length === CONTENT_LENGTH.length && name.toLowerCase() === CONTENT_LENGTH) {
      if (length !== null || !/^\d{1,15}$/.test(value)) return malformed('its Content-Length is no length');
      length = value;
    } else if (name.trimEnd().toLowerCase() === TRANSFER_ENCODING) codings += `,${value.toLowerCase()}`;
  }
  if (length !== null && codings !== '') return malformed('it has both a length and a transfer coding');
  if (status === 204 || status === 304) return { kind: 'length', length: 0 };
  if (codings !== '') return { kind: /,\s*chunked$/.test(codings) ? 'chunked' : 'until-close' };
  return length === null ? { kind: 'until-close' } : { kind: 'length', length: Number(length) };
}

const CONTENT_LENGTH = 'content-length';
const TRANSFER_ENCODING = 'transfer-encoding';

/** Why the bytes of a connection are no answer. */
export interface Misframed {
  readonly code: TransportCode;
  readonly message: string;
}

/** The same as an error of a connection, as `transportError` reads it. */
export const misframedError = ({ code, message }: Misframed): Error =>
  code === 'too-large'
    ? Object.assign(new Error(message), { code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' })
    : Object.assign(new Error(message), { name: 'HTTPParserError' });

/** Bytes that are no HTTP/1.1 answer. */
export const malformed = (message: string): Misframed => ({ code: 'malformed-http', message });

/** A body beyond what is read of one. */
export const tooLarge = (maxBodyBytes: number): Misframed => ({
  code: 'too-large',
  message: `the body is larger than ${size(maxBodyBytes)}`,
});
