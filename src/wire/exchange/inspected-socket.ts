import type { Socket } from 'node:net';
import { onlyAnswers, SURPLUS } from './answer-reader.js';

export type InspectedSocket = Socket & {
  /** Announces a request: the next bytes are its response. */
  readonly expectAnswer: () => void;
};

/** A server may announce a timeout while it waits for a request, and close (RFC 9110, 15.5.9). */
const WAITED_ENOUGH = /^HTTP\/1\.[01] 408 /;

/**
 * Inspects the bytes of a socket before undici reads them. Undici rejects an unexpected interim response,
 * which any client must skip (RFC 9110, 15.2). It also reads an endless status line, and takes earlier bytes
 * for a response.
 */
export function inspected(socket: Socket, maxBodyBytes: number, onSurplus?: () => void): InspectedSocket {
  const framed = onlyAnswers(maxBodyBytes, socket);
  const read = socket.read.bind(socket) as () => Buffer | null;
  let error: Error | null = null;
  let isExpected = true;
  /** Returns the part of a piece that belongs to a response; other bytes close the connection. */
  const look = (chunk: Buffer): Buffer | null => {
    const { bytes, broken, ended } = isExpected
      ? framed(chunk)
      : { bytes: null, broken: SURPLUS, ended: false };
    if (ended) isExpected = false;
    if (broken) error = Object.assign(new Error(broken.message), { code: broken.code });
    if (broken === SURPLUS && (bytes || !WAITED_ENOUGH.test(chunk.toString('latin1', 0, 32)))) onSurplus?.();
    return bytes?.length ? bytes : null;
  };
  socket.read = (): Buffer | null => {
    for (let chunk = error ? null : read(); chunk !== null; chunk = error ? null : read()) {
      const bytes = look(chunk);
      if (bytes) return bytes;
    }
    if (error) socket.destroy(error);
    return null;
  };
  return Object.assign(socket, { expectAnswer: () => (isExpected = true) });
}
