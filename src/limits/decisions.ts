import { wasRefused, wasServed } from './answers.js';
import { minuteMs, mostInOneWindow, refillIntervalMs } from './bounds.js';
import { inOurTime, resetTime, type ServerClock } from './clock.js';
import { plainInteger } from './header-number.js';
import { banDeadline, banSeen, GRACE_MS } from './oracles/ban.js';
import { isBan } from './oracles/ban-signs.js';
import { isInMilliseconds } from './oracles/milliseconds.js';
import { letsBackAt, letsBackEarly, MOST_MORE_BURSTS, windowBreach } from './oracles/window.js';
import { readRetryAfter, waitOf } from './retry-after.js';
import type { Sample } from './sample.js';
import type { BanSeries, Figures } from './series.js';

/*
 * What the senders have to know about limiters. All times are Unix ms of the senders' own clock. Nothing here sends.
 */

/** Over 1 s a wait would no longer be "exactly that long"; a little is left for timers and slow connections. */
const MOST_LEEWAY_MS = 900;
/** With windows of a second or two a whole second would hide a Retry-After that is too short. */
const LEEWAY_OF_WINDOW = 0.15;

/** How much longer than asked to wait, in ms: less than 1 s, and little beside the window. */
const leeway = (figures: Figures): number => Math.min(MOST_LEEWAY_MS, LEEWAY_OF_WINDOW * minuteMs(figures));

/** When to send again after a refusal, and what the time stands on. */
export interface Return {
  readonly at: number;
  readonly basis: 'seconds' | 'date' | 'reset' | 'window';
  /** The server asked for longer than the profile may wait. */
  readonly capped: boolean;
}

/**
 * When to send the one request that judges Retry-After: after exactly that time and a little more. A Retry-After that
 * cannot be read, or is in milliseconds, gives way to Reset, and that to a whole window. `mostMs` caps the wait (default:
 * two windows and 5 s).
 */
export function retryAt(
  refusal: Sample,
  figures: Figures,
  clock: ServerClock | null,
  mostMs: number = 2 * minuteMs(figures) + 5000,
): Return {
  const after = readRetryAfter(refusal.retryAfter);
  const latest = refusal.answeredAt + mostMs;
  const capped = (at: number, basis: Return['basis']): Return => ({
    at: Math.min(at, latest),
    basis,
    capped: at > latest,
  });
  if (after.kind === 'seconds' && !isInMilliseconds(refusal, figures, clock)) {
    return capped(refusal.answeredAt + after.seconds * 1000 + leeway(figures), 'seconds');
  }
  const waitMs = waitOf(refusal);
  if (after.kind === 'date' && waitMs !== null) return capped(refusal.answeredAt + waitMs + leeway(figures), 'date');
  if (after.kind === 'date' && clock !== null) {
    return capped(inOurTime(after.unixMs, clock).latest + leeway(figures), 'date');
  }
  const reset = resetAt(refusal, clock);
  if (reset !== null) return capped(Math.max(reset, refusal.answeredAt), 'reset');
  return capped(refusal.answeredAt + minuteMs(figures) + 1000, 'window');
}

/** When to send the request that judges Reset: a second after it. Null where Reset cannot be read or placed. */
export function resetAt(refusal: Sample, clock: ServerClock | null): number | null {
  const reset = resetTime(refusal, clock);
  return reset === null ? null : reset.latest + 1000 + 50;
}

/**
 * When to ask once more for Reset's sake, after the retry. Null where the retry was served about then: it judges both,
 * and a second request might find the one that came back already used.
 */
export function resetRetryAt(refusal: Sample, retry: Sample, clock: ServerClock | null): number | null {
  const reset = resetTime(refusal, clock);
  return reset === null || (wasServed(retry) && retry.sentAt >= reset.latest) ? null : resetAt(refusal, clock);
}

/**
 * When a burst that will take `burstMs` may go on after its first answer, so that it stays inside one window: now, or just
 * after Reset where the window ends sooner than that. A limiter that refills shows a Reset close by when all is there, and
 * then no window ends: nothing is gained by waiting there, and little lost.
 */
export function burstStart(first: Sample, figures: Figures, clock: ServerClock | null, burstMs: number): number {
  const reset = resetTime(first, clock);
  if (reset === null || reset.earliest - first.answeredAt > burstMs) return first.answeredAt;
  const left = plainInteger(first.remaining);
  const refills = left === figures.perMinute - 1 && reset.latest - first.sentAt <= refillIntervalMs(figures) + 1000;
  const wait = reset.latest + 50;
  if (refills && minuteMs(figures) > 2 * burstMs + 3000) return first.answeredAt;
  // Never longer than a window: past it, any first request begins a new one.
  return Math.min(Math.max(wait, first.answeredAt), first.answeredAt + minuteMs(figures));
}

/** At most so many: more would be an attack, and a target that needs them is too slow to be judged. */
const MOST_CONNECTIONS = 64;

