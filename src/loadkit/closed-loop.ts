import { once } from 'node:events';
import { counted } from '../base/kernel/format.js';
import { onceEach } from '../base/kernel/once-each.js';
import { now } from '../wire/exchange/connection.js';
import { sendTraffic } from '../wire/autocannon.js';
import { began, settled, stoodStill, takenBack, type EngineContext, type Sending } from './engine-context.js';
import type { RawAnswer } from '../wire/exchange/raw-answer.js';
import { type Departure, keyOf } from './judge-answers.js';
import type { Meter } from './meter.js';
import type { Prepared } from './requests.js';
import { bytesOf, traceparentIn, wireOf } from '../drive/load/requests.js';

/**
 * Shortest wait for a first response that shows that a server lets a connection wait, not that it is slow,
 * ms.
 */
const STARVED_MS = 1000;

/** Failures per connection without a response, after which the target is gone. */
const MOST_FAILURES = 20;

interface Flood {
  readonly connections: number;
  readonly until: number;
  /** Returns the next request, in order of sending; null for none. */
  readonly next: () => Prepared | null;
  /** Is true if the limit has room to repeat a request that was lost with its connection. */
  readonly again: (request: Prepared) => boolean;
}

/** Sends as fast as possible with autocannon: each connection sends its next request after a response. */
export function closedLoop(shared: EngineContext, meter: Meter, flood: Flood): Sending {
  const { signal } = shared;
  const remarks = new Set<string>();
  let failures = 0;
  /** True if not even a request on its way out may be sent. */
  let isOver = false;
  const sending = new AbortController();
  const wire = wires(shared);
  const traceparent = (request: Prepared): string => wire(request).traceparent;

  let endedAt = flood.until;
  const halt = (): void => {
    if (!sending.signal.aborted) endedAt = now();
    sending.abort();
  };
  const settle = (request: Prepared, at: Departure, received: RawAnswer): void => {
    settled(shared, meter, request, at, received, traceparent);
  };
  const giveUp = (): void => {
    isOver = true;
    halt();
  };
  // If a server never responds, its connections never check the time.
  const timer = setTimeout(giveUp, Math.max(0, flood.until - now()));
  const run = async (): Promise<readonly string[]> => {
    try {
      const all = await sendTraffic<Prepared, Departure>({
        ...shared,
        connections: flood.connections,
        next() {
          if (sending.signal.aborted || signal.aborted) return null;
          const request = now() < flood.until ? flood.next() : null;
          if (request === null) halt();
          return request;
        },
        isOver: () => isOver,
        stoodStill: (at) => stoodStill(shared, at),
        bytesOf: (request) => wire(request).bytes,
        isSafe,
        again(request) {
          if (isOver || !isSafe(request) || !flood.again(request)) return false;
          meter.again();
          shared.seconds.lost();
          return true;
        },
        left(request, readyAt) {
          const sentAt = now();
          const departure = began(shared, meter, request, { intendedAt: sentAt, sentAt });
          // The client waits for the connection as well.
          return { ...departure, intendedAt: readyAt };
        },
        answered(request, at, received) {
          failures = 0;
          settle(request, at, received);
        },
        failed(request, at, fault, _, readyAt) {
          const departure = at ?? began(shared, meter, request, { intendedAt: readyAt, sentAt: readyAt });
          if (at === null) takenBack(shared, meter, request);
          settle(request, departure, { kind: 'none', ...fault });
          failures += 1;
          const isTried = failures >= MOST_FAILURES * flood.connections && meter.silence.isGone(now());
          if (fault.code !== 'tls' && !isTried) return;
          remarks.add(`it ended early: no connection got a response any more (${fault.message})`);
          giveUp();
        },
      });
      const starved = all.filter(
        ({ firstLeftAt, firstAnsweredAt }) =>
          firstLeftAt !== null &&
          endedAt - firstLeftAt >= STARVED_MS &&
          (firstAnsweredAt === null || firstAnsweredAt > endedAt),
      );
      if (starved.length > 0 && starved.length < all.length)
        remarks.add(
          `${starved.length} of ${counted(all.length, 'connection')} got no response before the end: ` +
            'the server lets them wait, as one does that serves few connections at a time',
        );
    } finally {
      clearTimeout(timer);
      halt();
    }
    return [...remarks];
  };
  const sent = once(sending.signal, 'abort').then(() => undefined);
  return { sent, answered: run() };
}

const isSafe = ({ spec }: Prepared): boolean => spec.method === 'GET';

/** Builds the bytes of requests, with their traceparent; repeated ones only once. */
function wires({ origin, keys }: Pick<EngineContext, 'origin' | 'keys'>) {
  const { host } = new URL(origin);
  return onceEach((request: Prepared) => {
    const wire = wireOf(request.spec, keyOf(keys, request).context);
    return { bytes: bytesOf(wire, host), traceparent: traceparentIn(wire) };
  });
}
