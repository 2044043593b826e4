import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { ClientExchange } from '../../wire/exchange/client-exchange.js';
import { pairsOf } from '../../wire/exchange/headers.js';
import type { credentialReader, RawRequest } from '../../wire/exchange/request-credential.js';
import { SHORTEST_GRACE_MS } from '../../judge/clients/timing.js';
import type { Header } from '../../wire/exchange/types.js';

/** A clock for both stamps and dates: Unix ms with a fraction, which never steps back. */
export type Clock = () => number;

/** The clock of this process. */
export const monotonic: Clock = () => performance.timeOrigin + performance.now();

/** Response that a server gives to a recorded request. */
export interface Given {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly payload: Buffer;
}

/** A request as it arrived. */
export interface Arrived extends RawRequest {
  readonly body: string;
  readonly connection: Socket;
  /** Clock at which it had been read, Unix ms. */
  readonly readAt: number;
}

/** Largest body that is read, bytes; of a larger one only its beginning is kept. */
const MOST_BODY_BYTES = 1_048_576;
/** Time that an idle connection stays open, ms: longer than any wait of a scenario. */
const KEPT_ALIVE_MS = 72_000;
/** A connection that stays unused longer was opened in advance, as browsers do, and shows no slow connect. */
const LONGEST_CONNECT_MS = 2000;
/** Interval at which this process looks for its own stalls, ms. */
const BEAT_MS = 50;

/**
 * Starts a loopback server that records each request with its times: "read" after the request was read, "written" before the
 * response is written. So a stall of this process lengthens a client's wait in the record, and never shortens it.
 */
export async function recordedServer(options: {
  readonly clock: Clock;
  readonly reader: ReturnType<typeof credentialReader>;
  readonly nextId: () => string;
  /** Origin in records, for a server that is not the service. */
  readonly isElsewhere?: true;
  readonly respond: (request: Arrived) => Promise<Given>;
  readonly onExchange: (exchange: ClientExchange) => void;
}) {
  const { clock, reader, nextId, respond, onExchange } = options;
  const connections = new Map<
    Socket,
    { readonly name: string; readonly since: number; open: number; requests: number }
  >();
  const pipelined = new Set<Socket>();
  let graceMs = SHORTEST_GRACE_MS;
  let beat = performance.now();
  // A stalled process accepts and reads late, which looks like a slow connect of the client.
  const timer = setInterval(() => {
    const now = performance.now();
    graceMs = Math.max(graceMs, Math.min(LONGEST_CONNECT_MS, SHORTEST_GRACE_MS + now - beat - BEAT_MS));
    beat = now;
  }, BEAT_MS).unref();

  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { socket } = message;
    if (isPreflight(message)) {
      response.writeHead(204, { ...CROSS_ORIGIN, 'Access-Control-Max-Age': '600' }).end();
      return;
    }
    const connection = connections.get(socket) ?? { name: 'c0', since: clock(), open: 0, requests: 0 };
    if (connection.open > 0) pipelined.add(socket);
    connection.open += 1;
    connection.requests += 1;
    const body = await bodyOf(message);
    const readAt = clock();
    if (connection.requests === 1 && readAt - connection.since < LONGEST_CONNECT_MS)
      graceMs = Math.max(graceMs, readAt - connection.since);
    const headers = pairsOf(message.rawHeaders);
    const raw = { method: message.method ?? 'GET', target: message.url ?? '/', headers, body };
    const credential = reader.credentialOf(raw);
    const given = await respond({ ...raw, connection: socket, readAt });
    const isGone = response.destroyed || socket.destroyed;
    const writtenAt = clock();
    if (!isGone) send(given, response);
    connection.open -= 1;
    const text = given.payload.toString('utf8');
    onExchange({
      id: nextId(),
      ...(options.isElsewhere && { origin: originOf(socket) }),
      credential,
      request: {
        method: raw.method,
        target: reader.hide(raw.target),
        headers: reader.hideIn(headers),
        body: body === '' ? { kind: 'empty' } : { kind: 'whole', text: reader.hide(body) },
      },
      connection: connection.name,
      ...(pipelined.has(socket) && { multiplexed: true }),
      times: { kind: 'server', readAt, writtenAt },
      answer: isGone
        ? { kind: 'none', why: 'the client closed the connection first' }
        : {
            kind: 'response',
            status: given.status,
            headers: given.headers,
            body: text === '' ? { kind: 'empty' } : { kind: 'whole', text: reader.hide(text) },
          },
    });
  };
  const server = createServer((message, response) => {
    serve(message, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = KEPT_ALIVE_MS;
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    connections.set(socket, { name: `c${accepted}`, since: clock(), open: 0, requests: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    /** Returns the slowest connect so far, and never less than the usual grace, ms. */
    graceMs: (): number => graceMs,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A page of any origin may be the client: its browser asks first, and hides headers that are not named here. */
const CROSS_ORIGIN: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, *',
  'Access-Control-Allow-Methods': 'GET, POST',
  'Access-Control-Expose-Headers': 'Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
};

/** Returns whether a browser asks for permission (CORS): that is no request of the client, and is not recorded. */
const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

const originOf = ({ localPort }: Socket): string => `http://127.0.0.1:${localPort}`;

function send({ status, headers, payload }: Given, response: ServerResponse): void {
  response.sendDate = false;
  const all = [...headers, ...Object.entries(CROSS_ORIGIN), ['Content-Length', String(payload.length)]];
  response.writeHead(status, all.flat());
  response.end(payload);
}

/** Reads a body, and keeps its beginning. Throws if the client breaks off. */
async function bodyOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size <= MOST_BODY_BYTES) chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
