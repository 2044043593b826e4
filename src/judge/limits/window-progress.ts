import { minuteMs, mostInOneWindow, refillIntervalMs, type Figures } from './bounds.js';
import { STALE_MS, type ServerClock } from './clock.js';
import { windowBegan, windowsSeen } from './windows-seen.js';
import { bySending, wasRefused, wasServed, type Sample, servedIn, lastAnswerOf } from './sample.js';
import type { KeySeries } from './series.js';
import { readRetryAfter, nextAllowedAt } from './headers/retry-after.js';

/** Bursts of one key, each to its first 429, in order. */
export type Bursts = readonly (readonly Sample[])[];

/** Plan of a key, and its requests before the first burst, oldest first. */
export type OfKey = Pick<KeySeries, 'figures' | 'earlier'>;

/** Extent of the evidence for `rate-window`. */
type WindowProgress =
  /** The evidence spans a window, or the client was not allowed again before one ended. */
  | { readonly kind: 'over' }
  /** The client was allowed again before a window ended, and sends again at this time, Unix ms. */
  | { readonly kind: 'open'; readonly at: number }
  /** Gradual refills were used long enough; one burst is missing, at this time, a window after the first. */
  | { readonly kind: 'drained'; readonly at: number }
  /** The last burst got no 429 (`unrefused`), or one that names no time (`no-time`). */
  | { readonly kind: 'unrefused' | 'no-time' };

/** Share of the limit and of a window: retries and rounding take the rest. */
const NEARLY = 0.9;
/** Gradual refills are used until this share of a window, and for at least that share. */
const DRAINED = { until: 0.6, least: 1 / 6 };
/** Share of a window for late timers, and for a server's clock that is slower than ours. */
const LATER = 0.01;
/** Slack beyond a wait in whole seconds, ms. */
const LATE_MS = 500;
/** First extra wait after a burst without a success, as a share of a window; it doubles each time. */
const FIRST_BACKOFF = 1 / 60;

/** Extra wait after bursts without a success, ms: clients back off exponentially (part 8). */
function backoffMs(bursts: Bursts, figures: Figures): number {
  const refusedWhole = bursts.length - 1 - bursts.findLastIndex((burst) => burst.some(wasServed));
  return refusedWhole === 0 ? 0 : FIRST_BACKOFF * minuteMs(figures) * 2 ** (refusedWhole - 1);
}

/**
 * Measures how far sequential bursts reach. A limiter that names a time and then refuses the whole burst shows nothing.
 * So the evidence must reach a window after the first burst's start. (A clock-aligned window allows early requests
 * once, at its edge.) Gradual refills are used at each Retry-After in the first half of the window, and once after its
 * end: a limit on top of an even rate would be back then.
 */
export function windowProgress(bursts: Bursts, { figures, earlier }: OfKey, clock: ServerClock | null): WindowProgress {
  // A burst that met the end of a window waited for the next one, which counts.
  const [first] = windowsSeen(bySending(bursts[0] ?? []), figures).pieces.at(-1)?.samples ?? [];
  const latest = bursts.at(-1) ?? [];
  const refusal = latest.find(wasRefused);
  if (first === undefined || refusal === undefined) return { kind: 'unrefused' };
  const allowedAt = nextAllowedAt(refusal, clock);
  if (allowedAt === null) return { kind: 'no-time' };
  const window = minuteMs(figures);
  const began = windowBegan(first, figures, earlier);
  const back = Math.max(allowedAt, refusal.answeredAt) + backoffMs(bursts, figures);
  const start = bursts[1]?.[0]?.sentAt ?? refusal.answeredAt;
  const isBitByBit = cameBitByBit(bursts.slice(1), figures) || cameBitByBit(bursts.slice(1, -1), figures);
  const firstRefusal = bursts[0]?.find(wasRefused);
  const firstBack = firstRefusal === undefined ? null : nextAllowedAt(firstRefusal, clock);
  // A client that was not allowed again early has seen all: a slow burst lasts a whole window.
  const isLate = firstBack !== null && firstBack >= began + window;
  if (isBitByBit && !isLate) {
    const firstWait = firstRefusal === undefined || firstBack === null ? 0 : firstBack - firstRefusal.answeredAt;
    const isDated = readRetryAfter(firstRefusal?.retryAfter ?? null).kind === 'date';
    const lateMs = LATE_MS + (isDated ? STALE_MS : 0);
    const isEven = firstWait <= Math.max(1, Math.ceil(refillIntervalMs(figures) / 1000)) * 1000 + lateMs;
    const lastAt = (isEven ? lastAnswerOf(bursts[0] ?? []) : began) + (1 + LATER) * window;
    if (reachesLast(bursts, figures, lastAt, isEven)) return { kind: 'over' };
    // One more burst fills the room that the time since the last burst left.
    if (begunFrom(bursts, lastAt) === 1) return { kind: 'open', at: back };
    const until = Math.max(first.sentAt + DRAINED.until * window, start + DRAINED.least * window);
    return back < until ? { kind: 'open', at: back } : { kind: 'drained', at: lastAt };
  }
  // A clock-aligned window allows early requests once, and late ones more so.
  const last = bursts.findLastIndex((burst) => servedIn(burst) >= NEARLY * figures.perMinute);
  const own = bursts[last]?.find(wasServed)?.sentAt ?? began;
  // A log drops requests one by one: the first burst's late requests return before the last burst's.
  const late = bursts[0]?.findLast(wasServed);
  const isSpread = late !== undefined && 2 * (late.sentAt - first.sentAt) >= window;
  const nearly = isSpread ? Math.min(own + NEARLY * window, late.sentAt + window) : own + NEARLY * window;
  const end = last > 0 ? nearly : began + window;
  // A burst without a success shows only the time that the client waited.
  const reached = servedIn(latest) > 0 ? back : refusal.sentAt;
  return reached >= end ? { kind: 'over' } : { kind: 'open', at: back };
}

const begunFrom = (bursts: Bursts, at: number): number =>
  bursts.filter(([first]) => first !== undefined && first.sentAt >= at).length;

/** True if later bursts got something, and none the whole limit. */
const cameBitByBit = (later: Bursts, figures: Figures): boolean =>
  later.every((burst) => servedIn(burst) < NEARLY * figures.perMinute) && later.some((burst) => servedIn(burst) > 0);

/** Requests of slack on a whole burst, for rounding. */
const HARDLY = 1;

/**
 * True if the last burst came a window after the first, and would have shown a limit on top of an even rate. Such a
 * limit is more than half the plan, no less than what could pass unnoticed. An even rate allows a request after the
 * time of one; a longer wait shows none.
 */
function reachesLast(bursts: Bursts, figures: Figures, lastAt: number, isEven: boolean): boolean {
  const [first] = bursts[0] ?? [];
  const last = bursts.at(-1)?.at(-1);
  if (first === undefined || last === undefined || last.sentAt < lastAt) return false;
  const held = Math.min(servedIn(bursts[0] ?? []), figures.perMinute);
  if (!isEven || 2 * held <= figures.perMinute) return true;
  const before = bursts.slice(0, -1).reduce((sum, burst) => sum + servedIn(burst), 0);
  const room = mostInOneWindow(figures, lastAnswerOf(bursts.at(-1) ?? []) - first.sentAt) - before;
  return room < held - HARDLY;
}
