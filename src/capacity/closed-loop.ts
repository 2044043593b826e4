import { once } from 'node:events';
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import autocannon from 'autocannon';
import { now } from '../exchange/connection.js';
import { decode } from '../exchange/decode.js';
import { transportError } from '../exchange/transport-error.js';
import type { TransportCode } from '../exchange/types.js';
import { wireOf } from '../load/requests.js';
import { onDistrust } from '../load/trust.js';
import { began, settled } from './field.js';
import type { Departure, Field, Sending } from './field.js';
import type { Received } from './judge-answers.js';
import type { Meter } from './meter.js';
import type { Prepared } from './requests.js';

/**
 * A client of autocannon 9.0.0 as it is, beyond what its typings know; `engines.test.ts` counts at the server and
 * fails when the members mean something else. What is sent comes from `getRequestBuffer`, so that requests of which there
 * are few are put together once.
 */
interface CannonClient extends EventEmitter {
  responseMax: number;
  readonly conn: Socket;
  readonly reqsMade: number;
  getRequestBuffer: () => Buffer;
  destroy(): void;
}

interface Head {
  readonly statusCode: number;
  readonly headers: readonly string[];
}

/** A request under way on one connection; with pipelining 1 there is never more than one. */
interface Pending {
  readonly request: Prepared;
  readonly at: Departure;
  /** The connection has carried an answer before: it may have been closed while the request was on its way. */
  readonly reused: boolean;
  isRepeated: boolean;
  size: number;
  chunks: Buffer[];
  head: Head | null;
}

const NOTHING: Buffer = Buffer.alloc(0);

/** How often autocannon looks whether it is done, ms. */
const LOOK_MS = 10;
/** autocannon refuses a timeout below one second. */
const LEAST_TIMEOUT_SECONDS = 1;
/** So many failures on each connection without an answer between them: nobody is there. */
const MOST_FAILURES = 20;

/** What a closed loop is driven by. */
export interface Flood {
  readonly connections: number;
  /** Unix ms. */
  readonly until: number;
  /** What is sent next, asked for in the order of sending; null when nothing is. */
  readonly next: () => Prepared | null;
}

