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
