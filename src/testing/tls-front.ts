import { connect, type Socket } from 'node:net';
import { createServer, type SecureVersion } from 'node:tls';
import type { TestContext } from 'node:test';
import { CERTIFICATE_KEY, CERTIFICATES } from './certificates.js';
import { portOf } from './loopback.js';

type CertificateName = keyof typeof CERTIFICATES;

/**
 * Starts TLS in front of a server that speaks plain HTTP; it ends with the test.
 *
 * @param certificateOf which certificate the connection with this number shows, counted from 1
 */
export async function tlsFront(
  context: TestContext,
  origin: string,
  certificateOf: (connection: number) => CertificateName,
  maxVersion: SecureVersion = 'TLSv1.3',
) {
  const behindAt = new URL(origin);
  const read = new Map<CertificateName, number>();
  const sockets = new Set<Socket>();
  const shown = new Map<number | undefined, CertificateName>();
  let connections = 0;
  const server = createServer({ key: CERTIFICATE_KEY, cert: CERTIFICATES.trusted, maxVersion }, (socket) => {
    const name = shown.get(socket.remotePort) ?? 'trusted';
    const behind = connect({ host: behindAt.hostname, port: Number(behindAt.port) });
    socket.on('data', (bytes) => read.set(name, (read.get(name) ?? 0) + bytes.length));
    for (const [one, other] of [
      [socket, behind],
      [behind, socket],
    ] as const) {
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  // Runs before the server's own listener, which takes the current certificate.
  server.prependListener('connection', (socket: Socket) => {
    const name = certificateOf((connections += 1));
    shown.set(socket.remotePort, name);
    server.setSecureContext({ key: CERTIFICATE_KEY, cert: CERTIFICATES[name], maxVersion });
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  // A client that does not trust the certificate ends the handshake.
  server.on('tlsClientError', () => undefined);
  const port = await portOf(server);
  const hangUp = (): void => sockets.forEach((socket) => socket.destroy());
  context.after(() => {
    hangUp();
    server.close();
  });
  return {
    origin: `https://127.0.0.1:${port}`,
    /** Number of connections, including failed handshakes. */
    connections: () => connections,
    /** Bytes of requests that it could decrypt under a certificate. */
    read: (name: CertificateName) => read.get(name) ?? 0,
    /** Closes all connections. */
    hangUp,
  };
}
