import { decode, textOf } from '../exchange/decode.js';
import { counted } from '../../base/kernel/format.js';
import type { RecordedBody } from '../exchange/client-exchange.js';

/** The beginning of a body that passed by, and its size. */
export interface KeptBody {
  readonly bytes: Buffer;
  /** Bytes in all, also those that are not kept. */
  readonly size: number;
  /** True if the whole body passed by. */
  readonly ended: boolean;
}

/** Copies only what it keeps. */
export function bodyKeeper(mostBytes: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  let kept = 0;
  let ended = false;
  return {
    add(chunk: Buffer): void {
      size += chunk.length;
      const room = mostBytes - kept;
      if (room <= 0) return;
      const part = chunk.subarray(0, room);
      chunks.push(part);
      kept += part.length;
    },
    end: (): void => void (ended = true),
    body: (): KeptBody => ({ bytes: Buffer.concat(chunks), size, ended }),
  };
}

/**
 * Returns a body as the record holds it, decoded. Never throws: a body that cannot be read is missing.
 *
 * @param contentEncoding the header's value, null if absent
 * @param maxBytes limit of the decoded size
 */
export function recordedBody(
  { bytes, size, ended }: KeptBody,
  contentEncoding: string | null,
  maxBytes: number,
): RecordedBody {
  if (size === 0 && ended) return { kind: 'empty' };
  const isWhole = ended && size === bytes.length;
  const why = ended
    ? `only ${counted(bytes.length, 'byte')} of ${size} are kept`
    : `it was broken off after ${counted(size, 'byte')}`;
  if (!isWhole && contentEncoding !== null) return { kind: 'missing', why };
  const decoded = decode(bytes, contentEncoding, maxBytes);
  if (!Buffer.isBuffer(decoded)) return { kind: 'missing', why: decoded.message };
  const read = textOf(decoded);
  if (!isWhole) return { kind: 'cut', text: read.text, why };
  return read.text === '' ? { kind: 'empty' } : { kind: 'whole', ...read };
}
