import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import autocannon from 'autocannon';
import { now, type WireRequest } from '../exchange/connection.js';
import { decode, textOf } from '../exchange/decode.js';
import { header } from '../exchange/headers.js';
import type { RequestSpec } from '../exchange/sender.js';
import { transportError } from '../exchange/transport-error.js';
import type { Answer, Header, TransportCode } from '../exchange/types.js';
import { loadAnswer, putAside, type LoadAnswer } from './answers.js';
import { passOnlyAnswers } from './only-answers.js';
import { wireOf } from './requests.js';
import { onDistrust } from './trust.js';
import { inOrderOfSending, type SendsInParallel, type ParallelOptions } from './parallel.js';
import { duration } from '../format/format.js';

/**
 * A client of autocannon 9.0.0 as it is, beyond what its typings know. `responseMax`, `reqsMade` and `conn` are not
 * documented: `parallel.alone.test.ts` and `autocannon-tls.alone.test.ts` count at the server and fail when they come to mean something
 * else.
 */
interface AutocannonClient extends EventEmitter {
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
interface Slot {
  readonly client: AutocannonClient;
  /** What it sends next. */
  upcoming: RequestSpec | null;
  pending: Pending | null;
  /** The connection whose certificate and bytes are looked at. */
  watched: Socket | null;
}

/** How often autocannon looks whether it is done, ms: its default would make the smallest send last a second. */
const LOOK_MS = 10;
/** autocannon refuses a timeout below one second. */
const LEAST_TIMEOUT_SECONDS = 1;

/**
 * Fires a send with autocannon. It keeps sending into a limit whatever its options say, so it is stopped by setting
 * each client's own maximum to what it has sent already: then answers still come in, and nothing more goes out. Answers
 * are attributed by what each connection has sent, never by callbacks, which go astray after a reset. A connection that
 * breaks stops the send. autocannon goes on whatever certificate it is shown, `rejectUnauthorized` or not: so every
 * connection is ended here as soon as its handshake is done, before a byte of a request leaves, unless its certificate is
 * trusted; and its parser is given nothing that is no answer.
 */
export const overAutocannon: SendsInParallel = async (options) => {
  const { origin, limits, connections, signal } = options;
  if (signal.aborted) return [];
  const slots: Slot[] = [];
  const answers: LoadAnswer[] = [];
  let halted = false;

  const halt = (): void => {
    halted = true;
    for (const { client } of slots) client.responseMax = Math.max(1, client.reqsMade);
  };

  const settle = (slot: Slot, answer: Answer): void => {
    if (slot.pending === null) return;
    const { spec, sentAt } = slot.pending;
    slot.pending = null;
    const times = { intendedAt: sentAt, sentAt, answeredAt: now() };
    const settled = putAside(loadAnswer(options.nextId(), spec, options.context, times, answer));
    answers.push(settled);
    if (options.stopsAt(settled)) halt();
  };

  const breakOff = (slot: Slot, code: TransportCode, message: string): void => {
    settle(slot, { kind: 'none', code, message });
    halt();
    slot.client.destroy();
  };

  const watch = (slot: Slot): void => {
    const { conn } = slot.client;
    if (conn === slot.watched) return;
    slot.watched = conn;
    onDistrust(conn, (message) => breakOff(slot, 'tls', message));
    passOnlyAnswers(conn, limits.maxBodyBytes, ({ code, message }) => breakOff(slot, code, message));
  };

  const setUp = (client: AutocannonClient): void => {
    const slot: Slot = { client, upcoming: options.next(), pending: null, watched: null };
    slots.push(slot);
    client.responseMax = Number.POSITIVE_INFINITY;
    client.on('request', () => {
      watch(slot);
      // A request on top of one that has no answer: the connection was lost, and autocannon has opened it anew.
      if (slot.pending !== null) breakOff(slot, 'reset', 'the connection was closed before the answer');
      else if (slot.upcoming === null || halted) client.destroy();
      else slot.pending = { spec: slot.upcoming, sentAt: now(), chunks: [], head: null };
    });
    client.on('headers', (head: Head) => {
      if (slot.pending !== null) slot.pending.head = head;
    });
    client.on('body', (chunk: Buffer) => {
      slot.pending?.chunks.push(Buffer.from(chunk));
    });
    client.on('response', () => {
      if (slot.pending?.head) settle(slot, answerOf(slot.pending.head, slot.pending.chunks, limits.maxBodyBytes));
      slot.upcoming = halted ? null : options.next();
      if (slot.upcoming === null) client.responseMax = Math.max(1, client.reqsMade);
    });
    client.on('connError', (error: NodeJS.ErrnoException) => {
      const { code, message } = transportError(error);
      breakOff(slot, code, message);
    });
    client.on('timeout', () => breakOff(slot, 'timeout', `no answer within ${duration(limits.timeoutMs)}`));
    client.on('done', () => settle(slot, { kind: 'none', code: 'reset', message: 'the connection was closed' }));
    client.setRequests([{ setupRequest: (request) => filled(request, slot, options) }]);
  };

  const abort = (): void => {
    for (const slot of slots) breakOff(slot, 'aborted', 'interrupted');
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
      setupClient: (client) => setUp(client as unknown as AutocannonClient),
      ...(limits.ca !== undefined && { tlsOptions: { ca: limits.ca } }),
    });
  } finally {
    signal.removeEventListener('abort', abort);
  }
  return inOrderOfSending(answers);
};

/** The request that a connection sends next, in autocannon's form. The key is put in here. */
function filled(request: autocannon.Request, { upcoming }: Slot, { context }: ParallelOptions): autocannon.Request {
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
