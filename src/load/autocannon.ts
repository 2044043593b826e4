import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import autocannon from 'autocannon';
import { answerReader } from '../exchange/answer-reader.js';
import { now, type HttpLimits } from '../exchange/connection.js';
import { decode, unread } from '../exchange/decode.js';
import { transportError, untrusted } from '../exchange/transport-error.js';
import type { TransportCode } from '../exchange/types.js';
import { duration } from '../format/format.js';
import { REST_MS, type Reuse } from './reuse.js';

/**
 * A client of autocannon 9.0.0, with the members that its typings and its documentation do not know. They are used in this
 * file only. `parallel.alone.test.ts`, `autocannon-tls.alone.test.ts` and `engines.alone.test.ts` count at the server and
 * fail when one of them means something else.
 */
interface Client extends EventEmitter {
  /** At so many requests a client ends by itself. */
  responseMax: number;
  readonly conn: Socket;
  readonly destroyed: boolean;
  getRequestBuffer: () => Buffer;
  parser: { execute: (chunk: Buffer) => void };
  pipelinedRequests: { insertRequest: () => void; addByteCount: () => void; clear: () => void };
  requestIterator: { readonly currentRequest: null; readonly resetted: boolean; nextRequest: () => void };
  /** Opens a connection, and asks for a request before it is open. */
  _connect(): void;
  /** Writes what `getRequestBuffer` gives, and starts the timeout anew. */
  _doRequest(): void;
  destroy(): void;
}

/** A whole answer with its content codings undone; the headers are names and values in turn. */
export interface Whole {
  readonly status: number;
  readonly headers: readonly string[];
  readonly bytes: Buffer;
}

/** Why a request has no whole answer. */
export interface Fault {
  readonly code: TransportCode;
  readonly message: string;
}

/** Requests over several connections, each of which sends its next as soon as its last is answered. `At` is what the caller notes when a request leaves. */
export interface Traffic<Request, At> {
  readonly origin: string;
  readonly limits: HttpLimits;
  readonly connections: number;
  readonly reuse: Reuse;
  readonly signal: AbortSignal;
  /** What is sent next; null when nothing is, and then its connection ends. */
  readonly next: () => Request | null;
  /** Nothing more is to be sent, not even what `next` gave and no connection was open for. */
  readonly isOver: () => boolean;
  readonly bytesOf: (request: Request) => Buffer;
  readonly isSafe: (request: Request) => boolean;
  /** A connection that had carried an answer was closed before a byte of the next came back. Whether its safe request is sent again. */
  readonly again: (request: Request) => boolean;
  /** The bytes of a request go to an open connection now; `readyAt` is when it was free to leave, Unix ms. */
  readonly left: (request: Request, readyAt: number) => At;
  /** Its body came whole, and may be none that can be decoded. */
  readonly answered: (request: Request, at: At, answer: Whole | ({ readonly kind: 'none' } & Fault)) => void;
  /** No whole answer came, and none will; `at` is null where not a byte of the request was written. */
  readonly failed: (request: Request, at: At | null, fault: Fault) => void;
}

/** How often autocannon looks whether it is done, ms: its default would make the smallest send last a second. */
const LOOK_MS = 10;
/** autocannon refuses a timeout below one second. */
const LEAST_TIMEOUT_SECONDS = 1;
const NOTHING: Buffer = Buffer.alloc(0);
const nothing = (): void => undefined;

/**
 * Sends with autocannon, until `next` has no more and every answer is there. Of autocannon are the sockets, the timeout and
 * the end of it all. Left to itself it sends a request again on each reconnect, writes to connections that are not open,
 * trusts every certificate, goes on past any limit, and its parser goes round for ever on a length below zero. So what is
 * written, when, and over which connection is decided here, and each request is written once unless `again` permits it.
 */
export async function sendTraffic<Request, At>(traffic: Traffic<Request, At>): Promise<void> {
  const { origin, limits, connections, signal } = traffic;
  if (signal.aborted) return;
  const all: { readonly abort: () => void }[] = [];
  const abort = (): void => all.forEach((each) => each.abort());
  signal.addEventListener('abort', abort);
  try {
    await autocannon({
      url: origin,
      connections,
      // The number is kept by `next`; this one only keeps autocannon from stopping by the clock.
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

/** A request under way. With pipelining 1 there is never more than one. */
interface Pending<Request, At> {
  readonly request: Request;
  readonly at: At;
  /** The connection has carried an answer before: it may have been closed while the request was on its way. */
  readonly reused: boolean;
}

function oneConnection<Request, At>(client: Client, traffic: Traffic<Request, At>): { readonly abort: () => void } {
  const { limits, reuse } = traffic;
  let upcoming = traffic.next();
  let readyAt = now();
  let isRepeat = false;
  let pending: Pending<Request, At> | null = null;
  let socket: Socket | null = null;
  /** The connection is open, and trusted. */
  let isOpen = false;
  /** It has carried an answer. */
  let isUsed = false;
  /** Bytes came since the last request left. */
  let hasCome = false;
  let rest: NodeJS.Timeout | null = null;
  /** It tries whether a used connection carries a second request. */
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
  const tried = (how: 'kept' | 'died' | 'leftOpen'): void => {
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
    // Nobody asks for a coding here; a sender that is not told any may choose its own (RFC 9110, 12.5.3).
    const decoded = decode(body, valueOf(came.headers, 'content-encoding'), limits.maxBodyBytes);
    traffic.answered(was.request, was.at, decoded.ok ? { ...came, bytes: decoded.bytes } : unread(decoded));
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
    if (wasAtRest || diedSilently) tried('died');
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
      // A write after the other side has closed: Linux says so with EPIPE.
      if (conn === socket && !client.destroyed) lost(transportError(error), error.code === 'EPIPE');
    });
    conn.on('end', () => {
      if (conn === socket && !client.destroyed) lost(CLOSED, true);
    });
    conn.once(conn instanceof TLSSocket ? 'secureConnect' : 'connect', () => {
      if (conn instanceof TLSSocket && !conn.authorized) {
        fail({ code: 'tls', message: untrusted(conn.authorizationError) });
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
        // What else comes over it belongs to no request.
        fail(fault);
        reopen();
      },
    };
  };

  client.responseMax = Number.POSITIVE_INFINITY;
  client.pipelinedRequests = { insertRequest: nothing, addByteCount: nothing, clear: nothing };
  client.requestIterator = { currentRequest: null, resetted: false, nextRequest: nothing };
  client.getRequestBuffer = () => {
    // autocannon asks for a request as soon as it opens a connection, also after a timeout.
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
    else fail({ code: 'timeout', message: `no whole answer within ${duration(limits.timeoutMs)}` });
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

const CLOSED: Fault = { code: 'reset', message: 'the server closed the connection before the answer' };

/** The value of a header; null where there is none. Compares lengths first: most names are of another length. */
function valueOf(headers: readonly string[], name: string): string | null {
  for (let at = 0; at < headers.length; at += 2)
    if (headers[at]?.length === name.length && headers[at]?.toLowerCase() === name) return headers[at + 1] ?? null;
  return null;
}

/** The server says that it closes the connection after this answer (RFC 9112, 9.6). */
const closes = (headers: readonly string[]): boolean => /\bclose\b/i.test(valueOf(headers, 'connection') ?? '');

/** The end of the connection is the end of the body (RFC 9112, 6.3). */
const endsWithItsConnection = (headers: readonly string[]): boolean =>
  valueOf(headers, 'content-length') === null && valueOf(headers, 'transfer-encoding') === null;