/** As fast as it goes: each connection sends its next request as soon as its last is answered, on autocannon. */
export function closedLoop(field: Field, meter: Meter, flood: Flood): Sending {
  const { origin, limits, signal } = field;
  const { host } = new URL(origin);
  const clients: CannonClient[] = [];
  const decoding = new Set<Promise<void>>();
  const buffers = new WeakMap<Prepared, Buffer>();
  const remarks = new Set<string>();
  let failures = 0;
  let halted = false;
  const sending = new AbortController();

  const halt = (): void => {
    halted = true;
    sending.abort();
  };
  const next = (): Prepared | null => {
    if (halted || signal.aborted) return null;
    const request = now() < flood.until ? flood.next() : null;
    if (request === null) halt();
    return request;
  };
  const bufferOf = (request: Prepared): Buffer => {
    const known = buffers.get(request);
    if (known) return known;
    const fresh = serialized(request, field, host);
    // No other request is as this one: it is sent once.
    if (request.known !== null) buffers.set(request, fresh);
    return fresh;
  };

  const setUp = (client: CannonClient): void => {
    clients.push(client);
    client.responseMax = Number.POSITIVE_INFINITY;
    let upcoming = next();
    let pending: Pending | null = null;
    let watched: Socket | null = null;
    let buffer = NOTHING;
    let hasAnswered = false;
    client.getRequestBuffer = () => buffer;

    const settle = (received: Received): void => {
      if (pending === null) return;
      const { request, at } = pending;
      pending = null;
      settled(field, meter, request, at, received);
    };
    const fail = (code: TransportCode, message: string): void => {
      settle({ kind: 'none', code, message });
      failures += 1;
      if (code === 'tls' || failures >= MOST_FAILURES * flood.connections) {
        remarks.add(`it ended early: no connection brought an answer any more (${message})`);
        halt();
      }
    };
    const leave = (): void => {
      client.responseMax = Math.max(1, client.reqsMade);
    };
    const watch = (): void => {
      if (client.conn === watched) return;
      watched = client.conn;
      hasAnswered = false;
      onDistrust(client.conn, (message) => {
        fail('tls', message);
        client.destroy();
      });
    };

    client.on('request', () => {
      watch();
      if (pending !== null) {
        // On top of a request without an answer: the connection was lost, or took too long, and was opened anew.
        if (now() - pending.at.sentAt >= limits.timeoutMs * 0.95)
          fail('timeout', `no whole answer within ${limits.timeoutMs} ms`);
        else if (pending.reused && !pending.isRepeated && pending.head === null) {
          // It may have crossed with the close (RFC 9112 section 9.3.1): the same request once more.
          pending.isRepeated = true;
          return;
        } else fail('reset', 'the connection was closed before the answer');
        upcoming = next();
      }
      if (upcoming === null) {
        // Nothing goes out; and not before autocannon has set its timer can it be taken away for good.
        buffer = NOTHING;
        setImmediate(() => client.destroy());
        return;
      }
      buffer = bufferOf(upcoming);
      const sentAt = now();
      const at = began(field, meter, upcoming, { intendedAt: sentAt, sentAt });
      pending = { request: upcoming, at, reused: hasAnswered, isRepeated: false, size: 0, chunks: [], head: null };
    });
    client.on('headers', (head: Head) => {
      if (pending !== null) pending.head = head;
    });
    client.on('body', (chunk: Buffer) => {
      if (pending === null) return;
      pending.size += chunk.length;
      pending.chunks.push(chunk);
      if (pending.size <= limits.maxBodyBytes) return;
      fail('too-large', `the body is larger than ${limits.maxBodyBytes} bytes`);
      remarks.add('a connection was given up: a body was larger than is read');
      client.destroy();
    });
    client.on('response', () => {
      hasAnswered = true;
      failures = 0;
      if (pending?.head) {
        const { head, chunks } = pending;
        const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
        const coding = codingOf(head.headers);
        if (coding === null) settle({ status: head.statusCode, headers: head.headers, bytes });
        else decodeAndSettle(pending, head, bytes, coding);
      }
      pending = null;
      upcoming = next();
      if (upcoming === null) leave();
    });
    client.on('connError', (error: NodeJS.ErrnoException) => {
      const { code, message } = transportError(error);
      // Where the request may be repeated, the next `request` event does it.
      if (pending !== null && !(pending.reused && !pending.isRepeated)) fail(code, message);
      if (pending === null) upcoming = next();
      if (upcoming === null || halted) client.destroy();
    });
    client.on('done', () => settle({ kind: 'none', code: 'reset', message: 'the connection was closed' }));
  };

  /** No coding was asked for; what comes coded all the same is undone, which nothing can be sent meanwhile for. */
  const decodeAndSettle = ({ request, at }: Pending, head: Head, bytes: Buffer, coding: string): void => {
    const settleDecoded = async (): Promise<void> => {
      const decoded = await decode(Buffer.from(bytes), coding, limits.maxBodyBytes);
      settled(
        field,
        meter,
        request,
        at,
        decoded.ok
          ? { status: head.statusCode, headers: head.headers, bytes: decoded.bytes }
          : { kind: 'none', code: decoded.code, message: decoded.problem },
      );
    };
    const work = settleDecoded();
    decoding.add(work);
    void work.finally(() => decoding.delete(work));
  };

  const abort = (): void => {
    halt();
    for (const client of clients) client.destroy();
  };
  // A server that answers nothing would keep its connections from looking at the clock.
  const timer = setTimeout(halt, Math.max(0, flood.until - now()));
  signal.addEventListener('abort', abort);
  const run = async (): Promise<readonly string[]> => {
    try {
      await autocannon({
        url: origin,
        connections: flood.connections,
        // The number is kept by `next`; this one only keeps autocannon from stopping by the clock.
        amount: flood.connections,
        pipelining: 1,
        timeout: Math.max(LEAST_TIMEOUT_SECONDS, limits.timeoutMs / 1000),
        sampleInt: LOOK_MS,
        skipAggregateResult: true,
        setupClient: (client) => setUp(client as unknown as CannonClient),
        ...(limits.ca !== undefined && { tlsOptions: { ca: limits.ca } }),
      });
      await Promise.all(decoding);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      halt();
    }
    return [...remarks];
  };
  const sent = once(sending.signal, 'abort').then(() => undefined);
  return { sent, answered: run() };
}

/** The content coding of an answer; null where there is none. */
function codingOf(headers: readonly string[]): string | null {
  for (let at = 0; at < headers.length; at += 2)
    if (headers[at]?.length === CODING.length && headers[at]?.toLowerCase() === CODING) return headers[at + 1] ?? null;
  return null;
}

const CODING = 'content-encoding';

/** A request as it goes over the wire. */
function serialized({ spec, key }: Prepared, { keys }: Field, host: string): Buffer {
  const context = keys.get(key)?.context;
  if (!context) throw new RangeError('A request with a key that the run does not know.');
  const { method, path, headers, body } = wireOf(spec, context);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: keep-alive',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}
