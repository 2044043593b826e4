import type { Finding } from '../../checks/finding.js';
import { bySending, wasRefused, wasServed } from '../answers.js';
import { minuteMs, type Span } from '../bounds.js';
import { type ServerClock, resetTime } from '../clock.js';
import { coarsestGrainMs } from '../limiter-grain.js';
import { readRetryAfter } from '../retry-after.js';
import type { Sample } from '../sample.js';
import { counted, duration, figure, inconclusive, kept, subject, violated } from '../say.js';
import type { Figures, KeySeries } from '../series.js';
import { windowBegan } from '../windows-seen.js';
import { overServed } from './refuses-past-limit.js';

const ROW = 'rate-window';

/** A span in which more was served than two windows, and those that fit in, can hold; null when there is none. */
function overfull(served: readonly Sample[], figures: Figures): (Span & { readonly most: number }) | null {
  let latest = -Infinity;
  const answered = served.map(({ answeredAt }) => (latest = Math.max(latest, answeredAt)));
  // To break the bound with n windows' worth more takes (n + 1) * L + 1 requests within less than n windows.
  for (let windows = 1; (windows + 1) * figures.perMinute < served.length; windows += 1) {
    const most = (windows + 1) * figures.perMinute;
    for (let last = most; last < served.length; last += 1) {
      const from = served[last - most]?.sentAt ?? 0;
      const to = answered[last] ?? from;
      if (to - from < windows * minuteMs(figures)) return { count: most + 1, from, to, most };
    }
  }
  return null;
}

/** When, in our time, a refusal lets the client back by its Retry-After, or else by its Reset; null where it does not say. */
export function letsBackAt(refusal: Sample, clock: ServerClock | null): number | null {
  const after = readRetryAfter(refusal.retryAfter);
  if (after.kind === 'seconds') return refusal.answeredAt + after.seconds * 1000;
  if (after.kind === 'date' && clock !== null) return after.unixMs - clock.lowMs;
  return resetTime(refusal, clock)?.latest ?? null;
}

/** A burst after the first got but a part of the allowance: it comes back evenly, and the bound on that was kept. */
const cameBackBitByBit = (bursts: readonly (readonly Sample[])[], figures: Figures): boolean =>
  bursts.length > 1 && (bursts.at(-1) ?? []).filter(wasServed).length < figures.perMinute / 2;

/** Headers count whole seconds: with windows of a few seconds, a span of one window does not hold the bursts that it takes. */
const COARSE_WINDOW_MS = 4000;
/** Of the allowance, and of a window: retries and roundings take the rest. */
const NEARLY = 0.9;

/**
 * Whether the last of several bursts was told to come back before a window could have passed: since the first of them
 * began, or, where it got all of the allowance itself, since it began. (A window on the clock lets back early once, at
 * its edge, and then no more.) Not where the allowance comes back bit by bit.
 * @param earlier what was sent with the key before the first, oldest first
 */
export function letsBackEarly(
  bursts: readonly (readonly Sample[])[],
  figures: Figures,
  clock: ServerClock | null,
  earlier: readonly Sample[],
): boolean {
  const [first] = bursts[0] ?? [];
  const latest = bursts.at(-1) ?? [];
  const refusal = latest.find(wasRefused);
  const back = refusal === undefined ? null : letsBackAt(refusal, clock);
  if (first === undefined || back === null || cameBackBitByBit(bursts, figures)) return false;
  const window = minuteMs(figures);
  const span = bursts.length > 1 && window < COARSE_WINDOW_MS ? 2 * window : window;
  if (back < windowBegan(first, figures, earlier) + span) return true;
  const began = latest[0]?.sentAt ?? back;
  const gotAll = latest.filter(wasServed).length >= NEARLY * figures.perMinute;
  return bursts.length > 1 && gotAll && back < began + NEARLY * window;
}

