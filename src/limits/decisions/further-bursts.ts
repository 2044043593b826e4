import { wasRefused, wasServed } from '../answers.js';
import { FINE_GRAIN_MS, minuteMs, mostInOneWindow } from '../bounds.js';
import type { ServerClock } from '../clock.js';
import { plainInteger } from '../header-number.js';
import { isInMilliseconds } from '../oracles/milliseconds.js';
import { letsBackAt, letsBackEarly, MOST_MORE_BURSTS, windowBreach } from '../oracles/window.js';
import type { Sample } from '../sample.js';
import type { Figures } from '../series.js';
import { BEYOND } from './burst.js';
import { leeway } from './leeway.js';

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
  // More came back than time allowed for, yet no more than a clock of whole seconds explains: another burst tells them apart.
  const isDoubtful = windowBreach(bursts, figures, FINE_GRAIN_MS) !== null;
  const goesOn =
    (isDoubtful || letsBackEarly(bursts, figures, clock, earlier)) && windowBreach(bursts, figures) === null;
  return goesOn ? Math.max(at, refusal.answeredAt) : null;
}
