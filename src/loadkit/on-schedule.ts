import type { Clock } from '../drive/load/clock.js';

/** Requests at intended moments, by places counted from 0. */
interface Schedule {
  /** Returns the number of places. Is called before each, so that responses can change it. */
  readonly count: () => number;
  /** Returns when a place is due, Unix ms by the senders' clock. */
  readonly at: (place: number) => number;
  /** Sends the request of a due place, and resolves with its end; null if it leaves the place out. */
  readonly begin: (place: number, intendedAt: number) => Promise<void> | null;
}

type Pacing = Pick<Clock, 'now' | 'sleepUntil' | 'nextTurn'> & { readonly signal: AbortSignal };

/**
 * Longest time for which sending overdue requests may keep the event loop, ms. Without a pause no response
 * would be read, and all connections would stay busy.
 */
const LONGEST_TURN_MS = 5;

/**
 * Sends on an absolute schedule, however long responses take (open loop). A request never leaves early;
 * `begin` decides about a late one. `sent` resolves when all are out, `ended` when all have ended too.
 */
export function onSchedule(schedule: Schedule, pacing: Pacing) {
  const { signal } = pacing;
  const underWay = new Set<Promise<void>>();

  const sendAll = async (): Promise<void> => {
    let turnAt = pacing.now();
    for (let place = 0; place < schedule.count() && !signal.aborted; place += 1) {
      const intendedAt = schedule.at(place);
      if (intendedAt > pacing.now()) {
        if (!(await pacing.sleepUntil(intendedAt, signal))) return;
        turnAt = pacing.now();
      } else if (pacing.now() - turnAt > LONGEST_TURN_MS) {
        await pacing.nextTurn();
        turnAt = pacing.now();
      }
      const request = schedule.begin(place, intendedAt);
      if (request === null) continue;
      const ending = request.finally(() => underWay.delete(ending));
      underWay.add(ending);
    }
  };
  const sent = sendAll();
  return { sent, ended: sent.then(() => Promise.all(underWay)).then(() => undefined) };
}
