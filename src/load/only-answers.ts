import type { Socket } from 'node:net';
import { onlyAnswers } from '../exchange/answer-reader.js';
import type { Misframed } from '../exchange/misframed.js';

/**
 * Hands a connection's bytes to those who listen only once they were looked at: autocannon's parser goes round for ever on a
 * length below zero, takes an interim answer for the answer, and keeps a head of any size.
 * @param refuse is told when what came is no answer; whoever listens has had what came before
 */
export function passOnlyAnswers(connection: Socket, maxBodyBytes: number, refuse: (fault: Misframed) => void): void {
  const listeners = connection.listeners('data') as ((chunk: Buffer) => void)[];
  const framed = onlyAnswers(maxBodyBytes, connection);
  connection.removeAllListeners('data');
  connection.on('data', (chunk: Buffer) => {
    const { bytes, broken } = framed(chunk);
    if (bytes.length > 0) for (const listener of listeners) listener.call(connection, bytes);
    if (broken) refuse(broken);
  });
}
