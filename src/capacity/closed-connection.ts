import type { Socket } from 'node:net';
import { now, type HttpLimits } from '../exchange/connection.js';
import { transportError } from '../exchange/transport-error.js';
import type { TransportCode } from '../exchange/types.js';
import { onDistrust } from '../load/trust.js';
import { drive, type AutocannonClient, type Head } from './autocannon-client.js';
import type { Departure } from './engine-context.js';
import type { Prepared } from './requests.js';
import { duration } from '../format/format.js';

/** A request under way on one connection; with pipelining 1 there is never more than one. */
interface Pending {
  readonly request: Prepared;
  readonly at: Departure;
  /** The connection has carried an answer before: it may have been closed while the request was on its way. */
  readonly reused: boolean;
  isRepeated: boolean;
}

/** What the connections of a flood have in common. */
export interface Flow {
  readonly limits: HttpLimits;
  /** What is sent next; null when nothing is. */
  readonly next: () => Prepared | null;
  readonly bytesOf: (request: Prepared) => Buffer;
  /** A request leaves. */
  readonly left: (request: Prepared) => Departure;
  /** A whole answer came. */
  readonly answered: (request: Prepared, at: Departure, head: Head, bytes: Buffer) => void;
  /** No whole answer came, and none will. */
  readonly failed: (request: Prepared, at: Departure, code: TransportCode, message: string) => void;
  readonly remark: (text: string) => void;
  readonly isOver: () => boolean;
}

const NOTHING: Buffer = Buffer.alloc(0);

/** Lets a connection of autocannon send what is next as soon as its last request is answered. */
export function closedConnection(client: AutocannonClient, flow: Flow): void {
  const { limits } = flow;
  let upcoming = flow.next();
  let pending: Pending | null = null;
  let head: Head | null = null;
  let bytes = NOTHING;
  /** Those of a body that came in several pieces. */
  let pieces: Buffer[] = [];
  let size = 0;
  let watched: Socket | null = null;
  let hasAnswered = false;

  const forget = (): void => {
    pending = null;
    head = null;
    bytes = NOTHING;
    if (pieces.length > 0) pieces = [];
    size = 0;
  };
  const fail = (code: TransportCode, message: string): void => {
    if (pending === null) return;
    const { request, at } = pending;
    forget();
    flow.failed(request, at, code, message);
  };
  const watch = (): void => {
    if (client.conn === watched) return;
    watched = client.conn;
    hasAnswered = false;
    begin();
    onDistrust(client.conn, (message) => {
      fail('tls', message);
      client.destroy();
    });
  };
  /** On top of a request without an answer: the connection was lost, or took too long, and was opened anew. */
  const isToBeRepeated = (lost: Pending): boolean => {
    if (now() - lost.at.sentAt >= limits.timeoutMs * 0.95)
      fail('timeout', `no whole answer within ${duration(limits.timeoutMs)}`);
    else if (lost.reused && !lost.isRepeated && head === null) return true;
    else fail('reset', 'the connection was closed before the answer');
    upcoming = flow.next();
    return false;
  };

  const begin = drive(client, limits.maxBodyBytes, {
    send() {
      watch();
      if (pending !== null && isToBeRepeated(pending)) {
        // It may have crossed with the close (RFC 9112 section 9.3.1): the same request once more.
        pending.isRepeated = true;
        return flow.bytesOf(pending.request);
      }
      if (upcoming === null) {
        // Nothing goes out; and not before autocannon has set its timer can it be taken away for good.
        setImmediate(() => client.destroy());
        return NOTHING;
      }
      const sent = flow.bytesOf(upcoming);
      pending = { request: upcoming, at: flow.left(upcoming), reused: hasAnswered, isRepeated: false };
      return sent;
    },
    head(came) {
      if (pending !== null) head = came;
    },
    body(piece) {
      if (pending === null) return;
      if (size === 0) bytes = piece;
      else pieces.push(...(pieces.length === 0 ? [bytes, piece] : [piece]));
      size += piece.length;
    },
    answered() {
      hasAnswered = true;
      if (pending !== null && head !== null) {
        const { request, at } = pending;
        const [whole, came] = [pieces.length === 0 ? bytes : Buffer.concat(pieces), head];
        forget();
        flow.answered(request, at, came, whole);
      }
      upcoming = flow.next();
      if (upcoming === null) client.responseMax = Math.max(1, client.reqsMade);
    },
    broken({ code, message }) {
      fail(code, message);
      // What else comes over it belongs to nothing: autocannon opens another one.
      client.conn.destroy(new Error(message));
    },
  });
  client.on('connError', (error: NodeJS.ErrnoException) => {
    const { code, message } = transportError(error);
    // Where the request may be repeated, the next time of sending does it.
    if (pending !== null && !(pending.reused && !pending.isRepeated)) fail(code, message);
    if (pending === null) upcoming = flow.next();
    if (upcoming === null || flow.isOver()) client.destroy();
  });
  client.on('done', () => fail('reset', 'the connection was closed'));
}
