import { answerReader, type Closing, SURPLUS } from './exchange/answer-reader.js';
import { now, type HttpLimits } from './exchange/connection.js';
import { REST_MS, type ConnectionReuse } from './exchange/connection-reuse.js';
import type { Fault } from './exchange/transport-error.js';
import { duration } from '../base/kernel/format.js';
import { announcesClose, isFramed } from './exchange/headers.js';
import { rawAnswer, type Head, type RawAnswer } from './exchange/raw-answer.js';

/**
 * Requests over connections, each of which sends its next after a response. `At` is the caller's note on
 * sending.
 */
export interface Traffic<Request, At> {
  readonly origin: string;
  readonly limits: HttpLimits;
  readonly connections: number;
  readonly reuse: ConnectionReuse;
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
  readonly answered: (request: Request, at: At, answer: RawAnswer) => void;
  /**
   * Is called if no complete response will come. `at` is null if no byte of the request was written. `isNew`
   * is true if nothing ever came over its connection, `readyAt` as for `left`.
   */
  readonly failed: (request: Request, at: At | null, fault: Fault, isNew: boolean, readyAt: number) => void;
}

/** The socket of a connection, as its states use it. */
interface Port {
  /** Writes a request to the open socket and starts its timeout. */
  readonly write: (bytes: Buffer) => void;
  readonly reopen: () => void;
  /** Closes the socket, which is not opened again. */
  readonly end: () => void;
}

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

interface Waiting<Request, At> {
  readonly in: 'waiting';
  readonly sent: Upcoming<Request>;
  readonly at: At;
  readonly use: Use;
  /** True if bytes came since it was written. */
  hasCome: boolean;
  head: Head | null;
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
export class OneConnection<Request, At> {
  private state: State<Request, At>;
  /** When its first request was written, and its first response was complete, Unix ms; null before. */
  firstLeftAt: number | null = null;
  firstAnsweredAt: number | null = null;
  private read: ReturnType<typeof answerReader> = readNothing;

  constructor(
    private readonly port: Port,
    private readonly traffic: Traffic<Request, At>,
  ) {
    this.state = { in: 'opening', upcoming: this.taken() };
  }

  opens(socket: Closing): void {
    this.read = answerReader(this.traffic.limits.maxBodyBytes, socket, {
      head: (_, status, headers) => {
        if (this.state.in === 'waiting') this.state.head = { status, headers };
      },
      body: (piece) => {
        if (this.state.in === 'waiting') this.state.pieces.push(piece);
      },
      end: () => {
        if (this.state.in === 'waiting' && this.state.head !== null)
          this.answered(this.state, this.state.head, false);
      },
    });
  }

  /** It is open; with a fault, it is not trusted. */
  opened(fault: Fault | null): void {
    if (this.state.in !== 'opening') return;
    if (this.state.upcoming === null) return this.end();
    if (fault === null) return this.send(this.state.upcoming, 'first');
    this.fail(fault);
    this.end();
  }

  /** The kit itself waited before it opened a connection: no request was ready in that time, ms. */
  paused(ms: number): void {
    const { state } = this;
    if (state.in !== 'opening' || state.upcoming === null) return;
    this.state = { in: 'opening', upcoming: { ...state.upcoming, readyAt: state.upcoming.readyAt + ms } };
  }

  received(chunk: Buffer): void {
    const reading = this.read;
    if (this.state.in === 'waiting') this.state.hasCome = true;
    const fault = this.state.in === 'resting' ? SURPLUS : reading(chunk);
    // Surplus bytes on a socket that is already given up matter to no request.
    if (fault === null || reading !== this.read || this.isEnded()) return;
    this.fail(fault);
    this.reopen(this.taken());
  }

  /** It ended. `isClosed` is true if the server closed it, false if it broke. */
  lost(fault: Fault, isClosed: boolean): void {
    switch (this.state.in) {
      case 'waiting':
        return this.lostWaiting(this.state, fault, isClosed);
      case 'resting':
        clearTimeout(this.state.timer);
        this.traffic.reuse.closed();
        return this.reopen(this.state.upcoming);
      case 'opening':
        this.fail(fault);
        return this.reopen(this.taken());
      case 'between':
      case 'ended':
        return;
    }
  }

  /** It was closed at the timeout, and another one begins to open. */
  timedOut(): void {
    if (this.state.in === 'resting') {
      this.leaveTrial();
      this.awaitSocket(this.state.upcoming);
      return;
    }
    this.fail({
      code: 'timeout',
      message: `no complete response within ${duration(this.traffic.limits.timeoutMs)}`,
    });
    this.awaitSocket(this.taken());
  }

