import { longestByServer, mayHaveRefilled, minuteMs, refillIntervalMs } from './bounds.js';
import { plainInteger } from '../../base/interface/rate-headers.js';
import {
  describedWindow,
  isPlanAnswer,
  leftsOf,
  mayCount,
  mayHaveSlid,
  wasRefused,
  wasServed,
  type Sample,
} from './sample.js';
import { samplesOf } from './key-samples.js';
import type { KeySeries, OtherKeyProbe } from './series.js';

/** Requests of slack: Remaining may be rounded, and a request may be counted late. */
const TOLERANCE = 2;

/**
 * Result of a probe. `refused`, `fell`: the exhausted key explains it, and nothing else of the run does.
 * `untouched`: the other key's own requests explain its Remaining. `served`: Remaining shows nothing.
 * `paced`: refused so soon after the key's own request that a strict pacer may do so. `other-use`: something
 * outside the run uses the other key.
 */
type ProbeResult = 'refused' | 'fell' | 'untouched' | 'served' | 'paced' | 'other-use' | 'unclear';

/**
 * Returns the time from which no limiter of the plan refuses one more request of a key because it comes too
 * soon after an allowed one, Unix ms: `W / L` after the response.
 */
export const pacedUntil = ({ before, figures }: Pick<OtherKeyProbe, 'before' | 'figures'>): number =>
  before.answeredAt + longestByServer(refillIntervalMs(figures));

/**
 * Judges a request with another plan's key while a key was exhausted.
 *
 * @param exhausted the exhausted key
 * @param others the other plans' keys of the run
 */
export function judgeProbe(
  probe: OtherKeyProbe,
  exhausted: KeySeries,
  others: readonly KeySeries[],
): ProbeResult {
  const { before, during, figures } = probe;
  const witness = others.find(({ key }) => key === probe.key);
  const own = witness === undefined ? [before, during] : samplesOf(witness);
  const all = [exhausted, ...others].flatMap(samplesOf);
  const sameWindow = describedWindow(before, figures) === describedWindow(during, figures);
  const left = sameWindow && before.limit === during.limit ? plainInteger(before.remaining) : null;
  const isUsed = isUsedByOthers(probe, own, all);
  if (wasRefused(during)) {
    if (during.sentAt < pacedUntil(probe)) return 'paced';
    // Its own requests may have used it up.
    const since = during.sentAt - minuteMs(figures);
    const recent = own.filter(
      (sample) => mayCount(sample) && sample.answeredAt >= since && sample.sentAt < during.answeredAt,
    );
    const spent = Math.max(1, recent.length, left === null ? 0 : 1 + figures.perMinute - left);
    if (spent + TOLERANCE >= figures.perMinute) return 'unclear';
    return isUsed ? 'other-use' : 'refused';
  }
  if (!isPlanAnswer(during)) return 'unclear';
  const now = plainInteger(during.remaining);
  if (left === null || now === null) return 'served';
  const fall = left - now;
  if (fall <= 1 + TOLERANCE) return 'untouched';
  const isShared =
    fall >= leastIfShared(probe, samplesOf(exhausted), all) &&
    fall <= sentBetween(before, during, all) + TOLERANCE;
  return isShared && !isUsed ? 'fell' : 'other-use';
}

/** Is true if a probe shows that an exhausted key uses up another one, or has it refused. */
export const showsSharing = (result: ProbeResult): boolean => result === 'refused' || result === 'fell';

/** Counts the requests that may have been counted after one request and up to another one. */
const sentBetween = (from: Sample, to: Sample, all: readonly Sample[]): number =>
  all.filter((sample) => sample !== from && sample.answeredAt > from.sentAt && sample.sentAt < to.answeredAt)
    .length;

/** Returns the least fall of the other key's Remaining if one counter counts both keys. */
function leastIfShared(
  { before, during, figures }: OtherKeyProbe,
  exhausted: readonly Sample[],
  all: readonly Sample[],
) {
  const surely = exhausted.filter(
    (sample) => wasServed(sample) && sample.sentAt >= before.answeredAt && sample.answeredAt <= during.sentAt,
  ).length;
  const elapsedMs = during.answeredAt - before.sentAt;
  const slid = mayHaveSlid(all, figures, before.sentAt, during.answeredAt).length;
  return 1 + surely - mayHaveRefilled(figures, elapsedMs) - slid - TOLERANCE;
}

/**
 * Is true if Remaining of a key fell at some place by more than all keys of the run sent: not even one
 * counter for all keys explains it. It looks from the probe on, because the suites also send requests without
 * a key.
 */
function isUsedByOthers(
  { before, figures }: OtherKeyProbe,
  own: readonly Sample[],
  all: readonly Sample[],
): boolean {
  const readings = leftsOf(
    own.filter((sample) => sample.sentAt >= before.sentAt && wasServed(sample)),
    figures,
  );
  return readings.some(({ sample, left }, at) => {
    const next = readings[at + 1];
    if (next === undefined || left - next.left <= TOLERANCE) return false;
    return left - next.left > sentBetween(sample, next.sample, all) + TOLERANCE;
  });
}
