import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { listenAt } from '../../base/kernel/listen.js';
import { watchClients } from '../exchange/client-connections.js';
import { unreadable } from './own-answers.js';
import { passOn, type Outcome, type Way } from './pass-on.js';
import type { Intervene, Passed } from './passed.js';
import { MOST_HEAD_BYTES, openUpstream, type Upstream } from './upstream.js';

export interface ProxyOptions {
  readonly target: Upstream;
  /** 0 for a free port. */
  readonly port: number;
  /** Address to listen at. */
  readonly host: string;
  /** True if the target gets the client's Host. */
  readonly keepHost: boolean;
  /** Most bytes of each body to keep for the record. */
  readonly mostKept: number;
  /** Shortest grace of the record, ms. */
  readonly shortestGraceMs: number;
  /** Called when an exchange is over, after its last byte was written. */
  readonly onPassed: (passed: Passed) => void;
  /** Called for bytes that are no HTTP request. */
  readonly onUnreadable: () => void;
  readonly intervene?: Intervene | undefined;
}

/**
 * Listens in front of a target, and passes everything on. Each client connection has its own to the target,
 * and each ends with the other. There are no time limits here: both sides have theirs. Throws what `listen`
 * throws, such as EADDRINUSE.
 */
export async function serveProxy(options: ProxyOptions) {
  const { target, keepHost, onPassed } = options;
  const clients = watchClients(options.shortestGraceMs);
  const upstreams = new WeakMap<Socket, ReturnType<typeof openUpstream>>();
  const server = createServer({
    requireHostHeader: false,
    maxHeaderSize: MOST_HEAD_BYTES,
    keepAliveTimeout: 0,
    headersTimeout: 0,
    requestTimeout: 0,
    noDelay: true,
  });
  // A client may close its side after the request, and read the response (RFC 9112, 9.6). Node has no option for it.
  Object.assign(server, { httpAllowHalfOpen: true });

  const record = async (
    head: Pick<Passed, 'method' | 'target' | 'headers'>,
    arrived: ReturnType<typeof clients.arrived>,
    passing: Promise<Outcome>,
  ): Promise<void> => {
    const outcome = await passing;
    // Judged after the fact: the response is on its way first.
    setImmediate(onPassed, { ...head, ...arrived.ended(outcome.readAt), ...outcome });
  };
  const take = (message: IncomingMessage, response: ServerResponse): void => {
    const { socket } = message;
    const upstream = upstreams.get(socket);
    if (!upstream) return void response.destroy();
    const arrived = clients.arrived(socket);
    const { method = 'GET', url = '/', rawHeaders } = message;
    const way: Way = {
      start: (head) => upstream.start(head, () => clients.isIdle(socket) && socket.end()),
      baseUrl: target.baseUrl,
      mostKept: options.mostKept,
      intervene: options.intervene,
    };
    void record({ method, target: url, headers: rawHeaders }, arrived, passOn(message, response, way));
  };
  server.on('request', take);
  // With these listeners, the target decides about an Expect header.
  server.on('checkContinue', take);
  server.on('checkExpectation', take);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // A client that leaves in the middle of a request is no riddle.
    if (error.code === 'ECONNRESET' || !socket.writable || !clients.isIdle(socket))
      return void socket.destroy();
    options.onUnreadable();
    const { status, text } = unreadable(error.message);
    const head = [
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Connection: close',
    ];
    socket.end(`HTTP/1.1 ${status} Bad Request\r\n${head.join('\r\n')}\r\n\r\n${text}`);
  });
  server.on('connection', (socket: Socket) => {
    const upstream = openUpstream(target, keepHost);
    upstreams.set(socket, upstream);
    clients.opened(socket);
    socket.once('end', () => upstream.endSide());
    socket.once('close', () => upstream.close());
  });
  const { port, close } = await listenAt(server, options.port, options.host);
  return {
    port,
    origin: `http://${isIPv6(options.host) ? `[${options.host}]` : options.host}:${port}`,
    graceMs: clients.graceMs,
    async [Symbol.asyncDispose]() {
      clients.stop();
      await close();
    },
  };
}
