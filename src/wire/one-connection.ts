import { answerReader, type Closing, SURPLUS } from './exchange/answer-reader.js';
import { now, type HttpLimits } from './exchange/connection.js';
import { decode } from './exchange/decode.js';
import { headerIn } from './exchange/headers.js';
import { REST_MS, type Reuse } from './exchange/reuse.js';
import type { Fault } from './exchange/transport-error.js';
import { duration } from '../base/kernel/format.js';

/** A complete response, decoded; names and values of headers alternate. */
export interface Whole {
  readonly status: number;
  readonly headers: readonly string[];
  readonly bytes: Buffer;
}

/**
 * Requests over connections, each of which sends its next after a response. `At` is the caller's note on
 * sending.
 */
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
  /** Is true if this machine stood still since a request left: how its connection ends then is no habit. */
  readonly stoodStill?: (at: At) => boolean;
  /** Is called if a used connection closed before any byte of a response. True sends the safe request again. */
  readonly again: (request: Request) => boolean;
  /** Is called as a request goes to an open connection. `readyAt` is when it could have gone, Unix ms. */
  readonly left: (request: Request, readyAt: number) => At;
  /** Is called when the body is complete, even if it cannot be decoded. */
  readonly answered: (request: Request, at: At, answer: Whole | ({ readonly kind: 'none' } & Fault)) => void;
  /**
   * Is called if no complete response will come. `at` is null if no byte of the request was written. `isNew`
   * is true if nothing ever came over its connection.
   */
  readonly failed: (request: Request, at: At | null, fault: Fault, isNew: boolean) => void;
}

/** The socket of a connection, as its states use it. */
export interface Port {
  /** Writes a request to the open socket and starts its timeout. */
  readonly write: (bytes: Buffer) => void;
  /** Closes the socket and opens another. */
  readonly reopen: () => void;
  /** Closes the socket for good. */
  readonly end: () => void;
}

/** Events of the sockets of one connection, and the interruption of its requests. */
export interface OneConnection {
  /** A socket begins to open. */
  readonly opens: (socket: Closing) => void;
  /** It is open; with a fault, it is not trusted. */
  readonly opened: (fault: Fault | null) => void;
  readonly received: (chunk: Buffer) => void;
  /** It ended. `isClosed` is true if the server closed it, false if it broke. */
  readonly lost: (fault: Fault, isClosed: boolean) => void;
  /** It was closed at the timeout, and another one begins to open. */
  readonly timedOut: () => void;
  readonly abort: () => void;
}

/** A request before it is written. */
interface Upcoming<Request> {
  readonly request: Request;
  /** When it could have gone, Unix ms. */
  readonly readyAt: number;
  /** True if it was written before and lost with its connection. */
  readonly isRepeat: boolean;
}

/**
 * Use of a socket by a request: its first one, a second one that tries if the server keeps it open, or a
 * further one.
 */
type Use = 'first' | 'trial' | 'further';

/** A request is written, and its response is not complete. */
interface Waiting<Request, At> {
  readonly in: 'waiting';
  readonly sent: Upcoming<Request>;
  readonly at: At;
  readonly use: Use;
  /** True if bytes came since it was written. */
  hasCome: boolean;
  head: Omit<Whole, 'bytes'> | null;
  readonly pieces: Buffer[];
}

/**
 * States of a connection. opening → waiting: its socket is open and trusted. waiting → waiting: the response
 * is complete, and the next request uses the same socket. waiting → resting → waiting: the same, as a trial.
 * waiting or resting → opening: the next request needs a new socket. Any → ended: no request is left, or none
 * may be sent.
 */
type State<Request, At> =
  /** Waits for its socket. Without a request from the start, it ends as soon as the socket is open. */
  | { readonly in: 'opening'; readonly upcoming: Upcoming<Request> | null }
  | Waiting<Request, At>
  /** Waits if the server closes the socket soon after its first response. */
  | { readonly in: 'resting'; readonly upcoming: Upcoming<Request>; readonly timer: NodeJS.Timeout }
  /** Hands over the end of one request, before it takes the next one: no event comes in this state. */
  | { readonly in: 'between' }
  | { readonly in: 'ended' };

