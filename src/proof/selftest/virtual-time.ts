import type { Clock } from '../../drive/load/clock.js';

/** Time that passes only when everything waits for it. */
export interface VirtualTime extends Clock {
  /** Schedules the client's work, as soon from then on as it runs. `wakes`: true if someone may wait for it. */
  readonly at: (time: number, work: () => void, wakes?: boolean) => void;
  /** Schedules work elsewhere, whether the client runs or not. */
  readonly elsewhere: (time: number, work: () => void) => void;
  readonly passing: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** Processor of a client, shared with others. */
export interface Machine {
  /** Returns the first time from this one on at which the client runs, ms. */
  readonly free: (time: number) => number;
  /** Returns when a request that is written now is on its way, ms. */
  readonly writes: (time: number) => number;
  /** Notes that the client did something, which takes time. */
  readonly works: (time: number) => void;
}

export const IDLE: Machine = {
  free: (time) => time,
  writes: (time) => time,
  works: () => undefined,
};

interface Event {
  readonly time: number;
  readonly work: () => void;
  readonly wakes: boolean;
  readonly isClient: boolean;
}

/**
 * Calls when all woken work waits again: a tick begins when no promise is left, and costs a tenth of an
 * immediate.
 */
const onceAllWait = (call: () => void): void => queueMicrotask(() => process.nextTick(call));

/** Turns of the event loop in a row after which work counts as waiting forever. */
const MOST_TURNS = 10_000;

/** Starts a virtual time, in Unix ms. Events of one time happen in order of scheduling. */
export function virtualTime(start: number, machine: Machine = IDLE): VirtualTime {
  let now = start;
  /** Events in reverse order: the next one is last. */
  const events: Event[] = [];

  const place = (event: Event): void => {
    let at = events.length;
    // A new event is mostly the last due of a few: open requests.
    while (at > 0 && (events[at - 1]?.time ?? Infinity) <= event.time) at -= 1;
    events.splice(at, 0, event);
  };
  const at: VirtualTime['at'] = (time, work, wakes = true) => place({ time, work, wakes, isClient: true });

  return {
    now: () => now,
    at,
    elsewhere: (time, work) => place({ time, work, wakes: false, isClient: false }),
    // Responses come only as time passes.
    nextTurn: () => Promise.resolve(),
    sleepUntil: (time, signal) =>
      new Promise((wake) => {
        if (time <= now || signal.aborted) wake(!signal.aborted);
        else at(time, () => wake(!signal.aborted));
      }),
    passing: (work) =>
      new Promise((resolve, reject) => {
        let isOver = false;
        let turns = 0;
        const end = <Value>(settle: (value: Value) => void) => {
          return (value: Value): void => {
            isOver = true;
            settle(value);
          };
        };
        const step = (): void => {
          if (isOver) return;
          for (let woken = false; !woken;) {
            const next = events.pop();
            if (next === undefined) {
              turns += 1;
              if (turns > MOST_TURNS)
                return reject(new Error('All wait, and nothing is due that could wake them.'));
              return void setImmediate(step);
            }
            turns = 0;
            const free = next.isClient ? machine.free(next.time) : next.time;
            if (free > next.time) {
              place({ ...next, time: free });
              continue;
            }
            now = Math.max(now, next.time);
            next.work();
            if (next.isClient) machine.works(now);
            woken = next.wakes;
          }
          if (!isOver) onceAllWait(step);
        };
        work().then(end(resolve), end(reject));
        onceAllWait(step);
      }),
  };
}
