import { decode, textOf } from './decode.js';
import { headerIn, pairsOf } from './headers.js';
import type { Answer } from './types.js';

/** A complete response in bytes, after content decoding; names and values of headers alternate. */
export interface Whole {
  readonly kind: 'response';
  readonly status: number;
  readonly headers: readonly string[];
  readonly bytes: Buffer;
}

export type RawAnswer = Whole | Extract<Answer, { kind: 'none' }>;

export type Head = Pick<Whole, 'status' | 'headers'>;

/**
 * Returns the complete response, or the fault in its coding: a server may choose one that no request names
 * (RFC 9110, 12.5.3).
 */
export function rawAnswer(
  { status, headers }: Head,
  pieces: readonly Buffer[],
  maxBodyBytes: number,
): RawAnswer {
  const [only] = pieces;
  const body = only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
  const decoded = decode(body, headerIn(headers, 'content-encoding'), maxBodyBytes);
  return Buffer.isBuffer(decoded) ? { kind: 'response', status, headers, bytes: decoded } : decoded;
}

export const readAnswer = (raw: RawAnswer): Answer =>
  raw.kind === 'none'
    ? raw
    : { kind: 'response', status: raw.status, headers: pairsOf(raw.headers), ...textOf(raw.bytes) };
