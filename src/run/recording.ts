import type { Journal } from '../log/journal.js';
import type { CommandEnd } from '../log/record.js';
import type { ClientExchange, Traffic, TrafficEnd, TrafficFacts } from '../wire/exchange/client-exchange.js';
import { now } from '../wire/exchange/connection.js';
import { recordBounds } from '../wire/exchange/recorded.js';
import { leftOut } from './traffic-log.js';

/** Most exchanges of a record: an hour of a Business key's limit, about 100 MB of log. */
const MOST_EXCHANGES = 60_000;
/**
 * Characters of bodies that stay in memory until the end, for judging the client: about 10 kB for each of the
 * first 6,000.
 */
const ROOM = 64_000_000;

/**
 * Writes a record as it comes, and keeps what its judges need. What comes after its end is no request that
 * was answered.
 */
export function recording(
  journal: Pick<Journal, 'append'>,
  nth: number,
  facts: TrafficFacts,
  most = { exchanges: MOST_EXCHANGES, room: ROOM },
) {
  const exchanges: ClientExchange[] = [];
  // Servers of the kit bound each body.
  const bounds = recordBounds({ ...most, body: Number.POSITIVE_INFINITY });
  const reasons: Record<string, number> = {};
  /** Set once the record is full: it does not hold what came later. */
  let fullAt: number | null = null;
  let isOver = false;
  journal.append({ type: 'traffic', nth, facts });
  const count = (reason: string): void => void (reasons[reason] = (reasons[reason] ?? 0) + 1);
  return {
    /** Counts what is no request of the client. */
    leaveOut(reason: string): void {
      if (isOver) return;
      count(reason);
      // With each, so that a killed run has them too.
      journal.append(leftOut(nth, reasons));
    },
    /** Takes an exchange that is over. Returns whether the record holds it. */
    add(exchange: ClientExchange): boolean {
      if (isOver) return false;
      if (bounds.isFull()) {
        fullAt ??= exchange.times.kind === 'server' ? exchange.times.readAt : now();
        count(bounds.reason);
        return false;
      }
      const kept = bounds.take(exchange);
      exchanges.push(kept);
      journal.append({ type: 'client-exchange', nth, exchange: kept });
      return true;
    },
    /** Ends the record, and returns it. A full one ended when it was full. */
    end(given: TrafficEnd, command: CommandEnd | null): Traffic {
      isOver = true;
      if (fullAt !== null) journal.append(leftOut(nth, reasons));
      const end = fullAt === null ? given : { ...given, endedAt: fullAt, finished: false };
      journal.append({ type: 'traffic-end', nth, end, ...(command && { command }) });
      return { ...facts, exchanges, end };
    },
  };
}
