import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';

/**
 * A client of autocannon 9.0.0 as it is, beyond what its typings know; `engines.test.ts` counts at the server and
 * fails when the members mean something else.
 */
export interface CannonClient extends EventEmitter {
  responseMax: number;
  readonly conn: Socket;
  readonly reqsMade: number;
  getRequestBuffer: () => Buffer;
  pipelinedRequests: {
    insertRequest: () => void;
    addByteCount: () => void;
    setHeaders: (head: Head) => void;
    addBody: (piece: Buffer) => void;
    terminateRequest: () => typeof ENDED;
    clear: () => void;
  };
  requestIterator: {
    readonly currentRequest: null;
    readonly resetted: boolean;
    nextRequest: () => void;
    recordBody: () => void;
  };
  destroy(): void;
}

/** How an answer begins: the headers are names and values in turn. */
export interface Head {
  readonly statusCode: number;
  readonly headers: readonly string[];
}

/** What a connection sends, and who hears what comes back; with pipelining 1 always in this order. */
export interface Driver {
  /** The bytes of the next request; it leaves when this returns. */
  readonly send: () => Buffer;
  readonly head: (head: Head) => void;
  readonly body: (piece: Buffer) => void;
  /** The answer is whole. The next request is asked for when this returns. */
  readonly answered: () => void;
}

/** What autocannon is told of every answer, for figures of its own that nobody reads. */
const ENDED = { req: null, bytes: 0, body: '', headers: { statusCode: 200, headers: [] }, duration: 1 };

const nothing = (): void => undefined;

/**
 * Leaves autocannon its connections, and drives them oneself. Its own queue and iterator would copy each body into a
 * text, time it and put the next request together, all of which is done here once and otherwise.
 */
export function drive(client: CannonClient, { send, head, body, answered }: Driver): void {
  client.responseMax = Number.POSITIVE_INFINITY;
  client.getRequestBuffer = send;
  client.pipelinedRequests = {
    insertRequest: nothing,
    addByteCount: nothing,
    setHeaders: head,
    addBody: body,
    terminateRequest: () => ENDED,
    clear: nothing,
  };
  client.requestIterator = { currentRequest: null, resetted: false, nextRequest: nothing, recordBody: answered };
}
