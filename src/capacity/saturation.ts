/** What of a second tells whether the generator kept up. */
export interface SecondHealth {
  /** The share of the time in which the event loop had something to do, 0 to 1. */
  readonly busy: number;
  readonly droppedLate: number;
  readonly intended: number;
}

/** The loop had no moment to spare: what is measured is its own queue. */
const BUSY = 0.95;
/** So large a share of a second's arrivals was not sent in time. */
const LATE_SHARE = 0.01;

/** Whether the generator fell behind in a second. What is late by less than would be dropped is in the latencies. */
export const fellBehind = ({ busy, droppedLate, intended }: SecondHealth): boolean =>
  busy >= BUSY || droppedLate > intended * LATE_SHARE;

/** A second of a phase: its end in ms after the phase's beginning, and how the generator did in it. */
export interface PhaseSecond {
  readonly endMs: number;
  readonly ms: number;
  readonly sent: number;
  readonly busy: number;
  /** The share of one processor that it had. */
  readonly cpu: number;
  /** It fell behind. */
  readonly behind: boolean;
}

/** Seconds are cut where a phase ends; a shorter piece tells little beside whole ones, ms. */
const LEAST_MS = 500;

/**
 * One stall drops arrivals of one second, or of two where it lies across: another process had the core, or garbage was
 * collected. Three seconds behind are more than one stall, and a fifth of the phase is more than a few of very many.
 */
const LEAST_SECONDS = 3;
const LEAST_SHARE = 0.2;
/** So many in a row are a state, however long the phase. */
const LEAST_IN_A_ROW = 5;
/** Of a phase too short for that: a tenth of its load was not there. Fewer than ten arrivals may be one stall's. */
const LOST_SHARE = 0.1;
const LEAST_LOST = 10;

/**
 * Since when, in ms after the phase's beginning, the generator was the bottleneck, how many requests a second it sent then,
 * and which share of a processor it had for that on average.
 */
export interface Saturation {
  readonly fromMs: number;
  readonly perSecond: number;
  /** Absent where no second was measured. */
  readonly cpu?: number;
}

/** A generator at its own limit has a processor nearly to itself. With less than this, it was kept from running. */
const OWN_LIMIT = 0.8;

/** Whether it was the kit's own work that took the processor, and not something else that had it. */
export const isOwnLimit = ({ cpu = 1 }: Pick<Saturation, 'cpu'>): boolean => cpu >= OWN_LIMIT;

/**
 * Whether the generator was the bottleneck of a phase: it had no moment to spare from end to end, fell behind again and
 * again or for long, or did not put a tenth of the load on the target. Less than that is no state of a generator but a
 * hiccup, which thresholds allow for each by itself (`thresholds.ts`).
 */
export function saturationOf(
  seconds: readonly PhaseSecond[],
  droppedLate: number,
  intended: number,
): Saturation | null {
  const whole = seconds.filter(({ ms }) => ms >= LEAST_MS);
  const told = whole.length > 0 ? whole : seconds;
  const behind = told.filter((second) => second.behind);
  const isFull = told.length > 0 && told.every(({ busy }) => busy >= BUSY);
  const isRepeated = behind.length >= Math.max(LEAST_SECONDS, told.length * LEAST_SHARE);
  const isLong = longestRun(told) >= LEAST_IN_A_ROW;
  const isLost = droppedLate >= Math.max(LEAST_LOST, intended * LOST_SHARE);
  if (!isFull && !isRepeated && !isLong && !isLost) return null;
  const slow = behind.length > 0 ? behind : told;
  return {
    fromMs: Math.max(0, ...slow.slice(0, 1).map(({ endMs, ms }) => endMs - ms)),
    perSecond: Math.round(Math.max(0, ...slow.map(({ sent, ms }) => (sent * 1000) / Math.max(1, ms)))),
    ...(slow.length > 0 && {
      cpu: Math.round((slow.reduce((sum, { cpu }) => sum + cpu, 0) / slow.length) * 100) / 100,
    }),
  };
}

/** The most seconds in a row in which the generator was behind. */
function longestRun(seconds: readonly PhaseSecond[]): number {
  let [longest, run] = [0, 0];
  for (const { behind } of seconds) {
    run = behind ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
