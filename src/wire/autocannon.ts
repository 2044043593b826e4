import type { EventEmitter } from 'node:events';
import { isIP, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { answerReader } from './exchange/answer-reader.js';
import { now, type HttpLimits } from './exchange/connection.js';
import { decode } from './exchange/decode.js';
import { headerIn } from './exchange/headers.js';
import { transportError, certificateFaultOf, type Fault } from './exchange/transport-error.js';
import { duration } from '../base/kernel/format.js';
import { REST_MS, type Reuse } from './exchange/reuse.js';

/**
 * Client of autocannon 9.0.0, with members outside its typings and documentation. Only this file uses them.
 * `parallel.alone.test.ts`, `autocannon-tls.alone.test.ts` and `engines.alone.test.ts` count at the server and fail if
 * a member changes its meaning.
 */
interface Client extends EventEmitter {
  /** Number of requests after which a client ends. */
  responseMax: number;
  readonly conn: Socket;
  readonly destroyed: boolean;
  getRequestBuffer: () => Buffer;
  parser: { execute: (chunk: Buffer) => void };
  pipelinedRequests: { insertRequest: () => void; addByteCount: () => void; clear: () => void };
  requestIterator: { readonly currentRequest: null; readonly resetted: boolean; nextRequest: () => void };
  /** Opens a connection, and requests a buffer before it is open. */
  _connect(): void;
  /** Writes the result of `getRequestBuffer` and restarts the timeout. */
  _doRequest(): void;
  destroy(): void;
}

/** A complete response, decoded; names and values of headers alternate. */
export interface Whole {
  readonly status: number;
  readonly headers: readonly string[];
  readonly bytes: Buffer;
}

/** Requests over connections, each of which sends its next after a response. `At` is the caller's note on sending. */
export interface Traffic<Request, At> {
  readonly origin: string;
  readonly limits: HttpLimits;
  readonly connections: number;
  readonly reuse: Reuse;
  readonly signal: AbortSignal;
  /** Returns the next request; null to end its connection. */
  readonly next: () => Request | null;
  /** Is true if nothing more may be sent, not even a request from `next` that waits for a connection. */
  readonly isOver: () => boolean;
  readonly bytesOf: (request: Request) => Buffer;
  readonly isSafe: (request: Request) => boolean;
  /** Is called if a used connection closed before any byte of a response. True sends the safe request again. */
  readonly again: (request: Request) => boolean;
  /** Is called as a request goes to an open connection. `readyAt` is when it could have gone, Unix ms. */
  readonly left: (request: Request, readyAt: number) => At;
  /** Is called when the body is complete, even if it cannot be decoded. */
  readonly answered: (request: Request, at: At, answer: Whole | ({ readonly kind: 'none' } & Fault)) => void;
  /** Is called if no complete response will come. `at` is null if no byte of the request was written. */
  readonly failed: (request: Request, at: At | null, fault: Fault) => void;
}

/** Interval at which autocannon checks for its end, ms: with its default, the smallest run takes a second. */
const LOOK_MS = 10;
/** Shortest timeout that autocannon accepts. */
const LEAST_TIMEOUT_SECONDS = 1;
const NOTHING: Buffer = Buffer.alloc(0);
const nothing = (): void => undefined;

/**
 * Sends with autocannon until `next` ends and every response is there. autocannon provides sockets, timeout and end. By
 * itself it repeats requests on reconnect, writes to closed connections, trusts every certificate and exceeds any
 * limit. Its parser loops forever on a negative length. So this file decides what is written, when and where; it writes
 * each request once unless `again` permits a repeat.
 */
export async function sendTraffic<Request, At>(traffic: Traffic<Request, At>): Promise<void> {
  const { origin, limits, connections, signal } = traffic;
  if (signal.aborted) return;
  const all: { readonly abort: () => void }[] = [];
  const abort = (): void => all.forEach((each) => each.abort());
  signal.addEventListener('abort', abort);
  try {
    // Loaded when it sends: most commands and runs never do.
    const { default: autocannon } = await import('autocannon');
    await autocannon({
      ...endpoint(origin, limits.address),
      connections,
      // `next` keeps the number; this one only keeps autocannon from stopping by time.
      amount: connections,
      pipelining: 1,
      timeout: Math.max(LEAST_TIMEOUT_SECONDS, limits.timeoutMs / 1000),
      sampleInt: LOOK_MS,
      skipAggregateResult: true,
      setupClient: (client) => all.push(oneConnection(client as unknown as Client, traffic)),
      ...(limits.ca !== undefined && { tlsOptions: { ca: limits.ca } }),
    });
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Returns the address to connect to, and the name that TLS verifies. Requests name the host in their own bytes. */
function endpoint(origin: string, address: string | undefined): { readonly url: string; readonly servername?: string } {
  if (address === undefined) return { url: origin };
  const url = new URL(origin);
  const { hostname } = url;
  url.hostname = isIP(address) === 6 ? `[${address}]` : address;
  return { url: url.origin, servername: hostname };
}

/** An open request. With pipelining 1 there is at most one. */
interface Pending<Request, At> {
  readonly request: Request;
  readonly at: At;
  /** True if the connection carried a response before: the server may close it while the request is on its way. */
  readonly reused: boolean;
}

function oneConnection<Request, At>(client: Client, traffic: Traffic<Request, At>): { readonly abort: () => void } {
  const { limits, reuse } = traffic;
  let upcoming = traffic.next();
  let readyAt = now();
  let isRepeat = false;
  let pending: Pending<Request, At> | null = null;
  let socket: Socket | null = null;
  /** True if the connection is open and trusted. */
  let isOpen = false;
  /** True if it has carried a response. */
  let isUsed = false;
  /** True if bytes came since the last request. */
  let hasCome = false;
  let rest: NodeJS.Timeout | null = null;
  /** True while it tries a second request on a used connection. */
  let isTrial = false;
  let head: Omit<Whole, 'bytes'> | null = null;
  const pieces: Buffer[] = [];

  const take = (): void => {
    upcoming = traffic.next();
    readyAt = now();
    isRepeat = false;
  };
  const settle = (): Pending<Request, At> | null => {
    const was = pending;
    pending = null;
    head = null;
    pieces.length = 0;
    return was;
  };
  const tried = (how: 'kept' | 'died' | 'closed' | 'leftOpen'): void => {
    isTrial = false;
    reuse[how]();
  };
  const fail = (fault: Fault): void => {
    if (isTrial) tried('leftOpen');
    const was = settle();
    if (was !== null) traffic.failed(was.request, was.at, fault);
    else if (upcoming !== null) traffic.failed(upcoming, null, fault);
    take();
  };
  const stopResting = (): boolean => {
    if (rest === null) return false;
    clearTimeout(rest);
    rest = null;
    return true;
  };
  const end = (): void => {
    stopResting();
    if (isTrial) tried('leftOpen');
    client.destroy();
  };
  const send = (): void => {
    rest = null;
    if (upcoming === null || traffic.isOver()) end();
    // oxlint-disable-next-line no-underscore-dangle -- autocannon calls it that
    else client._doRequest();
  };
  const reopen = (): void => {
    isOpen = false;
    socket?.destroy();
    if (upcoming === null || traffic.isOver()) end();
    // oxlint-disable-next-line no-underscore-dangle -- autocannon calls it that
    else if (!client.destroyed) client._connect();
  };

  const answered = (isClosed = false): void => {
    const came = head;
    const body = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
    const was = settle();
    if (was === null || came === null) return;
    if (was.reused) tried('kept');
    isUsed = true;
    // No request names a coding; a server may then choose one (RFC 9110, 12.5.3).
    const decoded = decode(body, headerIn(came.headers, 'content-encoding'), limits.maxBodyBytes);
    traffic.answered(
      was.request,
      was.at,
      Buffer.isBuffer(decoded) ? { status: came.status, headers: came.headers, bytes: decoded } : decoded,
    );
    take();
    if (upcoming === null) return end();
    const way = isClosed || closes(came.headers) ? 'fresh' : reuse.next(traffic.isSafe(upcoming));
    if (way === 'fresh') return reopen();
    if (way === 'same') return send();
    isTrial = true;
    rest = setTimeout(() => {
      readyAt = now();
      send();
    }, REST_MS);
  };
  const lost = (fault: Fault, isClosed: boolean): void => {
    const wasAtRest = stopResting();
    const diedSilently = pending?.reused === true && !hasCome;
    if (wasAtRest) tried('closed');
    else if (diedSilently) tried('died');
    if (isClosed && head !== null && endsWithItsConnection(head.headers)) return answered(true);
    if (isClosed && diedSilently && pending !== null && !isRepeat && traffic.again(pending.request)) {
      upcoming = pending.request;
      isRepeat = true;
      settle();
    } else if (!wasAtRest) fail(fault);
    reopen();
  };

  const reader = (conn: Socket) =>
    answerReader(limits.maxBodyBytes, conn, {
      head: (_, status, headers) => (head = { status, headers }),
      body: (piece) => void pieces.push(piece),
      end() {
        if (conn === socket) answered();
      },
    });
  const attach = (conn: Socket): void => {
    socket = conn;
    isOpen = isUsed = false;
    // autocannon's own listeners would open the next connection, twice after a reset, and send over it.
    for (const event of ['error', 'end'] as const) {
      const last = conn.listeners(event).at(-1) as (() => void) | undefined;
      if (last) conn.removeListener(event, last);
    }
    conn.on('error', (error: NodeJS.ErrnoException) => {
      // A write after the other side closed: Linux reports EPIPE.
      if (conn === socket && !client.destroyed) lost(transportError(error), error.code === 'EPIPE');
    });
    conn.on('end', () => {
      if (conn === socket && !client.destroyed) lost(CLOSED, true);
    });
    conn.once(conn instanceof TLSSocket ? 'secureConnect' : 'connect', () => {
      if (conn instanceof TLSSocket && !conn.authorized) {
        fail({ code: 'tls', message: certificateFaultOf(conn.authorizationError) });
        return end();
      }
      isOpen = true;
      send();
    });
    const read = reader(conn);
    client.parser = {
      execute(chunk) {
        hasCome = true;
        const fault = read(chunk);
        if (fault === null || conn !== socket || client.destroyed) return;
        // Further bytes on it belong to no request.
        fail(fault);
        reopen();
      },
    };
  };

  client.responseMax = Number.POSITIVE_INFINITY;
  client.pipelinedRequests = { insertRequest: nothing, addByteCount: nothing, clear: nothing };
  client.requestIterator = { currentRequest: null, resetted: false, nextRequest: nothing };
  client.getRequestBuffer = () => {
    // autocannon requests a buffer as soon as it opens a connection, even after a timeout.
    if (client.conn !== socket) attach(client.conn);
    if (!isOpen || upcoming === null) return NOTHING;
    const request = upcoming;
    upcoming = null;
    hasCome = false;
    const bytes = traffic.bytesOf(request);
    pending = { request, at: traffic.left(request, readyAt), reused: isUsed };
    return bytes;
  };
  client.on('timeout', () => {
    if (stopResting()) tried('leftOpen');
    else fail({ code: 'timeout', message: `no complete response within ${duration(limits.timeoutMs)}` });
    if (upcoming === null) end();
  });
  return {
    abort() {
      const was = settle();
      if (was !== null) traffic.failed(was.request, was.at, { code: 'aborted', message: 'interrupted' });
      end();
    },
  };
}

const CLOSED: Fault = { code: 'reset', message: 'the server closed the connection before the response' };

/** True if the server announces that it closes the connection after this response (RFC 9112, 9.6). */
const closes = (headers: readonly string[]): boolean => /\bclose\b/i.test(headerIn(headers, 'connection') ?? '');

/** True if the end of the connection ends the body (RFC 9112, 6.3). */
const endsWithItsConnection = (headers: readonly string[]): boolean =>
  headerIn(headers, 'content-length') === null && headerIn(headers, 'transfer-encoding') === null;
