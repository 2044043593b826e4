import { mergeSeconds } from '../capacity/fleet/merge-seconds.js';
import type { ToldSeconds } from '../capacity/fleet/state.js';
import type { SecondRecord } from '../log/capacity-record.js';

/** Seconds of all agents as one, while they come in. */
export interface LiveSeconds {
  /** What an agent told. */
  add(index: number, startAt: number, seconds: ToldSeconds): void;
  /** The seconds of the whole that have had time to come in from all; each once. */
  take(elapsedMs: number): readonly SecondRecord[];
}

/** So much later than its end a second is there from everybody who is quick enough for a live view, ms. */
const SETTLED_MS = 1500;

/** Begins with none. @param startAt the beginning of the run by this machine's clock, Unix ms */
export function liveSeconds(startAt: number): LiveSeconds {
  const seen = new Map<number, number>();
  let waiting: { readonly index: number; readonly startAt: number; readonly second: SecondRecord }[] = [];
  return {
    add(index, startAt, seconds) {
      for (const second of seconds) {
        if (second.at <= (seen.get(index) ?? 0)) continue;
        seen.set(index, second.at);
        waiting.push({ index, startAt, second });
      }
    },
    take(elapsedMs) {
      const isDue = (one: (typeof waiting)[number]): boolean =>
        one.second.at - one.startAt <= Math.floor((elapsedMs - SETTLED_MS) / 1000) * 1000 + SETTLED_MS / 3;
      const due = waiting.filter(isDue);
      waiting = waiting.filter((one) => !isDue(one));
      return mergeSeconds(
        due.map((one) => ({ startAt: one.startAt, seconds: [one.second] })),
        startAt,
      );
    },
  };
}
