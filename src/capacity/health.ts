import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

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

/** What of a second tells whether the generator kept up. */
export interface SecondHealth {
  readonly busy: number;
  readonly droppedLate: number;
  readonly intended: number;
}

/** The loop had no moment to spare: what is measured is its own queue. */
const BUSY = 0.95;
/** So large a share of what was to be sent is no hiccup, however short. */
const DROPPED_SHARE = 0.01;

/** Whether the generator fell behind in a second. What is late by less than would be dropped is in the latencies. */
export const fellBehind = ({ busy, droppedLate, intended }: SecondHealth): boolean =>
  busy >= BUSY || droppedLate > intended * DROPPED_SHARE;

/** Seconds are cut where a phase ends; what is shorter than this tells nothing, ms. */
const LEAST_MS = 500;

/** A hiccup of one second is no bottleneck, and neither are a few of very many. */
const LEAST_SECONDS = 2;
const LEAST_SHARE = 0.2;
/**
 * Whether the generator was the bottleneck of a phase, and since when: it fell behind in several of its seconds, or sent
 * late so much that the schedule was not kept.
 * @param seconds those of the phase, with what was sent in each and its end in ms after the phase's beginning
 */
export function saturationOf(
  seconds: readonly { readonly endMs: number; readonly ms: number; readonly sent: number; readonly behind: boolean }[],
  droppedLate: number,
  intended: number,
): { readonly fromMs: number; readonly perSecond: number } | null {
  const whole = seconds.filter(({ ms }) => ms >= LEAST_MS);
  const behind = whole.filter((second) => second.behind);
  const first = behind[0];
  const least = Math.min(whole.length, Math.max(LEAST_SECONDS, whole.length * LEAST_SHARE));
  if (!first || (behind.length < least && droppedLate <= intended * DROPPED_SHARE)) return null;
  return {
    fromMs: Math.max(0, first.endMs - first.ms),
    perSecond: Math.round(Math.max(...behind.map(({ sent, ms }) => (sent * 1000) / ms))),
  };
}
