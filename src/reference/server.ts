import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setImmediate as untilRead, setTimeout as pause } from 'node:timers/promises';
import { listenAt } from '../base/kernel/listen.js';
import type { Header, Wire } from './messages.js';
import type { ReferenceOptions } from './options.js';
import { type Alteration, MOST_BODY_BYTES, serviceOf, type Received } from './service.js';

/** Time that an idle connection stays open; a proxy often waits a minute. */
const KEPT_ALIVE_MS = 72_000;

/**
 * Turns of the event loop in which requests arrive after a request's work. In this process a connection
 * opens, its request is written and then read: three turns, and as many again for a body. Without them, a
 * stall of this process would end the work before a request that was sent meanwhile is read.
 */
const ARRIVING_TURNS = 6;

export type Reference = Awaited<ReturnType<typeof startReference>>;

/** Starts the reference server: the sound one, or with alterations, in their order. Throws errors of the port. */
export async function startReference(
  options: Partial<ReferenceOptions> = {},
  alterations: readonly Alteration[] = [],
) {
  const { settings, basePath, take, ...counts } = serviceOf(options, alterations);
  const closing = new AbortController();
  // Every delayed response listens to it.
  setMaxListeners(0, closing.signal);
  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const { workMs, answer } = take(received(message, await bodyOf(message)));
      if (workMs > 0) {
        await pause(workMs, undefined, { signal: closing.signal });
        for (let turn = 0; turn < ARRIVING_TURNS; turn += 1) await untilRead();
      }
      await send(answer(), response, closing.signal);
    } catch (error) {
      if (!closing.signal.aborted && !message.destroyed) response.destroy(error as Error);
    }
  };
  const server = createServer((request, response) => void serve(request, response));
  // Longer than any run's pause: closing a connection during a request is a separate test.
  server.keepAliveTimeout = KEPT_ALIVE_MS;
  const at = await listenAt(server, settings.port, settings.host);
  const close = (): Promise<void> => {
    closing.abort();
    return at.close();
  };
  return {
    baseUrl: `http://${settings.host}:${at.port}${basePath}`,
    keys: settings.keys,
    ...counts,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function received(message: IncomingMessage, body: string | null): Received {
  // A target may be a whole address (RFC 9112, 3.2.2).
  const [path = '/', query = ''] = (message.url ?? '/').replace(/^https?:\/\/[^/?]*/i, '').split('?', 2);
  return {
    method: message.method ?? 'GET',
    path,
    query: new URLSearchParams(query),
    headers: Object.fromEntries(
      Object.entries(message.headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(', ') : value,
      ]),
    ),
    headerNames: message.rawHeaders.filter((_, place) => place % 2 === 0),
    body,
    address: message.socket.remoteAddress ?? '',
    connection: message.socket,
  };
}

/** Reads the request's body; null if it is larger than any creation. */
async function bodyOf(message: IncomingMessage): Promise<string | null> {
  // Most requests have none (RFC 9112, 6.3), and to read nothing takes as long as to answer.
  if (!('content-length' in message.headers || 'transfer-encoding' in message.headers)) return '';
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size <= MOST_BODY_BYTES) chunks.push(bytes);
  }
  return size > MOST_BODY_BYTES ? null : Buffer.concat(chunks).toString('utf8');
}

/** Does nothing if the client is gone. Throws AbortError if `closing` is aborted during its delay. */
async function send(wire: Wire, response: ServerResponse, closing: AbortSignal): Promise<void> {
  if (wire.delayMs > 0) await pause(wire.delayMs, undefined, { signal: closing });
  if (response.destroyed) return;
  if (wire.resets) {
    response.socket?.resetAndDestroy();
    return;
  }
  response.sendDate = false;
  const hasLength = !wire.chunked && wire.status !== 204;
  const length: readonly Header[] = hasLength ? [['Content-Length', String(wire.payload.length)]] : [];
  const close: readonly Header[] = wire.closes ? [['Connection', 'close']] : [];
  response.writeHead(wire.status, [...wire.headers, ...length, ...close].flat());
  if (!wire.chunked) {
    response.end(wire.payload);
    return;
  }
  const middle = Math.ceil(wire.payload.length / 2);
  response.write(wire.payload.subarray(0, middle));
  response.end(wire.payload.subarray(middle));
}
