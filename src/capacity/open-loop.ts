import { now, openConnection, type Connection } from '../exchange/connection.js';
import { machineClock } from '../load/clock.js';
import { traceparentIn, wireOf } from '../load/requests.js';
import { began, sentAgain, settled, type Departure, type EngineContext, type Sending } from './engine-context.js';
import type { Meter } from './meter.js';
import type { Prepared } from './requests.js';

/** An arrival of a phase that is due: when (Unix ms), and what is sent. */
export interface Due {
  readonly at: number;
  readonly request: () => Prepared;
  /** A 429 asked its key to wait, and the wait is not over. */
  readonly isToWait: (at: number) => boolean;
}

/** An arrival later than this is not sent any more: it would be another moment's. */
export const MOST_LATE_MS = 100;

/**
 * Requests without an answer at a time, in all phases. Most systems give a process 1,024 open files; a server that lets so
 * many wait is not asked on.
 */
export const MOST_UNDER_WAY = 800;

/** Connections to a target that are kept from phase to phase. */
export interface Pool {
  /** One that has nothing under way; null where too many have. */
  take(): Connection | null;
  give(connection: Connection): void;
  close(): Promise<void>;
}

/** Opens connections when there is none idle. The one used last is used next, so that few stay warm. */
export function connectionPool({ origin, limits }: Pick<EngineContext, 'origin' | 'limits'>): Pool {
  const idle: Connection[] = [];
  const every = new Set<Connection>();
  return {
    take() {
      const known = idle.pop();
      if (known) return known;
      if (every.size >= MOST_UNDER_WAY) return null;
      const fresh = openConnection(origin, limits);
      every.add(fresh);
      return fresh;
    },
    give: (connection) => void idle.push(connection),
    close: async () => void (await Promise.all([...every].map((connection) => connection.close()))),
  };
}

/**
 * Sends arrivals on their absolute schedule, whatever the answers take. What cannot be sent in time is dropped, and
 * counted: sending it later would hide that it was late.
 */
export function openLoop(
  shared: EngineContext,
  pool: Pool,
  meter: Meter,
  count: number,
  due: (place: number) => Due,
): Sending {
  const underWay = new Set<Promise<void>>();

  const send = async (connection: Connection, request: Prepared, departure: Departure): Promise<void> => {
    const context = shared.keys.get(request.key)?.context;
    if (!context) throw new RangeError('A request with a key that the run does not know.');
    const wire = wireOf(request.spec, context);
    const { answer, sentAt, attempts } = await connection.sendRaw(wire);
    pool.give(connection);
    for (let more = 1; more < attempts; more += 1) sentAgain(shared, meter, request);
    const at = {
      ...departure,
      sentAt: Math.max(departure.sentAt, sentAt),
      traceparent: traceparentIn(wire),
    };
    settled(
      shared,
      meter,
      request,
      at,
      answer.kind === 'none' ? answer : { status: answer.status, headers: answer.headers.flat(), bytes: answer.bytes },
    );
  };

  const sendAll = async (): Promise<void> => {
    for (let place = 0; place < count && !shared.signal.aborted; place += 1) {
      const { at: intendedAt, request, isToWait } = due(place);
      if (!(await machineClock.sleepUntil(intendedAt, shared.signal))) return;
      const sentAt = now();
      const lateMs = sentAt - intendedAt;
      const held = isToWait(sentAt) ? 'held' : null;
      const why = held ?? (lateMs > MOST_LATE_MS ? 'late' : 'full');
      const connection = why === 'full' ? pool.take() : null;
      if (!connection) {
        meter.dropped(why);
        shared.seconds.dropped(why);
        continue;
      }
      const prepared = request();
      const departure = began(shared, meter, prepared, { intendedAt, sentAt });
      const sending = send(connection, prepared, departure).finally(() => underWay.delete(sending));
      underWay.add(sending);
    }
  };
  const sent = sendAll();
  return { sent, answered: sent.then(() => Promise.all(underWay)).then(() => []) };
}
