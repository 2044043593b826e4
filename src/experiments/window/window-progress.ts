import { minuteMs, mostInOneWindow, refillIntervalMs } from '../../limits/bounds.js';
import type { ServerClock } from '../../limits/clock.js';
import type { Figures } from '../../limits/series.js';
import { windowBegan, windowsSeen } from '../../limits/windows-seen.js';
import { bySending, wasRefused, wasServed, type Sample } from '../../limits/sample.js';
import { readRetryAfter, letsBackAt } from '../../limits/headers/retry-after.js';
import { STALE_MS } from '../../limits/reset-edges.js';

/** Bursts of one key, each to its first refusal, the first one first. */
export type Bursts = readonly (readonly Sample[])[];

/** How far the evidence for `rate-window` reaches. */
export type WindowProgress =
  /** It reaches a window, or the client was not let back before one was over. */
  | { readonly kind: 'over' }
  /** The client was let back before a window was over, and has to ask again then. Unix ms. */
  | { readonly kind: 'open'; readonly at: number }
  /** What comes back bit by bit was asked for long enough: what is missing is a burst at this time, a window after the first. */
  | { readonly kind: 'drained'; readonly at: number }
  /** The last burst met no refusal, or one that does not say when to come back. */
  | { readonly kind: 'unrefused' | 'untold' };

/** How many of some samples were served. */
export const served = (samples: readonly Sample[]): number => samples.filter(wasServed).length;

/** The last answer of some samples, Unix ms. */
export const atTheEnd = (samples: readonly Sample[]): number =>
  samples.reduce((latest, { answeredAt }) => Math.max(latest, answeredAt), -Infinity);

/** Of the allowance, and of a window: retries and roundings take the rest. */
const NEARLY = 0.9;
/** What comes back bit by bit is asked for until so much of a window is over, and for so long at the least. */
const DRAINED = { until: 0.6, least: 1 / 6 };
/** Timers are late, and a window by the server's clock may be longer than by ours. */
const LATER = 0.01;

/** Beyond a wait in whole seconds. */
const LATE_MS = 500;

/** In the time of one window a client that is refused whole asks so often at most, twice as late each time. */
const FIRST_BACKOFF = 1 / 60;

/** How long to wait beyond what was told after refusals of whole bursts, ms: clients back off exponentially (part 8). */
function backoffMs(bursts: Bursts, figures: Figures): number {
  const refusedWhole = bursts.length - 1 - bursts.findLastIndex((burst) => burst.some(wasServed));
  return refusedWhole === 0 ? 0 : FIRST_BACKOFF * minuteMs(figures) * 2 ** (refusedWhole - 1);
}

/**
 * How far bursts one after the other reach. A limiter that refuses, lets the client back and refuses the whole burst again
 * has shown nothing: the evidence has to reach a window after the first burst began (a window on the clock lets back early
 * once, at its edge, and then no more). What comes back bit by bit is asked for at each Retry-After during the first half
 * of the window, and once more when it is over: the allowance that lies on top of an even rate would be back then.
 * @param earlier what was sent with the key before the first burst, oldest first
 */
