import { decode } from './exchange/decode.js';
import { headerIn } from './exchange/headers.js';
import { type Whole } from './one-connection.js';

/** Returns the complete response, or the fault in its coding. */
export function whole(head: Omit<Whole, 'bytes'>, pieces: readonly Buffer[], maxBodyBytes: number) {
  const [only] = pieces;
  const body = only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
  // No request names a coding; a server may then choose one (RFC 9110, 12.5.3).
  const decoded = decode(body, headerIn(head.headers, 'content-encoding'), maxBodyBytes);
  return Buffer.isBuffer(decoded) ? { status: head.status, headers: head.headers, bytes: decoded } : decoded;
}

/** True if the server announces that it closes the connection after this response (RFC 9112, 9.6). */
export const closes = (headers: readonly string[]): boolean =>
  /\bclose\b/i.test(headerIn(headers, 'connection') ?? '');

/** True if the end of the connection ends the body (RFC 9112, 6.3). */
export const endsWithItsConnection = (headers: readonly string[]): boolean =>
  headerIn(headers, 'content-length') === null && headerIn(headers, 'transfer-encoding') === null;
