import { OWN_PROBES, mostInOneWindow, isLongBySeconds, minuteMs, type Figures } from './bounds.js';
import { largestClump } from './clumps.js';
import { returnsIn } from './key-samples.js';
import type { KeySeries } from './series.js';
import { beatOf, windowBreach } from './window-breach.js';

import type { OfKey } from './refill-rate.js';
import { type Bursts, windowProgress } from './window-progress.js';
import { bySending, wasServed, wasRefused, type Sample, servedIn, lastAnswerOf } from './sample.js';
import type { ServerClock } from './clock.js';
import { plainInteger } from '../../base/interface/rate-headers.js';
import { isWithinReach } from './headers/retry-after.js';
import { isLaterWindow } from './reset-edges.js';
import { isInMilliseconds, leeway } from './timing.js';

/**
 * Returns all bursts of a key in order of time. The concurrent one counts too, with the single requests
 * before it, unless it exceeded the limit: another requirement reports that.
 */
export function burstsOf({ burst, window, concurrent, recoveries, figures }: KeySeries): Bursts {
  const single = window ?? (burst === null ? [] : [burst.samples]);
  const inParallel = bySending(concurrent?.samples ?? []);
  const [first] = inParallel;
  const known = largestClump(bySending(single.flat()), figures);
  const evenly = mostInOneWindow(figures, lastAnswerOf(inParallel) - (first?.sentAt ?? 0));
  const isExcess = servedIn(inParallel) > evenly + beatOf(figures, known);
  if (first === undefined || isExcess) return single;
  const sent = new Set(single.flat());
  const returns = returnsIn(recoveries).filter(
    (sample) => wasServed(sample) && !sent.has(sample) && sample.sentAt < first.sentAt,
  );
  return [...single, bySending([...returns, ...inParallel])].toSorted(
    ([one], [other]) => (one?.sentAt ?? 0) - (other?.sentAt ?? 0),
  );
}

/**
 * Returns when the concurrent burst may begin, so that every correct limiter except a sliding counter has its
 * limit back. With gradual refills, that is when `rate-window` needs its last burst. If the last response
 * says that all is back, it is now. Else it is a window after nearly all requests that still count.
 *
 * @param bursts bursts so far, each to its 429, the first one first
 * @param latest last response to the key
 */
export function nextBurstAt(bursts: Bursts, latest: Sample, key: OfKey, clock: ServerClock | null): number {
  const { figures } = key;
  const progress = windowProgress(bursts, key, clock);
  if (progress.kind === 'drained') return Math.max(progress.at, latest.answeredAt);
  if (wasServed(latest) && (plainInteger(latest.remaining) ?? 0) >= figures.perMinute - OWN_PROBES)
    return latest.answeredAt;
  const served = bursts.flat().filter(wasServed);
  const last = served.at(-1 - OWN_PROBES) ?? served.at(-1) ?? latest;
  return Math.max(last.answeredAt + minuteMs(figures) + leeway(figures), latest.answeredAt);
}

/**
 * Is true if a retry succeeded in the next window by Reset, with the whole limit back, as at the edge of the
 * clock. Then the parallel requests are the next burst.
 */
export function isNextWindow(first: Sample | undefined, retry: Sample, figures: Figures): boolean {
  const left = plainInteger(retry.remaining) ?? 0;
  return (
    isLongBySeconds(figures) && left >= figures.perMinute - OWN_PROBES && isLaterWindow(first, retry, figures)
  );
}

/**
 * Returns when the next burst for `rate-window` starts: when the last 429 allows it before a window has
 * passed. Null if it is decided, if the parallel requests are the next burst, or if no more may be sent.
 *
 * @param bursts bursts so far, the first one first; the second may be only its first response
 */
export function burstsAgain(bursts: Bursts, key: OfKey, clock: ServerClock | null): number | null {
  const { figures } = key;
  const [first] = bursts[0] ?? [];
  const refusal = bursts.at(-1)?.find(wasRefused);
  const wholes = bursts.filter((samples) => 2 * servedIn(samples) > figures.perMinute).length;
  if (first === undefined || refusal === undefined || wholes > MOST_MORE_BURSTS) return null;
  if (isInMilliseconds(refusal, figures, clock)) return null;
  if (windowBreach(bursts, [...key.earlier, ...bursts.flat()], key) !== null) return null;
  const progress = windowProgress(bursts, key, clock);
  if (progress.kind !== 'open') return null;
  return isWithinReach(progress.at, refusal.answeredAt, figures) ? progress.at : null;
}

/**
 * At most `(n + 2) * L` may be allowed in `n` windows and a part of one. A window of W / 6 shows after two
 * more bursts. One of W / 2 shows after four (five in 2 W), one of 3/4 W after five (six in less than 4 W).
 */
const MOST_MORE_BURSTS = 5;
