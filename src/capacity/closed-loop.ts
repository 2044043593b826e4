import { once } from 'node:events';
import { now, type HttpLimits } from '../exchange/connection.js';
import { decode } from '../exchange/decode.js';
import { sendTraffic, valueOf, type Head } from '../load/autocannon.js';
import {
  began,
  CLOSES,
  lost,
  settled,
  unsent,
  type Departure,
  type EngineContext,
  type Sending,
} from './engine-context.js';
import type { Received } from './judge-answers.js';
import type { Meter } from './meter.js';
import type { Prepared } from './requests.js';
import { bytesOf, traceparentIn, wireOf } from '../load/requests.js';

/** So many failures on each connection without an answer between them: nobody is there. */
const MOST_FAILURES = 20;

/** What a closed loop is driven by. */
export interface Flood {
  readonly connections: number;
  /** Unix ms. */
  readonly until: number;
  /** What is sent next, asked for in the order of sending; null when nothing is. */
  readonly next: () => Prepared | null;
  /** Whether the allowance holds one more of a request that was lost with its connection. */
  readonly again: (request: Prepared) => boolean;
}

/** As fast as it goes: each connection sends its next request as soon as its last is answered, on autocannon. */
export function closedLoop(shared: EngineContext, meter: Meter, flood: Flood): Sending {
  const { limits, signal, reuse } = shared;
  const remarks = new Set<string>();
  let failures = 0;
  let halted = false;
  /** Not even what is about to leave is to be sent. */
  let isOver = false;
  const sending = new AbortController();

  const halt = (): void => {
    halted = true;
    sending.abort();
  };
  const settle = (request: Prepared, at: Departure, received: Received): void =>
    settled(shared, meter, request, { ...at, traceparent: traceparentOf(request) }, received);
  const giveUp = (): void => {
    isOver = true;
    halt();
  };
  // A server that answers nothing would keep its connections from looking at the clock.
  const timer = setTimeout(giveUp, Math.max(0, flood.until - now()));
  const run = async (): Promise<readonly string[]> => {
    try {
      await sendTraffic<Prepared, Departure>({
        ...shared,
        connections: flood.connections,
        next() {
          if (halted || signal.aborted) return null;
          const request = now() < flood.until ? flood.next() : null;
          if (request === null) halt();
          return request;
        },
        isOver: () => isOver,
        bytesOf: requestBytes(shared),
        isSafe,
        again(request) {
          if (isOver || !isSafe(request) || !flood.again(request)) return false;
          lost(shared);
          return true;
        },
        left(request, readyAt) {
          const sentAt = now();
          const { heldUpMs, isBeyond } = began(shared, meter, request, { intendedAt: sentAt, sentAt });
          // The client waits for the connection as well.
          return { intendedAt: readyAt, sentAt, heldUpMs, isBeyond };
        },
        answered(request, at, head, bytes) {
          failures = 0;
          const { statusCode: status, headers } = head;
          const coding = valueOf(headers, 'content-encoding');
          const received = coding === null ? { status, headers, bytes } : undone(bytes, coding, limits, head);
          settle(request, at, received);
        },
        failed(request, at, fault) {
          if (at === null) unsent(shared, meter, request, fault.message);
          else settle(request, at, { kind: 'none', ...fault });
          failures += 1;
          if (fault.code !== 'tls' && failures < MOST_FAILURES * flood.connections) return;
          remarks.add(`it ended early: no connection brought an answer any more (${fault.message})`);
          giveUp();
        },
      });
    } finally {
      clearTimeout(timer);
      halt();
    }
    if (reuse.isSingle) remarks.add(CLOSES);
    return [...remarks];
  };
  const sent = once(sending.signal, 'abort').then(() => undefined);
  return { sent, answered: run() };
}

const isSafe = ({ spec }: Prepared): boolean => spec.method === 'GET';

/** Undoes a content coding: none was asked for, and a sender may choose its own all the same (RFC 9110, 12.5.3). */
function undone(bytes: Buffer, coding: string, { maxBodyBytes }: HttpLimits, head: Head): Received {
  const decoded = decode(bytes, coding, maxBodyBytes);
  return decoded.ok
    ? { status: head.statusCode, headers: head.headers, bytes: decoded.bytes }
    : { kind: 'none', code: decoded.code, message: decoded.problem };
}

/** Gives requests as they go over the wire; those that are sent again and again are put together once. */
export function requestBytes({ origin, keys }: Pick<EngineContext, 'origin' | 'keys'>): (request: Prepared) => Buffer {
  const { host } = new URL(origin);
  const known = new WeakMap<Prepared, Buffer>();
  return (request) => {
    // No other request is as this one: it is sent once.
    if (request.known === null) return serialized(request, keys, host);
    const bytes = known.get(request);
    if (bytes) return bytes;
    const fresh = serialized(request, keys, host);
    known.set(request, fresh);
    return fresh;
  };
}

const traces = new WeakMap<Prepared, string>();

/** The traceparent of a request as it was last put together: those that are sent again and again share one. */
export const traceparentOf = (request: Prepared): string => traces.get(request) ?? '';

function serialized(request: Prepared, keys: EngineContext['keys'], host: string): Buffer {
  const { spec, key } = request;
  const context = keys.get(key)?.context;
  if (!context) throw new RangeError('A request with a key that the run does not know.');
  const wire = wireOf(spec, context);
  traces.set(request, traceparentIn(wire));
  return bytesOf(wire, host);
}