  abort(): void {
    const interrupted = this.state;
    this.end();
    if (interrupted.in !== 'waiting') return;
    const fault = { code: 'aborted', message: 'interrupted' } as const;
    const { sent, at } = interrupted;
    this.traffic.failed(sent.request, at, fault, false, sent.readyAt);
  }

  private isEnded(): boolean {
    return this.state.in === 'ended';
  }

  private taken(): Upcoming<Request> | null {
    const request = this.traffic.next();
    return request === null ? null : { request, readyAt: now(), isRepeat: false };
  }

  private send(upcoming: Upcoming<Request>, use: Use): void {
    if (this.traffic.isOver()) return this.end();
    const { request, readyAt } = upcoming;
    const bytes = this.traffic.bytesOf(request);
    const at = this.traffic.left(request, readyAt);
    this.firstLeftAt ??= now();
    this.state = { in: 'waiting', sent: upcoming, at, use, hasCome: false, head: null, pieces: [] };
    this.port.write(bytes);
  }

  /** Keeps a request for a socket that opens. False if there is none to send: then the connection ends. */
  private awaitSocket(upcoming: Upcoming<Request> | null): boolean {
    if (upcoming === null || this.isEnded() || this.traffic.isOver()) {
      this.end();
      return false;
    }
    this.state = { in: 'opening', upcoming };
    return true;
  }

  private reopen(upcoming: Upcoming<Request> | null): void {
    if (this.awaitSocket(upcoming)) this.port.reopen();
  }

  /** Sends a request over a used socket, if the server leaves that open for a while. */
  private rest(upcoming: Upcoming<Request>): void {
    const timer = setTimeout(() => setImmediate(endRest), REST_MS);
    const resting: State<Request, At> = { in: 'resting', upcoming, timer };
    // After a stall of this process, the end of the socket may have come and be unread.
    const endRest = (): void => {
      if (this.state === resting) this.send({ ...upcoming, readyAt: now() }, 'trial');
    };
    this.state = resting;
  }

  /** Ends a trial that gave no result; after a result it changes nothing. */
  private leaveTrial(): void {
    if (this.state.in === 'resting') clearTimeout(this.state.timer);
    if (this.state.in === 'resting' || (this.state.in === 'waiting' && this.state.use === 'trial'))
      this.traffic.reuse.leftOpen();
  }

  private end(): void {
    this.leaveTrial();
    this.state = ENDED;
    this.port.end();
  }

  private fail(fault: Fault): void {
    const failing = this.state;
    this.leaveTrial();
    this.state = BETWEEN;
    if (failing.in === 'waiting') {
      const { sent, at, use, hasCome } = failing;
      this.traffic.failed(sent.request, at, fault, use === 'first' && !hasCome, sent.readyAt);
    }
    if ((failing.in !== 'opening' && failing.in !== 'resting') || failing.upcoming === null) return;
    const { request, readyAt } = failing.upcoming;
    this.traffic.failed(request, null, fault, failing.in === 'opening', readyAt);
  }

  private answered(waiting: Waiting<Request, At>, head: Head, isClosed: boolean): void {
    if (waiting.use !== 'first') this.traffic.reuse.kept();
    this.state = BETWEEN;
    this.firstAnsweredAt ??= now();
    this.traffic.answered(
      waiting.sent.request,
      waiting.at,
      rawAnswer(head, waiting.pieces, this.traffic.limits.maxBodyBytes),
    );
    const upcoming = this.taken();
    if (upcoming === null || this.isEnded()) return this.end();
    if (isClosed || announcesClose(head.headers)) return this.reopen(upcoming);
    switch (this.traffic.reuse.next(this.traffic.isSafe(upcoming.request))) {
      case 'same':
        return this.send(upcoming, 'further');
      case 'after a rest':
        return this.rest(upcoming);
      case 'fresh':
        return this.reopen(upcoming);
    }
  }

  private lostWaiting(waiting: Waiting<Request, At>, fault: Fault, isClosed: boolean): void {
    const { sent, use, hasCome, head } = waiting;
    if (isClosed && head !== null && !isFramed(head.headers)) return this.answered(waiting, head, true);
    // The server may have closed the used socket while the request was on its way (RFC 9112, 9.3.1).
    const diedSilently = use !== 'first' && !hasCome;
    if (diedSilently && this.traffic.stoodStill?.(waiting.at) !== true) this.traffic.reuse.died();
    if (diedSilently && isClosed && !sent.isRepeat && this.traffic.again(sent.request)) {
      return this.reopen({ ...sent, isRepeat: true });
    }
    this.fail(fault);
    this.reopen(this.taken());
  }
}
