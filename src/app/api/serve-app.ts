import { faultText } from '../../judge/findings/finding.js';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type AddressInfo } from 'node:net';
import { UsageError } from '../../base/kernel/errors.js';
import { listenAt } from '../../base/kernel/listen.js';

/**
 * An address, a listener (Express), a server of node:http, a Fastify instance, an object with `fetch` (Hono),
 * a Koa app, or a Hapi server.
 */
export type App =
  | string
  | ((request: never, response: never) => unknown)
  | { readonly fetch: (request: never) => unknown }
  | {
      readonly callback: () => (request: never, response: never) => unknown;
      readonly middleware: readonly unknown[];
    }
  | { readonly initialize: () => PromiseLike<unknown>; readonly listener: object }
  | {
      readonly ready: () => PromiseLike<unknown>;
      readonly routing: (request: never, response: never) => unknown;
    }
  | { readonly listen: (...args: never) => unknown; readonly address: () => unknown };

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * Starts an app on a free port of this machine; one that listens already is left unchanged. Throws UsageError
 * for an object that is no app of a known kind.
 *
 * @param say receives the text of an error that the app throws
 */
export async function serveApp(app: Exclude<App, string>, say: (text: string) => void) {
  if (typeof app === 'function') return served(createServer(app as Listener));
  // A program in JavaScript may hand over anything.
  if (typeof app !== 'object' || app === null) return served(app);
  if ('routing' in app) {
    await app.ready();
    return served(createServer(app.routing as Listener));
  }
  if ('fetch' in app) return served(createServer(bridge(app as unknown as Answering, say)));
  if ('callback' in app && 'middleware' in app) return served(createServer(app.callback() as Listener));
  if ('listener' in app && 'initialize' in app) {
    await app.initialize();
    return served(app.listener as Server);
  }
  return served(app as Server);
}

/** Starts a server of node:http, unless it listens already. */
async function served(server: Server) {
  if (!(server instanceof NetServer))
    throw new UsageError(
      'unknown-app',
      'certify() cannot serve this object.',
      'Give an address, a listener such as an Express app, a server of node:http, an object with fetch such as a Hono app, a ' +
        'Fastify instance, a Koa app, or a Hapi server. Of another framework, give the address of the running app.',
    );
  if (server.listening) return { origin: originOf(server), close: async () => undefined };
  const { close } = await listenAt(server, 0, '127.0.0.1');
  return { origin: originOf(server), close };
}

function originOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  const isAny = address === '::' || address === '0.0.0.0';
  return `http://${isAny ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

interface Answering {
  /** `env` has Node's own objects, as Hono's adapter for Node hands them over. */
  readonly fetch: (
    request: Request,
    env: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse },
  ) => Response | Promise<Response>;
}

/** Converts between node:http and the Fetch standard's Request and Response. */
const bridge =
  (app: Answering, say: (text: string) => void): Listener =>
  async (incoming, outgoing) => {
    const request = await requestOf(incoming);
    if (request === null) {
      outgoing.writeHead(405).end();
      return;
    }
    try {
      // Called on the app: it may be an object of a class with state.
      const response = await app.fetch(request, { incoming, outgoing });
      const body = Buffer.from(await response.arrayBuffer());
      // An app may have answered by `outgoing` itself.
      if (outgoing.headersSent) return;
      outgoing.writeHead(response.status, [...response.headers].flat());
      outgoing.end(body);
    } catch (error) {
      say(`the app threw on ${incoming.method} ${incoming.url}: ${faultText(error)}`);
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500).end();
    }
  };

/** Returns the Request; null for one that the Fetch standard forbids, such as TRACE. */
async function requestOf(incoming: IncomingMessage): Promise<Request | null> {
  const { method = 'GET', url = '/', rawHeaders, headers } = incoming;
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const pairs = Array.from({ length: rawHeaders.length / 2 }, (_, at): [string, string] => [
    rawHeaders[2 * at] ?? '',
    rawHeaders[2 * at + 1] ?? '',
  ]);
  // Request allows no body with these methods.
  const body = method === 'GET' || method === 'HEAD' ? undefined : Buffer.concat(chunks);
  try {
    return new Request(`http://${headers.host ?? '127.0.0.1'}${url}`, {
      method,
      headers: pairs,
      ...(body && { body }),
    });
  } catch {
    return null;
  }
}
