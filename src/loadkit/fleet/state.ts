/**
 * State that coordinator and agents exchange through Redis. Each writes its state repeatedly, with an expiry.
 * A restarted Redis soon has it again, and state of a lost process expires. No entry grows with the number of
 * agents, so the total grows only linearly.
 */

/** Interval of writing and reading, ms: a stop reaches all within a second. */
export const BEAT_MS = 250;
/** Silence after which a process counts as lost, ms. A restarted Redis is back by then. */
export const LOST_MS = 5000;
/** Number of last seconds that an agent writes: more than a reader can miss without being lost. */
export const TOLD_SECONDS = 8;
/** Beats between two readings by the coordinator: no second is there sooner. */
export const BEATS_A_SECOND = 1000 / BEAT_MS;
/** Longest entry to read; the kit writes none longer. Eight seconds of an agent take about 100,000. */
export const MOST_CHARACTERS = 1_048_576;

/** Returns the names of all Redis entries except BullMQ's own. */
export const namesIn = (prefix: string) => ({
  lock: `${prefix}:coordinator`,
  run: `${prefix}:run`,
  parts: (run: string): string => `${prefix}:parts:${run}`,
  slice: (run: string, index: number): string => `${prefix}:slice:${run}:${index}`,
  seconds: (run: string, index: number): string => `${prefix}:seconds:${run}:${index}`,
  result: (run: string, index: number): string => `${prefix}:result:${run}:${index}`,
  mark: (run: string, index: number): string => `${prefix}:mark:${run}:${index}`,
});

export const QUEUE = 'slices';
