import { setTimeout as sleep } from 'node:timers/promises';
import { now, type Connection, type TimedAnswer, type WireRequest } from '../../wire/exchange/connection.js';
import { isRefused, RESTS_MS } from '../../wire/exchange/refused-connection.js';
import type { Places } from './places.js';

type Carried = Pick<Connection, 'send' | 'close'>;

/**
 * Returns a connection that keeps to the run's places. Where the server refuses it while others are open, or
 * were just closed, it closes what is idle and sends again, but no creation that the server may have
 * received.
 */
export function placed(places: Places, open: () => Carried): Carried {
  const owner = {};
  let connection: Carried | null = null;
  let isClosed = false;
  const close = async (): Promise<void> => {
    const old = connection;
    if (!isClosed) connection = null;
    await old?.close();
  };
  const once = (request: WireRequest): Promise<TimedAnswer> => (connection ??= open()).send(request);
  return {
    async send(request: WireRequest): Promise<TimedAnswer> {
      const isSafe = request.method !== 'POST';
      await places.take(owner, isSafe);
      let isOpen = false;
      try {
        const wasAlone = places.isAlone();
        let openedAt = now();
        let sent = await once(request);
        for (const restMs of wasAlone && places.isAlone() ? [] : RESTS_MS) {
          if (isClosed || !isRefused(sent, request)) break;
          const reached = sent.isUnsent ? sent.attempts - 1 : sent.attempts;
          places.refuse(openedAt);
          await Promise.all([close(), places.closeIdle()]);
          await sleep(restMs);
          await places.take(owner, isSafe);
          openedAt = now();
          sent = await once(request);
          sent = { ...sent, attempts: reached + sent.attempts };
        }
        // A connection that broke is no longer open.
        isOpen = !isClosed && sent.answer.kind === 'response';
        return sent;
      } finally {
        places.release(owner, isOpen ? close : null);
      }
    },
    async close(): Promise<void> {
      // What is sent later meets a closed connection.
      isClosed = true;
      connection ??= open();
      places.forget(owner);
      await connection.close();
    },
  };
}
