import { decode, isHiding, textOf } from './decode.js';
import { headerIn, pairsOf } from './headers.js';
import type { Answer } from './types.js';

/** A complete response in bytes, after content decoding; names and values of headers alternate. */
export interface Whole {
  readonly kind: 'response';
  readonly status: number;
  readonly headers: readonly string[];
  readonly bytes: Buffer;
  readonly miscoded?: true;
}

export type RawAnswer = Whole | Extract<Answer, { kind: 'none' }>;

export type Head = Pick<Whole, 'status' | 'headers'>;

/**
 * Returns the complete response. One in a coding that no request names is not read: a server may choose it
 * (RFC 9110, 12.5.3). One that is not in the coding it names has its body as it came: no client can read it.
 */
export function rawAnswer(
  { status, headers }: Head,
  pieces: readonly Buffer[],
  maxBodyBytes: number,
): RawAnswer {
  const [only] = pieces;
  const body = only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
  const coding = headerIn(headers, 'content-encoding');
  const decoded = decode(body, coding, maxBodyBytes);
  if (Buffer.isBuffer(decoded)) return { kind: 'response', status, headers, bytes: decoded };
  return decoded.code === 'bad-encoding' && coding !== null && !isHiding(coding)
    ? { kind: 'response', status, headers, bytes: body, miscoded: true }
    : decoded;
}

export const readAnswer = (raw: RawAnswer): Answer =>
  raw.kind === 'none'
    ? raw
    : {
        kind: 'response',
        status: raw.status,
        headers: pairsOf(raw.headers),
        ...textOf(raw.bytes),
        ...(raw.miscoded && { miscoded: true }),
      };