/** More served by several bursts than any sound limiter serves. */
interface WindowBreach {
  readonly what: string;
  readonly most: number;
  readonly served: number;
  /** The span that `most` is for, in words, and the one in which so many were served. */
  readonly expectedIn: string;
  readonly elapsedMs: number;
}

/**
 * What bursts one after the other prove against `rate-window`; null where nothing.
 * @param grainMs how coarse the limiter's clock may be: what a second brings may have come back at once
 */
export function windowBreach(
  bursts: readonly (readonly Sample[])[],
  figures: Figures,
  grainMs = coarsestGrainMs(figures),
): WindowBreach | null {
  const over = overfull(bySending(bursts.flat().filter(wasServed)), figures);
  if (over !== null) {
    const windows = Math.round(over.most / figures.perMinute) - 1;
    return {
      what: 'gets its allowance back before a window is over',
      most: over.most,
      served: over.count,
      expectedIn: `any ${duration(windows * minuteMs(figures))}`,
      elapsedMs: over.to - over.from,
    };
  }
  const faster = overServed(bySending(bursts.flat()), figures, grainMs).proven;
  return faster === null
    ? null
    : {
        what: 'gets its allowance back faster than the plan says',
        most: faster.most,
        served: faster.served,
        expectedIn: duration(faster.elapsedMs),
        elapsedMs: faster.elapsedMs,
      };
}

/** `rate-window`: in any span of a window at most twice the limit is served, whatever the algorithm. */
export function windowLength(key: KeySeries, clock: ServerClock | null, sequentialSound: boolean): readonly Finding[] {
  const name = subject(key.key);
  const { figures } = key;
  const bursts = key.window?.bursts ?? (key.burst === null ? [] : [key.burst.samples]);
  const served = bySending(bursts.flat().filter(wasServed));
  const [first] = served;
  if (first === undefined) return [inconclusive(ROW, 'too-little-data', `${name} was not asked for its allowance.`)];
  if (!sequentialSound) return [inconclusive(ROW, 'prerequisite', `${name} is not limited within one window.`)];
  const breach = windowBreach(bursts, figures);
  if (breach !== null) {
    return [
      violated(
        ROW,
        `${name} ${breach.what}.`,
        `at most ${counted(breach.most, 'request')} served in ${breach.expectedIn}`,
        `${counted(breach.served, 'request')} served in ${duration(breach.elapsedMs)}`,
      ),
    ];
  }
  const refusal = bursts.at(-1)?.find(wasRefused);
  if (refusal === undefined) {
    return [inconclusive(ROW, 'too-little-data', `${name} was not refused in its last burst.`)];
  }
  const back = letsBackAt(refusal, clock);
  if (back === null) return [inconclusive(ROW, 'prerequisite', `${name}'s refusal does not say when to come back.`)];
  // Refused again after the time that it was told, the client was not let back early: another row is charged with that.
  const brokeItsWord = key.recoveries.some(
    ({ refusal: told, retry }) => told === refusal && retry !== null && retry.sentAt >= back && wasRefused(retry),
  );
  if (!brokeItsWord && letsBackEarly(bursts, figures, clock, key.earlier)) {
    const what =
      bursts.length > MOST_MORE_BURSTS
        ? `${counted(bursts.length, 'burst')} did not show whether that is a window's allowance`
        : 'it was not asked again';
    return [inconclusive(ROW, 'too-little-data', `${name} was let back before a window was over, and ${what}.`)];
  }
  const span = duration((served.at(-1)?.answeredAt ?? first.sentAt) - first.sentAt);
  return [kept(ROW, `${figure(served.length)} served in ${counted(bursts.length, 'burst')} over ${span}.`)];
}

/**
 * In `n` windows and a part of one at most `(n + 2) * L` may be served. A window a sixth as long shows after two bursts
 * more, one half as long after four (five in two windows), one of three quarters after five (six in less than four).
 */
export const MOST_MORE_BURSTS = 5;
