import type { Fault } from './transport-error.js';
import { count, size } from '../../base/kernel/format.js';

/**
 * Most bytes of a head, of the interim heads before it, of chunk extensions and of a trailer: as in Node and
 * undici.
 */
export const MAX_HEAD_BYTES = 16 * 1024;

/** Framing of a response body (RFC 9112, 6.3). */
type Body =
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'until-close' };

/** Returns the bytes of a head with its final empty line; 0 if it is incomplete. Lines may end in LF only. */
export function endOfHead(text: string): number {
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    const next = text[at + 1] === '\r' ? at + 2 : at + 1;
    if (text[next] === '\n') return next + 1;
  }
  return 0;
}

const MOST_SHOWN = 40;
const shown = (line: string): string => JSON.stringify(line.trimEnd().slice(0, MOST_SHOWN));

/** Describes a first line that is no status line of HTTP/1.1 (RFC 9112, 4). */
export function notHttp(line: string): string {
  const version = /^HTTP\/([\d.]{1,10}) /.exec(line)?.[1];
  if (version !== undefined && !/^1\.[01]$/.test(version))
    return `its status line says HTTP/${version}, not HTTP/1.1`;
  return `it begins with ${shown(line)}, not with a status line of HTTP/1.1`;
}

/**
 * Returns names and values alternately, or the fault of a line that is no field, continues another, or has a
 * blank before its colon (RFC 9112, 5.1 and 5.2).
 */
export function fieldsOf(text: string, start: number, end: number): readonly string[] | string {
  const fields: string[] = [];
  for (let at = start; at < end;) {
    const next = text.indexOf('\n', at) + 1;
    const colon = text.indexOf(':', at);
    if (next - at <= 2 && text[at] !== ':') break;
    const line = text.slice(at, next);
    if (text[at] === ' ' || text[at] === '\t')
      return `the header line ${shown(line)} continues the line before`;
    if (colon < at + 1 || colon >= next) return `the header line ${shown(line)} has no name or no colon`;
    if (/\s/.test(text[colon - 1] ?? ''))
      return `the header line ${shown(line)} has a blank before its colon`;
    fields.push(text.slice(at, colon), text.slice(colon + 1, next).trim());
    at = next;
  }
  return fields;
}

export function bodyOf(status: number, fields: readonly string[]): Body | Fault {
  let length: string | null = null;
  let codings = '';
  for (let at = 0; at < fields.length; at += 2) {
    const [name = '', value = ''] = [fields[at], fields[at + 1]];
    if (CONTENT_LENGTH.test(name)) {
      if (length !== null) return malformed('it has Content-Length twice');
      if (!/^\d{1,15}$/.test(value)) return malformed('its Content-Length is not valid');
      length = value;
    } else if (TRANSFER_ENCODING.test(name)) codings += `,${value.toLowerCase()}`;
  }
  if (length !== null && codings !== '') return malformed('it has both Content-Length and Transfer-Encoding');
  if (status === 204 || status === 304) return { kind: 'length', length: 0 };
  if (codings !== '') return { kind: /,\s*chunked$/.test(codings) ? 'chunked' : 'until-close' };
  return length === null ? { kind: 'until-close' } : { kind: 'length', length: Number(length) };
}

const CONTENT_LENGTH = /^content-length$/i;
const TRANSFER_ENCODING = /^transfer-encoding\s*$/i;

export const malformed = (message: string): Fault => ({ code: 'malformed-http', message });

/**
 * Returns the fault of a body above the size limit.
 *
 * @param length size that the response announces, bytes; absent where it does not
 */
export const tooLarge = (maxBodyBytes: number, length?: number): Fault => ({
  code: 'too-large',
  message:
    length === undefined
      ? `the body is larger than the ${size(maxBodyBytes)} that http.maxBodyBytes allows`
      : `the body has ${count(length)} bytes; http.maxBodyBytes allows ${count(maxBodyBytes)}`,
});
