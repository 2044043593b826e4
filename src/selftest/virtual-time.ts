import type { Stall } from '../limits/series.js';
import type { Clock } from '../load/clock.js';

/** Time that passes only when everything waits for it. */
export interface VirtualTime extends Clock {
  /** The client does something, as soon after that time as it runs; `wakes`: whether anybody may wait for it. */
  readonly at: (time: number, work: () => void, wakes?: boolean) => void;
  /** Something happens elsewhere, whether the client runs or not. */
  readonly elsewhere: (time: number, work: () => void) => void;
  /** Lets time pass until the work that is given has come to its end. */
  readonly passing: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** The processor of a client: when it runs, and when others have it. */
export interface Machine {
  /** The first moment from this one on at which the client runs, ms. */
  readonly free: (time: number) => number;
  /** A request is written now: when it is on its way, ms. */
  readonly writes: (time: number) => number;
  /** The client did something: that takes its time. */
  readonly works: (time: number) => void;
  /** What the client knows of its stalls so far. */
  readonly stalls: () => readonly Stall[];
}

/** A machine that does nothing else. */
export const IDLE: Machine = { free: (time) => time, writes: (time) => time, works: () => undefined, stalls: () => [] };

interface Event {
  readonly time: number;
  readonly work: () => void;
  readonly wakes: boolean;
  readonly isClient: boolean;
}

/**
 * Calls once all that was woken waits again: a tick begins when no promise is left to go on, and costs a tenth of an
 * immediate.
 */
const onceAllWait = (call: () => void): void => queueMicrotask(() => process.nextTick(call));

/** Work may give way to the event loop so many times in a row before it counts as waiting for what never comes. */
const MOST_TURNS = 10_000;

/** Starts a time of its own, in Unix ms. What happens at one time happens in the order in which it was asked for. */
export function virtualTime(start: number, machine: Machine = IDLE): VirtualTime {
  let now = start;
  /** The next one stands last. */
  const events: Event[] = [];

  const place = (event: Event): void => {
    let at = events.length;
    // What is asked for last is mostly due last of a few: requests under way.
    while (at > 0 && (events[at - 1]?.time ?? Infinity) <= event.time) at -= 1;
    events.splice(at, 0, event);
  };
  const at: VirtualTime['at'] = (time, work, wakes = true) => place({ time, work, wakes, isClient: true });

  return {
    now: () => now,
    at,
    elsewhere: (time, work) => place({ time, work, wakes: false, isClient: false }),
    stalls: machine.stalls,
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
              if (turns > MOST_TURNS) return reject(new Error('All wait, and nothing is due that could wake them.'));
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
