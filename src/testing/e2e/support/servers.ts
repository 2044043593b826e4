import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer as createNetServer } from 'node:net';
import type { TestContext } from 'node:test';
import { CERTIFICATE_KEY, CERTIFICATES } from '../../certificates.js';
import { freePort, portOf } from '../../loopback.js';
import type { Running } from './command.js';
import { until } from './until.js';

async function listening(context: TestContext, server: Server, scheme: string): Promise<string> {
  const port = await portOf(server);
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `${scheme}://127.0.0.1:${port}/v1`;
}

/** Starts a server with the given listener; returns its base address. */
export const answering = (context: TestContext, listener: RequestListener): Promise<string> =>
  listening(context, createServer(listener), 'http');

/** Starts a server over TLS; by default its certificate is its own authority. */
export const answeringOverTls = (
  context: TestContext,
  listener: RequestListener,
  identity: { readonly key?: string; readonly cert?: string } = {
    key: CERTIFICATE_KEY,
    cert: CERTIFICATES.trusted,
  },
): Promise<string> => listening(context, createTlsServer(identity, listener), 'https');

/**
 * Starts a port for TLS that answers plain HTTP with 400, as Go, nginx and Apache do; returns its http
 * address.
 */
export async function answeringHttpOverTls(context: TestContext): Promise<string> {
  const behind = new URL(await answeringOverTls(context, (_request, response) => response.end('[]')));
  const front = createNetServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (bytes) => {
      if (bytes[0] !== TLS_HANDSHAKE)
        return socket.end(
          'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n',
        );
      const through = connect(Number(behind.port), behind.hostname);
      through.on('error', () => socket.destroy());
      through.write(bytes);
      return socket.pipe(through).pipe(socket);
    });
  });
  context.after(() => front.close());
  return `http://127.0.0.1:${await portOf(front)}/v1`;
}

const TLS_HANDSHAKE = 0x16;

/** Returns an address on this machine where nothing listens. */
export const closedPort = async (): Promise<string> => `http://127.0.0.1:${await freePort()}/v1`;

/** Starts a server that takes requests and never responds. */
export async function silent(context: TestContext) {
  let isAsked = false;
  const baseUrl = await answering(context, () => {
    isAsked = true;
  });
  return {
    baseUrl,
    /** Waits for the first request of a process. */
    askedBy: (running: Running) => until('its first request', () => isAsked, running),
  };
}
