import { once } from 'node:events';
import autocannon from 'autocannon';
import { now, type HttpLimits } from '../exchange/connection.js';
import { decode } from '../exchange/decode.js';
import type { AutocannonClient, Head } from './autocannon-client.js';
import { closedConnection, type Flow } from './closed-connection.js';
import { began, settled, type Departure, type EngineContext, type Sending } from './engine-context.js';
import type { Received } from './judge-answers.js';
import type { Meter } from './meter.js';
import { requestBytes, traceparentOf } from './request-bytes.js';
import type { Prepared } from './requests.js';

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
export function closedLoop(shared: EngineContext, meter: Meter, flood: Flood): Sending {
  const { origin, limits, signal } = shared;
  const clients: AutocannonClient[] = [];
  const remarks = new Set<string>();
  let failures = 0;
  let halted = false;
  const sending = new AbortController();

  const halt = (): void => {
    halted = true;
    sending.abort();
  };
  const settle = (request: Prepared, at: Departure, received: Received): void =>
    settled(shared, meter, request, { ...at, traceparent: traceparentOf(request) }, received);
  const flow: Flow = {
    limits,
    next() {
      if (halted || signal.aborted) return null;
      const request = now() < flood.until ? flood.next() : null;
      if (request === null) halt();
      return request;
    },
    bytesOf: requestBytes(shared),
    left(request) {
      const sentAt = now();
      return began(shared, meter, request, { intendedAt: sentAt, sentAt });
    },
    answered(request, at, head, bytes) {
      failures = 0;
      const { statusCode: status, headers } = head;
      const coding = codingOf(headers);
      settle(request, at, coding === null ? { status, headers, bytes } : undone(bytes, coding, limits, head));
    },
    failed(request, at, code, message) {
      settle(request, at, { kind: 'none', code, message });
      failures += 1;
      if (code === 'tls' || failures >= MOST_FAILURES * flood.connections) {
        remarks.add(`it ended early: no connection brought an answer any more (${message})`);
        halt();
      }
    },
    remark: (text) => void remarks.add(text),
    isOver: () => halted,
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
        setupClient: (given) => {
          const client = given as unknown as AutocannonClient;
          clients.push(client);
          closedConnection(client, flow);
        },
        ...(limits.ca !== undefined && { tlsOptions: { ca: limits.ca } }),
      });
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

const CODING = 'content-encoding';

/** The content coding of an answer; null where there is none. */
function codingOf(headers: readonly string[]): string | null {
  for (let at = 0; at < headers.length; at += 2)
    if (headers[at]?.length === CODING.length && headers[at]?.toLowerCase() === CODING) return headers[at + 1] ?? null;
  return null;
}

/** Undoes a content coding: none was asked for, and a sender may choose its own all the same (RFC 9110, 12.5.3). */
function undone(bytes: Buffer, coding: string, { maxBodyBytes }: HttpLimits, head: Head): Received {
  const decoded = decode(bytes, coding, maxBodyBytes);
  return decoded.ok
    ? { status: head.statusCode, headers: head.headers, bytes: decoded.bytes }
    : { kind: 'none', code: decoded.code, message: decoded.problem };
}
