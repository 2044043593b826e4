import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { listenAt } from '../../base/kernel/listen.js';
import { SHORTEST_GRACE_MS } from '../../judge/clients/timing.js';
import { watchClients } from '../../wire/exchange/client-connections.js';
import { CLIENT_LEFT, RECORD_ENDED, type ClientExchange } from '../../wire/exchange/client-exchange.js';
import { pairsOf } from '../../wire/exchange/headers.js';
import type { MetSecrets } from '../../wire/exchange/met-secrets.js';
import { isPreflight } from '../../wire/exchange/recorded.js';
import type { CredentialReader, RawRequest } from '../../wire/exchange/request-credential.js';
import { bodyKeeper, type KeptBody } from '../../wire/proxy/kept-body.js';
import type { OwnAnswer, Passed } from '../../wire/proxy/passed.js';
import { recordOf } from '../../wire/proxy/record.js';
import { allowed, readableElsewhere } from './cross-origin.js';

/** A clock for both stamps and dates: Unix ms with a fraction, which never steps back. */
export type Clock = () => number;

/** A request as it arrived; its body is null if it is too large to be read. */
export interface Arrived extends RawRequest {
  readonly connection: Socket;
  /** Clock at which it had been read, Unix ms. */
  readonly readAt: number;
}

/** Largest body that is read, bytes; of a larger one only its beginning is kept. */
const MOST_BODY_BYTES = 1_048_576;
/** Time that an idle connection stays open, ms: longer than any wait of a scenario. */
const KEPT_ALIVE_MS = 72_000;

/**
 * Starts a loopback server that records each request with its times: "read" after the request was read,
 * "written" before the response is written. So a stall of this process lengthens a client's wait in the
 * record, and never shortens it.
 */
export async function recordedServer(options: {
  readonly clock: Clock;
  readonly reader: CredentialReader;
  readonly secrets: MetSecrets;
  readonly nextId: () => string;
  /** Origin in records, for a server that is not the service. */
  readonly isElsewhere?: true;
  readonly respond: (request: Arrived) => Promise<OwnAnswer>;
  readonly onExchange: (exchange: ClientExchange) => void;
}) {
  const { clock, reader, secrets, nextId, respond, onExchange } = options;
  const clients = watchClients(SHORTEST_GRACE_MS, clock);
  const whenLeft = new WeakMap<Socket, Promise<null>>();
  const underWay = new Set<Promise<void>>();
  let isEnding = false;
  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { socket, method = 'GET', url: target = '/', rawHeaders } = message;
    const headers = pairsOf(rawHeaders);
    // A browser's question is no request of the client, and is not recorded.
    if (isPreflight({ method, headers })) {
      response.writeHead(204, allowed(message.headers).flat()).end();
      return;
    }
    const arrived = clients.arrived(socket);
    const body = await bodyOf(message);
    const readAt = clock();
    const text = body.size > MOST_BODY_BYTES ? null : body.bytes.toString('utf8');
    const request = { method, target, headers, body: text, connection: socket, readAt };
    const given = body.ended ? await Promise.race([respond(request), whenLeft.get(socket) ?? null]) : null;
    const payload = Buffer.from(given?.text ?? '');
    const isGone = response.destroyed || socket.destroyed;
    const writtenAt = clock();
    if (given !== null && !isGone) send(given, payload, message, response);
    const passed: Passed = {
      method,
      target,
      headers: rawHeaders,
      body,
      ...arrived.ended(readAt),
      readAt,
      writtenAt,
      mayHaveLeft: false,
      answer:
        given === null || isGone
          ? { kind: 'none', why: isEnding ? RECORD_ENDED : CLIENT_LEFT }
          : {
              kind: 'response',
              status: given.status,
              headers: given.headers.flat(),
              body: { bytes: payload, size: payload.length, ended: true },
            },
    };
    const exchange = recordOf(passed, nextId(), { reader, secrets, maxBytes: MOST_BODY_BYTES });
    onExchange({ ...exchange, ...(options.isElsewhere && { origin: originOf(socket) }) });
  };
  const server = createServer((message, response) => {
    const serving = serve(message, response)
      .catch(() => void response.destroy())
      .finally(() => underWay.delete(serving));
    underWay.add(serving);
  });
  server.keepAliveTimeout = KEPT_ALIVE_MS;
  server.on('connection', (socket: Socket) => {
    clients.opened(socket);
    whenLeft.set(socket, new Promise((done) => socket.once('close', () => done(null))));
  });
  const { port, close } = await listenAt(server, 0, '127.0.0.1');
  return {
    origin: `http://127.0.0.1:${port}`,
    /** Returns the slowest connect so far, and never less than the usual grace, ms. */
    graceMs: clients.graceMs,
    /** Ends with all that is under way, which the record then holds. */
    async [Symbol.asyncDispose]() {
      isEnding = true;
      clients.stop();
      await close();
      await Promise.all(underWay);
    },
  };
}

/** Starts the server that redirects lead to: another origin, which records what key it gets. */
export const otherOrigin = (options: Omit<Parameters<typeof recordedServer>[0], 'isElsewhere' | 'respond'>) =>
  recordedServer({
    ...options,
    isElsewhere: true,
    respond: () =>
      Promise.resolve({ status: 200, headers: [['Content-Type', 'application/json']], text: '[]' }),
  });

const originOf = ({ localPort }: Socket): string => `http://127.0.0.1:${localPort}`;

/** A page of any origin may be the client. */
function send(
  { status, headers }: OwnAnswer,
  payload: Buffer,
  message: IncomingMessage,
  response: ServerResponse,
): void {
  response.sendDate = false;
  const all = [...headers, ...readableElsewhere(message.headers), ['Content-Length', String(payload.length)]];
  response.writeHead(status, all.flat());
  response.end(payload);
}

/** Reads a body, and keeps its beginning. It has not ended if the client breaks off. */
async function bodyOf(message: IncomingMessage): Promise<KeptBody> {
  const keeper = bodyKeeper(MOST_BODY_BYTES);
  try {
    for await (const chunk of message) keeper.add(chunk as Buffer);
    keeper.end();
  } catch {
    // What arrived is a request all the same.
  }
  return keeper.body();
}