/** Connections that a burst needs at this latency, so that little refills meanwhile: three times latency * L / W. */
export function connectionsFor(
  latencyMs: number,
  figures: Figures,
): { readonly connections: number; readonly tooSlow: boolean } {
  const needed = Math.ceil((3 * latencyMs) / refillIntervalMs(figures));
  return { connections: Math.min(MOST_CONNECTIONS, Math.max(1, needed)), tooSlow: needed > MOST_CONNECTIONS };
}

/** Three of each operation show what each costs; two more stand beside them. */
const SINGLE_REQUESTS = 11;

/** How many of the allowance to leave for single requests: `quick` ones may be sent at once, the rest one by one. */
export function tailLength(
  remaining: number,
  connections: number,
): { readonly quick: number; readonly single: number } {
  const single = Math.min(remaining, SINGLE_REQUESTS + (connections > 1 ? 2 : 0));
  return { quick: Math.max(0, remaining - single), single };
}

/** Enough refills due to prove that none comes, with some to spare for what was under way. */
const REFILLS_WANTED = 3;
/** Below it not one request can come back meanwhile, and the bound is the limit itself. */
const LESS_THAN_ONE = 0.8;

/**
 * How long to pause before the single part, in ms. A burst that lasts less than one refill interval needs none; of one
 * that lasts a little longer it could not be told whether a request too many had come back, so it is made to last.
 */
export function pauseBeforeTail(firstAnsweredAt: number, now: number, latencyMs: number, figures: Figures): number {
  const interval = refillIntervalMs(figures);
  const atTheEnd = now - firstAnsweredAt + (SINGLE_REQUESTS + 2) * latencyMs;
  return atTheEnd < LESS_THAN_ONE * interval ? 0 : pauseForRefills(firstAnsweredAt, now, figures);
}

/** How long to pause, in ms, until several requests ought to have come back since the first answer, if any do. */
export const pauseForRefills = (firstAnsweredAt: number, now: number, figures: Figures): number =>
  Math.max(0, firstAnsweredAt + REFILLS_WANTED * refillIntervalMs(figures) - now);

/** Enough above the bound that what is served there is no rounding, and no limit that is a tenth too high. */
const BEYOND = 3;
const BEYOND_SHARE = 0.15;

/**
 * How many a burst may send in all before it ends without a refusal, `elapsedMs` after its first request. Never more than
 * two windows' worth: a target that is too slow gives back as fast as it is asked, and cannot be judged so.
 */
export const burstCeiling = (figures: Figures, elapsedMs: number): number =>
  Math.min(mostInOneWindow(figures, elapsedMs), 2 * figures.perMinute) +
  Math.max(BEYOND, Math.ceil(BEYOND_SHARE * figures.perMinute));

/** How many the concurrent burst asks for: the allowance, what comes back meanwhile, and a tenth (at least three). */
export const concurrentRequests = (figures: Figures, expectedMs: number): number =>
  Math.ceil(mostInOneWindow(figures, expectedMs) + Math.max(BEYOND, figures.perMinute / 10));

/**
 * When the concurrent burst may begin, so that every sound limiter but a sliding counter has all of the allowance back.
 * At once where the retry's own answer says that it is back; else a window after the last answer of the bursts before and,
 * where the limiter refills, a window after the retry, so that a bucket that refills too slowly shows. `retry` is null
 * where bursts for `rate-window` came between: then a window of silence after the last of them.
 */
export function nextBurstAt(lastAnswer: number, retry: Sample | null, figures: Figures): number {
  const window = minuteMs(figures);
  if (retry === null) return lastAnswer + window + leeway(figures);
  const back = (plainInteger(retry.remaining) ?? 0) >= figures.perMinute - 2 && wasServed(retry);
  if (back) return retry.answeredAt;
  // Let back within the first half of a window, it refills; later, it slides, and all is back with the last of the burst.
  const refills = retry.sentAt - lastAnswer < window / 2;
  return Math.max(lastAnswer + window + leeway(figures), refills ? retry.answeredAt + window : retry.answeredAt);
}

/**
 * When to burst again for `rate-window`: where the last refusal lets the client back before a window could have passed,
 * at most `MOST_MORE_BURSTS` times. Null when it is decided, or nothing more may be sent. `bursts`: those sent, the first one first;
 * `earlier`: what was sent with the key before them, in the order of sending.
 */
export function burstsAgain(
  bursts: readonly (readonly Sample[])[],
  figures: Figures,
  clock: ServerClock | null,
  earlier: readonly Sample[],
): number | null {
  const [first] = bursts[0] ?? [];
  const refusal = bursts.at(-1)?.find(wasRefused);
  if (first === undefined || refusal === undefined || bursts.length > MOST_MORE_BURSTS) return null;
  const at = letsBackAt(refusal, clock);
  if (at === null || isInMilliseconds(refusal, figures, clock)) return null;
  const goesOn = letsBackEarly(bursts, figures, clock, earlier) && windowBreach(bursts, figures) === null;
  return goesOn ? Math.max(at, refusal.answeredAt) : null;
}

