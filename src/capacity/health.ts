import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { now } from '../exchange/connection.js';

/** How the generator did in one stretch of time. */
export interface Health {
  /** By how much the event loop was late, p99, ms. */
  readonly lagMs: number;
  /** The share of the time in which the event loop had something to do, 0 to 1. */
  readonly busy: number;
  /** The share of one processor that the process took; more than 1 where helpers of the runtime ran beside it. */
  readonly cpu: number;
}

/** Watches the process itself: a generator that is the bottleneck says nothing about a server. */
export interface HealthWatch {
  /** How it did since the last call. */
  take(): Health;
  close(): void;
}

/** What the event loop is measured by, ms: a timer of that length, and whatever it is late by. */
const RESOLUTION_MS = 10;

/** Begins to watch. */
export function watchHealth(): HealthWatch {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let cpu = process.cpuUsage();
  let loop = performance.eventLoopUtilization();
  let at = performance.now();
  return {
    take() {
      const [used, seen, then] = [process.cpuUsage(cpu), performance.eventLoopUtilization(), performance.now()];
      const health = {
        lagMs: delay.count === 0 ? 0 : Math.max(0, round(delay.percentile(99) / 1e6 - RESOLUTION_MS)),
        busy: round(performance.eventLoopUtilization(seen, loop).utilization),
        cpu: round((used.user + used.system) / 1000 / Math.max(1, then - at)),
      };
      delay.reset();
      [cpu, loop, at] = [process.cpuUsage(), seen, then];
      return health;
    },
    close: () => void delay.disable(),
  };
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

/** Tells how long this process was held up itself: by other processes, by its own work, by collecting garbage. */
export interface StallWatch {
  /** In all until a moment (Unix ms, not before the last one asked for), ms. What is between two calls lies between two moments. */
  heldUpUntil(at: number): number;
  close(): void;
}

/** How often the event loop is asked to come by, ms. */
const BEAT_MS = 10;
/** Timers come a few ms late on any machine. What is later than this was held up. */
const LATE_MS = 5;

/** Begins to watch. A beat that comes late counts whole, so that no stall is taken for shorter than it was. */
export function watchStalls(): StallWatch {
  let [last, total] = [now(), 0];
  const since = (at: number): number => (at - last > BEAT_MS + LATE_MS ? at - last : 0);
  const beat = setInterval(() => {
    const at = now();
    total += since(at);
    last = at;
  }, BEAT_MS);
  beat.unref();
  return {
    // An answer may be looked at before the beat that comes late.
    heldUpUntil: (at) => total + since(at),
    close: () => clearInterval(beat),
  };
}

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
