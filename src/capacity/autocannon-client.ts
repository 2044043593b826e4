import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { answerReader, type AnswerSink } from '../exchange/answer-reader.js';
import type { Misframed } from '../exchange/misframed.js';

/**
 * A client of autocannon 9.0.0 as it is, beyond what its typings know; `engines.test.ts` counts at the server and
 * fails when the members mean something else.
 */
export interface AutocannonClient extends EventEmitter {
  responseMax: number;
  readonly conn: Socket;
  readonly reqsMade: number;
  getRequestBuffer: () => Buffer;
  readonly destroyed: boolean;
  parser: { execute: (chunk: Buffer) => void };
  pipelinedRequests: { insertRequest: () => void; addByteCount: () => void; clear: () => void };
  requestIterator: { readonly currentRequest: null; readonly resetted: boolean; nextRequest: () => void };
  /** Sends the next request, unless there have been enough. */
  _doRequest(): void;
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
  /** What came is no answer. */
  readonly broken: (fault: Misframed) => void;
}

const nothing = (): void => undefined;

/**
 * Leaves autocannon its connections, and drives them oneself. Its parser goes round for ever on a length below zero; its own
 * queue and iterator would copy each body into a text, time it and put the next request together, all of which is done here
 * once and otherwise.
 * @returns to be called for each new connection, which begins with an answer of its own
 */
export function drive(client: AutocannonClient, maxBodyBytes: number, driver: Driver): () => void {
  const sink: AnswerSink = {
    head: (_, statusCode, headers) => driver.head({ statusCode, headers }),
    body: driver.body,
    end() {
      driver.answered();
      // oxlint-disable-next-line no-underscore-dangle -- autocannon calls it that
      if (!client.destroyed) client._doRequest();
    },
  };
  const begin = (): void => {
    const read = answerReader(maxBodyBytes, client.conn, sink);
    client.parser = {
      execute(chunk) {
        const fault = read(chunk);
        if (fault) driver.broken(fault);
      },
    };
  };
  client.responseMax = Number.POSITIVE_INFINITY;
  client.getRequestBuffer = driver.send;
  client.pipelinedRequests = { insertRequest: nothing, addByteCount: nothing, clear: nothing };
  client.requestIterator = { currentRequest: null, resetted: false, nextRequest: nothing };
  return begin;
}
