import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import autocannon from 'autocannon';
import { now } from '../exchange/connection.js';
import type { WireRequest } from '../exchange/connection.js';
import { decode, textOf } from '../exchange/decode.js';
import { header } from '../exchange/headers.js';
import type { RequestSpec } from '../exchange/sender.js';
import { transportError } from '../exchange/transport-error.js';
import type { Answer, Header, TransportCode } from '../exchange/types.js';
import { loadAnswer, putAside } from './answers.js';
import type { LoadAnswer } from './answers.js';
import { passOnlyAnswers } from './only-answers.js';
import { wireOf } from './requests.js';
import { onDistrust } from './trust.js';
import { inOrderOfSending } from './volley.js';
import type { Volley, VolleyOptions } from './volley.js';

/**
 * A client of autocannon 9.0.0 as it is, beyond what its typings know. `responseMax`, `reqsMade` and `conn` are not
 * documented: `volley.test.ts` and `cannon-tls.test.ts` count at the server and fail when they come to mean something
 * else.
 */
interface CannonClient extends EventEmitter {
  responseMax: number;
  /** The connection, another one after each reconnect; at each `request` event the one that the request is to go over. */
  readonly conn: Socket;
  readonly reqsMade: number;
  setRequests(requests: readonly autocannon.Request[]): void;
  destroy(): void;
}

/** The head of an answer as autocannon's parser hands it over: names and values in one flat list. */
interface Head {
  readonly statusCode: number;
  readonly headers: readonly string[];
}

/** A request under way on one connection. With pipelining 1 there is never more than one. */
interface Pending {
  readonly spec: RequestSpec;
  readonly sentAt: number;
  readonly chunks: Buffer[];
  head: Head | null;
}

/** One connection and what it does. */
interface Lane {
  readonly client: CannonClient;
  /** What it sends next. */
  upcoming: RequestSpec | null;
  pending: Pending | null;
  /** The connection whose certificate and bytes are looked at. */
  watched: Socket | null;
}

/** How often autocannon looks whether it is done, ms: its default would make the smallest volley last a second. */
const LOOK_MS = 10;
/** autocannon refuses a timeout below one second. */
const LEAST_TIMEOUT_SECONDS = 1;

/**
 * Fires a volley with autocannon. It keeps sending into a limit whatever its options say, so it is stopped by setting
 * each client's own maximum to what it has sent already: then answers still come in, and nothing more goes out. Answers
 * are attributed by what each connection has sent, never by callbacks, which go astray after a reset. A connection that
 * breaks stops the volley. autocannon goes on whatever certificate it is shown, `rejectUnauthorized` or not: so every
 * connection is ended here as soon as its handshake is done, before a byte of a request leaves, unless its certificate is
 * trusted; and its parser is given nothing that is no answer.
 */
export const cannon: Volley = async (options) => {
  const { origin, limits, connections, signal } = options;
  if (signal.aborted) return [];
  const lanes: Lane[] = [];
  const answers: LoadAnswer[] = [];
  let halted = false;

  const halt = (): void => {
    halted = true;
    for (const { client } of lanes) client.responseMax = Math.max(1, client.reqsMade);
  };

  const settle = (lane: Lane, answer: Answer): void => {
    if (lane.pending === null) return;
    const { spec, sentAt } = lane.pending;
    lane.pending = null;
    const times = { intendedAt: sentAt, sentAt, answeredAt: now() };
    const settled = putAside(loadAnswer(options.nextId(), spec, options.context, times, answer));
    answers.push(settled);
    if (options.stopsAt(settled)) halt();
  };

  const breakOff = (lane: Lane, code: TransportCode, message: string): void => {
    settle(lane, { kind: 'none', code, message });
    halt();
    lane.client.destroy();
  };

  const watch = (lane: Lane): void => {
    const { conn } = lane.client;
    if (conn === lane.watched) return;
    lane.watched = conn;
    onDistrust(conn, (message) => breakOff(lane, 'tls', message));
    passOnlyAnswers(conn, limits.maxBodyBytes, ({ code, message }) => breakOff(lane, code, message));
  };

  const setUp = (client: CannonClient): void => {
    const lane: Lane = { client, upcoming: options.next(), pending: null, watched: null };
    lanes.push(lane);
    client.responseMax = Number.POSITIVE_INFINITY;
    client.on('request', () => {
      watch(lane);
      // A request on top of one that has no answer: the connection was lost, and autocannon has opened it anew.
      if (lane.pending !== null) breakOff(lane, 'reset', 'the connection was closed before the answer');
      else if (lane.upcoming === null || halted) client.destroy();
      else lane.pending = { spec: lane.upcoming, sentAt: now(), chunks: [], head: null };
    });
    client.on('headers', (head: Head) => {
      if (lane.pending !== null) lane.pending.head = head;
    });
    client.on('body', (chunk: Buffer) => {
      lane.pending?.chunks.push(Buffer.from(chunk));
    });
    client.on('response', () => {
      if (lane.pending?.head) settle(lane, answerOf(lane.pending.head, lane.pending.chunks, limits.maxBodyBytes));
      lane.upcoming = halted ? null : options.next();
      if (lane.upcoming === null) client.responseMax = Math.max(1, client.reqsMade);
    });
    client.on('connError', (error: NodeJS.ErrnoException) => {
      const { code, message } = transportError(error);
      breakOff(lane, code, message);
    });
    client.on('timeout', () => breakOff(lane, 'timeout', `no answer within ${limits.timeoutMs} ms`));
    client.on('done', () => settle(lane, { kind: 'none', code: 'reset', message: 'the connection was closed' }));
    client.setRequests([{ setupRequest: (request) => filled(request, lane, options) }]);
  };

  const abort = (): void => {
    for (const lane of lanes) breakOff(lane, 'aborted', 'interrupted');
  };
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
      setupClient: (client) => setUp(client as unknown as CannonClient),
      ...(limits.ca !== undefined && { tlsOptions: { ca: limits.ca } }),
    });
  } finally {
    signal.removeEventListener('abort', abort);
  }
  return inOrderOfSending(answers);
};

/** The request that a connection sends next, in autocannon's form. The key is put in here. */
function filled(request: autocannon.Request, { upcoming }: Lane, { context }: VolleyOptions): autocannon.Request {
  if (upcoming === null) return request;
  const { method, path, headers, body }: WireRequest = wireOf(upcoming, context);
  return {
    ...request,
    method: method as 'GET',
    path,
    headers: Object.fromEntries(headers),
    ...(body !== null && { body }),
  };
}

function answerOf({ statusCode, headers }: Head, chunks: readonly Buffer[], maxBodyBytes: number): Answer {
  const pairs = Array.from({ length: Math.floor(headers.length / 2) }, (_, at): Header => [
    headers[at * 2] ?? '',
    headers[at * 2 + 1] ?? '',
  ]);
  // Nobody asks for a coding here; a sender that is not told any may choose its own (RFC 9110, 12.5.3).
  const body = decode(Buffer.concat(chunks), header(pairs, 'content-encoding'), maxBodyBytes);
  if (!body.ok) return { kind: 'none', code: body.code, message: body.problem };
  return { kind: 'response', status: statusCode, headers: pairs, ...textOf(body.bytes) };
}
