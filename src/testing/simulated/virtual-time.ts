import type { Clock } from '../../load/clock.js';

/** Time that passes only when everything waits for it. */
export interface VirtualTime extends Clock {
  /** Does something at a time that has not passed; `wakes`: whether anybody may wait for it. */
  readonly at: (time: number, work: () => void, wakes?: boolean) => void;
  /** Lets time pass until the work that is given has come to its end. */
  readonly passing: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

interface Event {
  readonly time: number;
  readonly work: () => void;
  readonly wakes: boolean;
}

/**
 * Calls once all that was woken waits again: a tick begins when no promise is left to go on, and costs a tenth of an
 * immediate.
 */
const onceAllWait = (call: () => void): void => queueMicrotask(() => process.nextTick(call));

/** Starts a time of its own, in Unix ms. What happens at one time happens in the order in which it was asked for. */
export function virtualTime(start: number): VirtualTime {
  let now = start;
  /** The next one stands last. */
  const events: Event[] = [];

  const at: VirtualTime['at'] = (time, work, wakes = true) => {
    let place = events.length;
    // What is asked for last is mostly due last of a few: requests under way.
    while (place > 0 && (events[place - 1]?.time ?? Infinity) <= time) place -= 1;
    events.splice(place, 0, { time, work, wakes });
  };

  return {
    now: () => now,
    at,
    sleepUntil: (time, signal) =>
      new Promise((wake) => {
        if (time <= now || signal.aborted) wake(!signal.aborted);
        else at(time, () => wake(!signal.aborted));
      }),
    passing: (work) =>
      new Promise((resolve, reject) => {
        let isOver = false;
        const end = <Value>(settle: (value: Value) => void) => {
          return (value: Value): void => {
            isOver = true;
            settle(value);
          };
        };
        const step = (): void => {
          for (let woken = false; !woken;) {
            const next = events.pop();
            if (next === undefined) return reject(new Error('All wait, and nothing is due that could wake them.'));
            now = Math.max(now, next.time);
            next.work();
            woken = next.wakes;
          }
          if (!isOver) onceAllWait(step);
        };
        work().then(end(resolve), end(reject));
        onceAllWait(step);
      }),
  };
}
