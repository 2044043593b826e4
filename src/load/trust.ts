import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { untrusted } from '../exchange/transport-error.js';

/**
 * Tells when the handshake of a connection ends with a certificate that is not trusted. What is written before the
 * handshake is over is held back until whoever listens for its end has returned: a connection that is ended there has
 * carried no byte of a request.
 */
export function onDistrust(connection: Socket, refuse: (message: string) => void): void {
  if (!(connection instanceof TLSSocket)) return;
  connection.once('secureConnect', () => {
    if (!connection.authorized) refuse(untrusted(connection.authorizationError));
  });
}
