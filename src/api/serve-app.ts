import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An address, a listener (Express), a server of node:http, a Fastify instance, or an object with `fetch` (Hono). */
export type App =
  | string
  | ((request: never, response: never) => unknown)
  | { readonly fetch: (request: never) => unknown }
  | { readonly ready: () => PromiseLike<unknown>; readonly routing: (request: never, response: never) => unknown }
  | { readonly listen: (...args: never) => unknown; readonly address: () => unknown };

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Starts an app on a free port of this machine; one that listens already is left unchanged. */
export async function serveApp(app: Exclude<App, string>) {
  if (typeof app === 'function') return listening(createServer(app as Listener));
  if ('routing' in app) {
    await app.ready();
    return listening(createServer(app.routing as Listener));
  }
  if ('fetch' in app) return listening(createServer(bridge(app.fetch as Answering)));
  const server = app as Server;
  return server.listening ? { origin: originOf(server), close: async () => undefined } : listening(server);
}

async function listening(server: Server) {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    origin: originOf(server),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        // Otherwise it would wait for idle connections.
        server.closeAllConnections();
      }),
  };
}

function originOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  const isAny = address === '::' || address === '0.0.0.0';
  return `http://${isAny ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

type Answering = (request: Request) => Response | Promise<Response>;

/** Converts between node:http and the Fetch standard's Request and Response. */
const bridge =
  (answer: Answering): Listener =>
  async (incoming, outgoing) => {
    try {
      const response = await answer(await requestOf(incoming));
      const body = Buffer.from(await response.arrayBuffer());
      outgoing.writeHead(response.status, [...response.headers].flat());
      outgoing.end(body);
    } catch (error) {
      // A method that Request forbids (TRACE), or an app that threw.
      outgoing.writeHead(error instanceof TypeError ? 405 : 500).end();
    }
  };

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const { method = 'GET', url = '/', rawHeaders, headers } = incoming;
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const pairs = Array.from({ length: rawHeaders.length / 2 }, (_, at): [string, string] => [
    rawHeaders[2 * at] ?? '',
    rawHeaders[2 * at + 1] ?? '',
  ]);
  // Request allows no body with these methods.
  const body = method === 'GET' || method === 'HEAD' ? undefined : Buffer.concat(chunks);
  return new Request(`http://${headers.host ?? '127.0.0.1'}${url}`, { method, headers: pairs, ...(body && { body }) });
}
