import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { STANDSTILL_MS, watchStalls } from '../wire/exchange/stalls.js';
import { runsOf } from '../judge/limits/sample.js';
import type { CapacityPhaseRecord, SecondRecord } from '../log/capacity-record.js';
import { duration, sum } from '../base/kernel/format.js';
import { isWholeSecond, rateIn } from './figures.js';
import { machineOf } from './machine.js';

/** Length of the timer that measures the event loop, ms. */
const RESOLUTION_MS = 10;

/** Watches this process: if the generator is the bottleneck, figures say nothing about the server. */
export function watchHealth() {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let cpu = process.cpuUsage();
  let loop = performance.eventLoopUtilization();
  let at = performance.now();
  return {
    /** Returns the state since the last call. */
    take() {
      const [used, seen, then] = [
        process.cpuUsage(cpu),
        performance.eventLoopUtilization(),
        performance.now(),
      ];
      const health = {
        /** Delay of the event loop, p99, ms. */
        lagMs: delay.count === 0 ? 0 : Math.max(0, round(delay.percentile(99) / 1e6 - RESOLUTION_MS)),
        /** Share of time in which the event loop was busy, 0 to 1. */
        busy: round(performance.eventLoopUtilization(seen, loop).utilization),
        /** Share of one processor that the process used; more than 1 with parallel runtime threads. */
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

/** Beats of the watch, and the normal delay of timers, ms. */
const STALLS = { beatMs: 10, leastMs: 5 };

export type StallMeter = ReturnType<typeof measureStalls>;

export const standstillWords = (ms: number, parts?: readonly string[]): string =>
  `${machineOf(parts)} stood still for ${duration(ms)}`;

/** Stalls that are kept one by one: more than the timeouts after a phase can bring. */
const MOST_LATEST = 10_000;

export function measureStalls() {
  let total = 0;
  let stood = 0;
  let latest: (readonly [from: number, to: number])[] = [];
  const watch = watchStalls({
    ...STALLS,
    onStall({ from, to }) {
      total += to - from;
      latest.push([from, to]);
      if (latest.length >= 2 * MOST_LATEST) latest = latest.slice(-MOST_LATEST);
      if (to - from >= STANDSTILL_MS) stood += to - from;
    },
  });
  const endedAfter = (at: number) => latest.slice(latest.findLastIndex(([, to]) => to <= at) + 1);
  return {
    /**
     * Returns the total of stalls until `at`, Unix ms, which may be past: those after it do not count. A late
     * beat may be due by then.
     */
    heldUpUntil(at: number): number {
      const later = sum(endedAfter(at), ([from, to]) => to - Math.max(from, at));
      return total - later + watch.lastingAt(at);
    },
    /**
     * Returns for how long this process could not have read a response in a time at whose end it read one,
     * ms. After a stall all that has come is read within a beat, so an earlier stall hid nothing, except a
     * standstill.
     */
    unreadIn(from: number, to: number): number {
      const hid = endedAfter(from).filter(
        ([start, end]) => end > to - STALLS.beatMs || end - start >= STANDSTILL_MS,
      );
      return (
        Math.min(watch.lastingAt(to), to - from) +
        sum(hid, ([start, end]) => Math.max(0, Math.min(end, to) - Math.max(start, from)))
      );
    },
    /** Returns the total of the stalls in which this machine stood still, until `at`, ms. */
    stoodUntil(at: number): number {
      const lasting = watch.lastingAt(at);
      return stood + (lasting >= STANDSTILL_MS ? lasting : 0);
    },
    close: watch.stop,
  };
}

/** Busy share at which the loop measures only its own queue. */
const BUSY = 0.95;
/** Share of a second's arrivals that were not sent in time. */
const LATE_SHARE = 0.01;

/** Is true if the generator fell behind in a second. Smaller delays are part of the latencies. */
export const fellBehind = (
  { busy, intended }: Pick<SecondRecord, 'busy' | 'intended'>,
  droppedLate: number,
): boolean => busy >= BUSY || droppedLate > intended * LATE_SHARE;

/** One second of a phase: its end in ms after the phase's start, and the generator's state. */
export type PhaseSecond = Pick<SecondRecord, 'ms' | 'sent' | 'busy' | 'cpu' | 'behind'> & {
  readonly endMs: number;
};

/**
 * Seconds behind that are more than one stall, and share of the phase that is more than a few. One stall, by
 * another process or garbage collection, affects one second, or two across their edge.
 */
const LEAST_SECONDS = 3;
const LEAST_SHARE = 0.2;
/** Seconds in a row that count as a state, however long the phase. */
const LEAST_IN_A_ROW = 5;
/** For a shorter phase: a tenth of its load was missing. Fewer than ten arrivals may be one stall's. */
const LOST_SHARE = 0.1;
const LEAST_LOST = 10;

type Saturation = CapacityPhaseRecord['saturated'];

/** A generator at its limit uses nearly a whole processor. With less, something kept it from running. */
const OWN_LIMIT = 0.8;

/** Is true if the kit's own work used the processor, not another process. */
export const isOwnLimit = ({ cpu = 1 }: Pick<NonNullable<Saturation>, 'cpu'>): boolean => cpu >= OWN_LIMIT;

/**
 * Finds whether the generator was the bottleneck of a phase: busy throughout, behind repeatedly or for long,
 * or a tenth of the load missing. Less is only a hiccup, which each threshold allows for (`thresholds.ts`).
 */
export function saturationOf(
  seconds: readonly PhaseSecond[],
  droppedLate: number,
  intended: number,
): Saturation {
  const whole = seconds.filter(isWholeSecond);
  const told = whole.length > 0 ? whole : seconds;
  const behind = told.filter((second) => second.behind);
  const isFull = told.length > 0 && told.every(({ busy }) => busy >= BUSY);
  const isRepeated = behind.length >= Math.max(LEAST_SECONDS, told.length * LEAST_SHARE);
  const runs = runsOf(told, (one, next) => one.behind === next.behind);
  const isLong = runs.some((run) => run[0]?.behind === true && run.length >= LEAST_IN_A_ROW);
  const isLost = droppedLate >= Math.max(LEAST_LOST, intended * LOST_SHARE);
  if (!isFull && !isRepeated && !isLong && !isLost) return null;
  const slow = behind.length > 0 ? behind : told;
  return {
    fromMs: Math.max(0, ...slow.slice(0, 1).map(({ endMs, ms }) => endMs - ms)),
    perSecond: Math.round(Math.max(0, ...slow.map((second) => rateIn(second, second.sent)))),
    ...(slow.length > 0 && { cpu: Math.round((sum(slow, ({ cpu }) => cpu) / slow.length) * 100) / 100 }),
  };
}