export function windowProgress(
  bursts: Bursts,
  figures: Figures,
  clock: ServerClock | null,
  earlier: readonly Sample[],
): WindowProgress {
  // A burst that met the end of a window waited for the next: that is the one that counts.
  const [first] = windowsSeen(bySending(bursts[0] ?? []), figures).pieces.at(-1)?.samples ?? [];
  const latest = bursts.at(-1) ?? [];
  const refusal = latest.find(wasRefused);
  if (first === undefined || refusal === undefined) return { kind: 'unrefused' };
  const told = letsBackAt(refusal, clock);
  if (told === null) return { kind: 'untold' };
  const window = minuteMs(figures);
  const began = windowBegan(first, figures, earlier);
  const back = Math.max(told, refusal.answeredAt) + backoffMs(bursts, figures);
  const start = bursts[1]?.[0]?.sentAt ?? refusal.answeredAt;
  const isBitByBit = cameBitByBit(bursts.slice(1), figures) || cameBitByBit(bursts.slice(1, -1), figures);
  const firstRefusal = bursts[0]?.find(wasRefused);
  const firstBack = firstRefusal === undefined ? null : letsBackAt(firstRefusal, clock);
  // What was not let back early has shown all that it can: a slow burst lasts a window itself.
  const isLate = firstBack !== null && firstBack >= began + window;
  if (isBitByBit && !isLate) {
    const firstWait = firstRefusal === undefined || firstBack === null ? 0 : firstBack - firstRefusal.answeredAt;
    const isDated = readRetryAfter(firstRefusal?.retryAfter ?? null).kind === 'date';
    const lateMs = LATE_MS + (isDated ? STALE_MS : 0);
    const isEven = firstWait <= Math.max(1, Math.ceil(refillIntervalMs(figures) / 1000)) * 1000 + lateMs;
    const lastAt = (isEven ? atTheEnd(bursts[0] ?? []) : began) + (1 + LATER) * window;
    if (reachesLast(bursts, figures, lastAt, isEven)) return { kind: 'over' };
    // One more at once fills what the time up to the last burst left room for.
    if (begunFrom(bursts, lastAt) === 1) return { kind: 'open', at: back };
    const until = Math.max(first.sentAt + DRAINED.until * window, start + DRAINED.least * window);
    return back < until ? { kind: 'open', at: back } : { kind: 'drained', at: lastAt };
  }
  // A window on the clock lets back early once, and all the more a request that is late.
  const last = bursts.findLastIndex((burst) => served(burst) >= NEARLY * figures.perMinute);
  const own = bursts[last]?.find(wasServed)?.sentAt ?? began;
  // A log forgets one by one: what the first burst sent late lets back sooner than what the last one sent.
  const late = bursts[0]?.findLast(wasServed);
  const isSpread = late !== undefined && 2 * (late.sentAt - first.sentAt) >= window;
  const nearly = isSpread ? Math.min(own + NEARLY * window, late.sentAt + window) : own + NEARLY * window;
  const end = last > 0 ? nearly : began + window;
  // Refused whole, the client has learnt of the time that it has waited and no more.
  const reached = served(latest) > 0 ? back : refusal.sentAt;
  return reached >= end ? { kind: 'over' } : { kind: 'open', at: back };
}

/** How many bursts began once a time had come. */
const begunFrom = (bursts: Bursts, at: number): number =>
  bursts.filter(([first]) => first !== undefined && first.sentAt >= at).length;

/** Whether later bursts got something, and none of them all of the allowance. */
const cameBitByBit = (later: Bursts, figures: Figures): boolean =>
  later.every((burst) => served(burst) < NEARLY * figures.perMinute) && later.some((burst) => served(burst) > 0);

/** What hardly differs from a whole burst: rounding. */
const HARDLY = 1;

/**
 * Whether the last burst was sent a window after the first, and would have shown an allowance on top of an even rate: one
 * of more than half of the plan, which is no less than what could be served unnoticed. An even rate lets back after the
 * time of one request; what asks for a longer wait has none.
 */
function reachesLast(bursts: Bursts, figures: Figures, lastAt: number, isEven: boolean): boolean {
  const [first] = bursts[0] ?? [];
  const last = bursts.at(-1)?.at(-1);
  if (first === undefined || last === undefined || last.sentAt < lastAt) return false;
  const held = Math.min(served(bursts[0] ?? []), figures.perMinute);
  if (!isEven || 2 * held <= figures.perMinute) return true;
  const before = bursts.slice(0, -1).reduce((sum, burst) => sum + served(burst), 0);
  const room = mostInOneWindow(figures, atTheEnd(bursts.at(-1) ?? []) - first.sentAt) - before;
  return room < held - HARDLY;
}