/** Of the plan: no sound limiter refuses it, but for a strict pacer (part 8, measured). */
const STEADY_SHARE = 0.95;

/** A window that is longer than the plan's refuses at 95 % only after 1 / 0.95 of the plan's window. */
const STEADY_WINDOWS = 1.1;

/** The steady run: silence before it, gap between requests, and how long it lasts, in ms. */
export interface SteadyPlan {
  readonly silenceMs: number;
  readonly gapMs: number;
  readonly requests: number;
}

/**
 * A steady run has to hold one whole window, also a clock-aligned one that had begun before it: it lasts a little more than one, and
 * what the first answer's Reset leaves of the one before. Give null for the first answer to learn the longest.
 */
export function steadyPlan(figures: Figures, first: Sample | null, clock: ServerClock | null): SteadyPlan {
  const gapMs = refillIntervalMs(figures) / STEADY_SHARE;
  const window = minuteMs(figures);
  const reset = first === null ? null : resetTime(first, clock);
  const untilReset = first === null || reset === null ? window : reset.latest - first.sentAt;
  // What is left of a window that has begun already does not count: the next has to be filled too.
  const begun = untilReset < 0.95 * window;
  const whole = STEADY_WINDOWS * window;
  const lasts = first === null ? whole + window : whole + (begun ? Math.max(0, untilReset) : 0);
  return { silenceMs: 2 * window + leeway(figures), gapMs, requests: Math.ceil(lasts / gapMs) };
}

/** Whether the last answers of a steady run make going on pointless: three refusals in a row are no strict pacer's. */
export const steadyDecided = (samples: readonly Sample[]): boolean =>
  samples.length >= 3 && samples.slice(-3).every(wasRefused);

/** Whether the last answer of the requests sent on after 429 is that of a ban, so that no more are to be sent. */
export function banBegan(pushed: readonly Sample[], figures: Figures): boolean {
  const first = pushed.find(wasRefused);
  const last = pushed.at(-1);
  return first !== undefined && last !== undefined && last !== first && isBan(last, first, figures);
}

/**
 * When to ask whether the ban is over, or, where none was seen, whether the limit alone had refused: just after it should
 * be. Null where neither the answers nor the operator say when; then it is asked now and then, for 15 minutes.
 */
export function banProbeAt(
  { pushed, declaredSeconds }: Pick<BanSeries, 'pushed' | 'declaredSeconds'>,
  figures: Figures,
  clock: ServerClock | null,
): number | null {
  const ban = banSeen({ pushed, watched: [] }, figures, clock);
  const last = pushed.at(-1);
  if (last === undefined) return null;
  const at = ban === null ? letsBackAt(last, clock) : banDeadline(ban, declaredSeconds, clock);
  return at === null ? null : Math.max(at + GRACE_MS + 50, last.answeredAt);
}

/** What comes back bit by bit and, once a day, all at once; a few more show that it is no rounding. */
export function dayCeiling(figures: Figures, elapsedMs: number): number {
  const back = (figures.perDay * elapsedMs) / (figures.daySeconds * 1000);
  return Math.floor(figures.perDay + back) + BEYOND;
}

/** What a profile will cost, for the plan of a run. */
export interface Estimate {
  readonly requests: number;
  readonly seconds: number;
}

/** The profiles by name. */
export type ProfileName = 'burst' | 'concurrent' | 'window' | 'recovery' | 'steady' | 'ban' | 'day-quota';

/** What one profile will send with one key, and how long it takes, at the given latency in ms. */
export function estimate(
  profile: ProfileName,
  figures: Figures,
  latencyMs = 5,
  ban: { readonly maxRequests: number; readonly maxSeconds: number | null } = { maxRequests: 60, maxSeconds: null },
): Estimate {
  const window = figures.minuteSeconds;
  const { connections } = connectionsFor(latencyMs, figures);
  const burstSeconds = (figures.perMinute * latencyMs) / connections / 1000;
  switch (profile) {
    case 'burst':
      return { requests: figures.perMinute + 1, seconds: burstSeconds };
    case 'recovery':
      return { requests: 2, seconds: window + 1 };
    case 'window':
      return { requests: 1, seconds: 0 };
    case 'concurrent':
      return { requests: concurrentRequests(figures, burstSeconds * 1000), seconds: burstSeconds };
    case 'steady': {
      const { requests, gapMs, silenceMs } = steadyPlan(figures, null, null);
      return { requests, seconds: (silenceMs + requests * gapMs) / 1000 };
    }
    case 'ban':
      return { requests: figures.perMinute + ban.maxRequests + 2, seconds: burstSeconds + (ban.maxSeconds ?? 15 * 60) };
    case 'day-quota': {
      const perSecond = (STEADY_SHARE * figures.perMinute) / window;
      const seconds = figures.perDay / perSecond;
      return { requests: dayCeiling(figures, seconds * 1000), seconds };
    }
  }
}
