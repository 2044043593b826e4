import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { listenAt } from '../../base/kernel/listen.js';
import { CLIENT_LEFT, RECORD_ENDED } from '../exchange/client-exchange.js';
import { watchClients } from '../exchange/client-connections.js';
import { forwardRefused, lastResponse, unreadable } from './own-answers.js';
import { passOn, type Outcome, type Way } from './pass-on.js';
import type { Intervene, Passed } from './passed.js';
import { MOST_HEAD_BYTES, openUpstream, originForm, type Upstream } from './upstream.js';

export interface ProxyOptions {
  readonly target: Upstream;
  /** 0 for a free port. */
  readonly port: number;
  readonly host: string;
  /** True if the target gets the client's Host. */
  readonly keepHost: boolean;
  /** Most bytes of each body to keep for the record. */
  readonly mostKept: number;
  /** Shortest grace of the record, ms. */
  readonly shortestGraceMs: number;
  /** Called when an exchange is over, after its last byte was written. */
  readonly onPassed: (passed: Passed) => void;
  /** Called for what the proxy refuses by itself, with the reason in words that follow a number. */
  readonly onRefused: (reason: Refused) => void;
  readonly intervene?: Intervene | undefined;
}

export type Refused = 'unreadable' | 'for another host, as to a forward proxy';

/**
 * Listens in front of a target, and passes everything on. Each client connection has its own to the target,
 * which ends with it. The client's stays when the target closes its own: the next request opens another.
 * There are no time limits here: both sides have theirs. Throws what `listen` throws, such as EADDRINUSE.
 */
export async function serveProxy(options: ProxyOptions) {
  const { target, keepHost, onPassed } = options;
  const base = new URL(target.baseUrl);
  const host = isIPv6(options.host) ? `[${options.host}]` : options.host;
  const clients = watchClients(options.shortestGraceMs);
  const underWay = new Set<Promise<void>>();
  let isEnding = false;
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
    const { answer, ...outcome } = await passing;
    const ended = arrived.ended(outcome.readAt);
    // Judged after the fact: the response is on its way first.
    await new Promise(setImmediate);
    const isCut = isEnding && answer.kind === 'none' && answer.why === CLIENT_LEFT;
    onPassed({ ...head, ...ended, ...outcome, answer: isCut ? { ...answer, why: RECORD_ENDED } : answer });
  };
  /** Such a request holds another service's credentials: it is neither passed on nor recorded. */
  const refuseForward = (message: IncomingMessage, response: ServerResponse): void => {
    options.onRefused('for another host, as to a forward proxy');
    message.resume();
    const { status, headers, text } = forwardRefused(ownAddress(message.socket), target.baseUrl);
    response.writeHead(status, headers.flat()).end(text);
  };
  const ownAddress = ({ localPort }: Socket): string => `http://${host}:${localPort}${base.pathname}`;
  const take = (message: IncomingMessage, response: ServerResponse): void => {
    const { socket } = message;
    const upstream = upstreams.get(socket);
    if (!upstream) return void response.destroy();
    if (originForm(message, base) === null) return refuseForward(message, response);
    const arrived = clients.arrived(socket);
    const { method = 'GET', url = '/', rawHeaders } = message;
    const way: Way = {
      upstream,
      baseUrl: target.baseUrl,
      mostKept: options.mostKept,
      intervene: options.intervene,
    };
    const head = { method, target: url, headers: rawHeaders };
    const recorded = record(head, arrived, passOn(message, response, way)).finally(() =>
      underWay.delete(recorded),
    );
    underWay.add(recorded);
  };
  server.on('request', take);
  // With these listeners, the target decides about an Expect header.
  server.on('checkContinue', take);
  server.on('checkExpectation', take);
  server.on('connect', (_: IncomingMessage, socket: Socket) => {
    options.onRefused('for another host, as to a forward proxy');
    socket.on('error', () => undefined);
    const given = forwardRefused(ownAddress(socket), target.baseUrl);
    socket.end(lastResponse(given, 'Misdirected Request'));
    // The server no longer knows this connection, so it would stay as long as the client keeps it.
    socket.destroySoon();
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // A client that leaves in the middle of a request is no riddle.
    if (error.code === 'ECONNRESET' || !socket.writable || !clients.isIdle(socket))
      return void socket.destroy();
    options.onRefused('unreadable');
    socket.end(lastResponse(unreadable(error.message), 'Bad Request'));
  });
  server.on('connection', (socket: Socket) => {
    const upstream = openUpstream(target, keepHost);
    upstreams.set(socket, upstream);
    clients.opened(socket);
    // Each request that is sent ahead listens until it is over.
    socket.setMaxListeners(0);
    socket.once('end', () => upstream.endSide());
    socket.once('close', () => upstream.close());
  });
  const { port, close } = await listenAt(server, options.port, options.host);
  return {
    port,
    origin: `http://${host}:${port}`,
    graceMs: clients.graceMs,
    /** Ends with all that is under way, after `onPassed` was called for it. */
    async [Symbol.asyncDispose]() {
      isEnding = true;
      clients.stop();
      await close();
      await Promise.all(underWay);
    },
  };
}