const BETWEEN = { in: 'between' } as const;
const ENDED = { in: 'ended' } as const;
/** Reads no bytes, as none come before a socket opens. */
const readNothing = (): null => null;

/** Sends the requests of one connection, one at a time. It writes each once, unless `again` permits a repeat. */
export function oneConnection<Request, At>(port: Port, traffic: Traffic<Request, At>): OneConnection {
  const { limits, reuse } = traffic;
  let state: State<Request, At> = { in: 'opening', upcoming: taken() };
  /** Reads the bytes of the current socket. */
  let read: ReturnType<typeof answerReader> = readNothing;

  const isEnded = (): boolean => state.in === 'ended';

  /** Takes the next request. */
  function taken(): Upcoming<Request> | null {
    const request = traffic.next();
    return request === null ? null : { request, readyAt: now(), isRepeat: false };
  }

  /** Writes a request to the open socket. */
  function send(upcoming: Upcoming<Request>, use: Use): void {
    if (traffic.isOver()) return end();
    const { request, readyAt } = upcoming;
    const bytes = traffic.bytesOf(request);
    const at = traffic.left(request, readyAt);
    state = { in: 'waiting', sent: upcoming, at, use, hasCome: false, head: null, pieces: [] };
    port.write(bytes);
  }

  /** Keeps a request for a socket that opens. False if there is none to send: then the connection ends. */
  function awaitSocket(upcoming: Upcoming<Request> | null): boolean {
    if (upcoming === null || isEnded() || traffic.isOver()) {
      end();
      return false;
    }
    state = { in: 'opening', upcoming };
    return true;
  }

  /** Sends a request over a new socket. */
  function reopen(upcoming: Upcoming<Request> | null): void {
    if (awaitSocket(upcoming)) port.reopen();
  }

  /** Sends a request over a used socket, if the server leaves that open for a while. */
  function rest(upcoming: Upcoming<Request>): void {
    const timer = setTimeout(() => setImmediate(endRest), REST_MS);
    const resting: State<Request, At> = { in: 'resting', upcoming, timer };
    // After a stall of this process, the end of the socket may have come and be unread.
    const endRest = (): void => {
      if (state === resting) send({ ...upcoming, readyAt: now() }, 'trial');
    };
    state = resting;
  }

  /** Ends a trial that gave no result; after a result it changes nothing. */
  function leaveTrial(): void {
    if (state.in === 'resting') clearTimeout(state.timer);
    if (state.in === 'resting' || (state.in === 'waiting' && state.use === 'trial')) reuse.leftOpen();
  }

  function end(): void {
    leaveTrial();
    state = ENDED;
    port.end();
  }

  /** Reports that the current request gets no response. */
  function fail(fault: Fault): void {
    const failing = state;
    leaveTrial();
    state = BETWEEN;
    if (failing.in === 'waiting') {
      const isNew = failing.use === 'first' && !failing.hasCome;
      traffic.failed(failing.sent.request, failing.at, fault, isNew);
    }
    if (failing.in !== 'opening' && failing.in !== 'resting') return;
    if (failing.upcoming !== null)
      traffic.failed(failing.upcoming.request, null, fault, failing.in === 'opening');
  }

  /** Reports a complete response, and sends the next request. */
  function answered(waiting: Waiting<Request, At>, head: Omit<Whole, 'bytes'>, isClosed: boolean): void {
    if (waiting.use !== 'first') reuse.kept();
    state = BETWEEN;
    traffic.answered(waiting.sent.request, waiting.at, whole(head, waiting.pieces, limits.maxBodyBytes));
    const upcoming = taken();
    if (upcoming === null || isEnded()) return end();
    if (isClosed || closes(head.headers)) return reopen(upcoming);
    switch (reuse.next(traffic.isSafe(upcoming.request))) {
      case 'same':
        return send(upcoming, 'further');
      case 'after a rest':
        return rest(upcoming);
      case 'fresh':
        return reopen(upcoming);
    }
  }

  /** Ends a request whose socket was lost: it is answered, sent again, or failed. */
  function lostWaiting(waiting: Waiting<Request, At>, fault: Fault, isClosed: boolean): void {
    const { sent, use, hasCome, head } = waiting;
    if (isClosed && head !== null && endsWithItsConnection(head.headers))
      return answered(waiting, head, true);
    // The server may have closed the used socket while the request was on its way (RFC 9112, 9.3.1).
    const diedSilently = use !== 'first' && !hasCome;
    if (diedSilently && traffic.stoodStill?.(waiting.at) !== true) reuse.died();
    if (diedSilently && isClosed && !sent.isRepeat && traffic.again(sent.request)) {
      return reopen({ ...sent, isRepeat: true });
    }
    fail(fault);
    reopen(taken());
  }

  return {
    opens(socket) {
      read = answerReader(limits.maxBodyBytes, socket, {
        head: (_, status, headers) => {
          if (state.in === 'waiting') state.head = { status, headers };
        },
        body: (piece) => {
          if (state.in === 'waiting') state.pieces.push(piece);
        },
        end: () => {
          if (state.in === 'waiting' && state.head !== null) answered(state, state.head, false);
        },
      });
    },
    opened(fault) {
      if (state.in !== 'opening') return;
      if (state.upcoming === null) return end();
      if (fault === null) return send(state.upcoming, 'first');
      fail(fault);
      end();
    },
    received(chunk) {
      const reading = read;
      if (state.in === 'waiting') state.hasCome = true;
      const fault = state.in === 'resting' ? SURPLUS : reading(chunk);
      // Surplus bytes on a socket that is already given up matter to no request.
      if (fault === null || reading !== read || isEnded()) return;
      fail(fault);
      reopen(taken());
    },
    lost(fault, isClosed) {
      switch (state.in) {
        case 'waiting':
          return lostWaiting(state, fault, isClosed);
        case 'resting':
          clearTimeout(state.timer);
          reuse.closed();
          return reopen(state.upcoming);
        case 'opening':
          fail(fault);
          return reopen(taken());
        case 'between':
        case 'ended':
          return;
      }
    },
    timedOut() {
      if (state.in === 'resting') {
        leaveTrial();
        awaitSocket(state.upcoming);
        return;
      }
      fail({ code: 'timeout', message: `no complete response within ${duration(limits.timeoutMs)}` });
      awaitSocket(taken());
    },
    abort() {
      const interrupted = state;
      end();
      if (interrupted.in !== 'waiting') return;
      const fault = { code: 'aborted', message: 'interrupted' } as const;
      traffic.failed(interrupted.sent.request, interrupted.at, fault, false);
    },
  };
}

/** Returns the complete response, or the fault in its coding. */
function whole(head: Omit<Whole, 'bytes'>, pieces: readonly Buffer[], maxBodyBytes: number) {
  const [only] = pieces;
  const body = only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
  // No request names a coding; a server may then choose one (RFC 9110, 12.5.3).
  const decoded = decode(body, headerIn(head.headers, 'content-encoding'), maxBodyBytes);
  return Buffer.isBuffer(decoded) ? { status: head.status, headers: head.headers, bytes: decoded } : decoded;
}

/** True if the server announces that it closes the connection after this response (RFC 9112, 9.6). */
const closes = (headers: readonly string[]): boolean =>
  /\bclose\b/i.test(headerIn(headers, 'connection') ?? '');

/** True if the end of the connection ends the body (RFC 9112, 6.3). */
const endsWithItsConnection = (headers: readonly string[]): boolean =>
  headerIn(headers, 'content-length') === null && headerIn(headers, 'transfer-encoding') === null;
