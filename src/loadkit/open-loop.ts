import { now, Connection } from '../wire/exchange/connection.js';
import { machineClock } from '../drive/load/clock.js';
import { onSchedule } from './on-schedule.js';
import { traceparentIn, wireOf } from '../drive/load/requests.js';
import { began, sentAgain, settled, takenBack, type EngineContext, type Sending } from './engine-context.js';
import { type Departure, keyOf } from './judge-answers.js';
import type { Meter } from './meter.js';
import type { Following, Prepared } from './requests.js';

export interface Arrivals {
  readonly count: number;
  /** Returns when an arrival is due, Unix ms. */
  readonly at: (place: number) => number;
  readonly request: (place: number) => Prepared;
  /** Is true if its key has to wait after a 429 at that time, Unix ms. */
  readonly isToWait: (place: number, at: number) => boolean;
  /** Ends the schedule early. */
  readonly over: AbortSignal;
}

/** Most delay of an arrival, ms: later ones are dropped, as they belong to another moment. */
export const MOST_LATE_MS = 100;
/** Most open requests in all phases: most systems give a process 1,024 open files. Further ones are not sent. */
export const MOST_UNDER_WAY = 800;

export type Pool = ReturnType<typeof connectionPool>;

/**
 * Keeps connections from phase to phase. It opens them as needed and reuses the last one that worked, so few
 * stay warm.
 */
export function connectionPool({
  origin,
  limits,
  reuse,
}: Pick<EngineContext, 'origin' | 'limits' | 'reuse'>) {
  const idle: Connection[] = [];
  const every = new Set<Connection>();
  return {
    /** Returns an idle connection; null if too many are busy. */
    take(): Connection | null {
      const known = idle.pop();
      if (known) return known;
      if (every.size >= MOST_UNDER_WAY) return null;
      const fresh = new Connection(origin, limits, { reuse, isUrgent: true });
      every.add(fresh);
      return fresh;
    },
    /** Takes a connection back. One without a response goes last: a server may limit a client's connections. */
    give: (connection: Connection, answered: boolean) =>
      void (answered ? idle.push(connection) : idle.unshift(connection)),
    close: async (): Promise<void> =>
      void (await Promise.all([...every].map((connection) => connection.close()))),
  };
}

/**
 * Sends on an absolute schedule, however long responses take. Drops late ones: sent later they would hide
 * delays.
 *
 * @param until end of the run, Unix ms: later, no journey goes on
 */
export function openLoop(
  shared: EngineContext,
  pool: Pool,
  meter: Meter,
  arrivals: Arrivals,
  until = Infinity,
): Sending {
  const send = async (connection: Connection, request: Prepared, departure: Departure): Promise<void> => {
    const wire = wireOf(request.spec, keyOf(shared.keys, request).context);
    const { answer, sentAt, attempts, isUnsent = false } = await connection.sendRaw(wire);
    pool.give(connection, answer.kind === 'response');
    const written = isUnsent ? attempts - 1 : attempts;
    for (let more = 1; more < written; more += 1) sentAgain(shared, meter, request);
    const at = { ...departure, sentAt: Math.max(departure.sentAt, sentAt) };
    if (written === 0) takenBack(shared, meter, request);
    const end = settled(shared, meter, request, at, answer, () => traceparentIn(wire));
    const next = end && request.onEnd ? request.onEnd(end) : null;
    if (next) await follow(next);
  };

  /**
   * Sends a later request of a journey. While its key waits after a 429, or no connection is free, the
   * journey ends.
   */
  const follow = async ({ at: intendedAt, request }: Following): Promise<void> => {
    if (!(await machineClock.sleepUntil(intendedAt, shared.signal)) || now() > until) return;
    if (shared.keys.get(request.key)?.watch.isToWait(now())) return;
    const connection = pool.take();
    if (!connection) return;
    meter.followed();
    const departure = began(shared, meter, request, { intendedAt, sentAt: now() });
    await send(connection, request, departure);
  };

  const begin = (place: number, intendedAt: number): Promise<void> | null => {
    const sentAt = now();
    const lateMs = sentAt - intendedAt;
    const held = arrivals.isToWait(place, sentAt) ? 'held' : null;
    const why = held ?? (lateMs > MOST_LATE_MS ? 'late' : 'full');
    const connection = why === 'full' ? pool.take() : null;
    if (!connection) {
      meter.dropped(why);
      shared.seconds.dropped(why);
      return null;
    }
    const prepared = arrivals.request(place);
    return send(connection, prepared, began(shared, meter, prepared, { intendedAt, sentAt }));
  };
  const signal = AbortSignal.any([shared.signal, arrivals.over]);
  const schedule = { count: () => arrivals.count, at: arrivals.at, begin };
  const { sent, ended } = onSchedule(schedule, { ...machineClock, signal });
  return { sent, answered: ended.then(() => []) };
}
