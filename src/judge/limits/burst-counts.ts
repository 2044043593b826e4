import {
  OWN_PROBES,
  minuteMs,
  mayHaveRefilled,
  refillIntervalMs,
  worstSpan,
  type Figures,
} from './bounds.js';
import { largestClump } from './clumps.js';
import { nothingRefills } from './refill.js';
import { onceEach } from '../../base/kernel/once-each.js';
import { kept, violated, type Judgement } from '../findings/finding.js';
import { count, counted } from '../../base/kernel/format.js';
import { samplesOf } from './key-samples.js';
import { subject, type FreshSeries, type KeySeries } from './series.js';
import { windowsSeen } from './windows-seen.js';
import {
  bySending,
  mayBeOfDay,
  wasRefused,
  wasServed,
  mayCount,
  mostHeld,
  type Sample,
  servedIn,
  lastAnswerOf,
} from './sample.js';

/** Silence of two windows, in windows, with slack for timers. */
export const SILENT_WINDOWS = 1.98;

/**
 * Judges `rate-not-early` by a burst after two windows of silence; null if a steady run decides. No earlier
 * request counts then. So a window, a log or a counter has its whole limit; only a bucket may hold less. If
 * nothing refills it is no bucket, and the limit must be exact, as in `rate-429`.
 */
export function byFreshBurst(key: KeySeries, { silentMs, samples }: FreshSeries): Judgement | null {
  const { figures, burst, recoveries, window } = key;
  const served = servedIn(samples);
  const refusal = samples.find(wasRefused);
  const { pieces, visible } = windowsSeen(samples, figures);
  // A new window, a lost response or the day's limit changes the meaning of the count.
  const oneWindow = pieces.length === 1 && visible && silentMs >= SILENT_WINDOWS * minuteMs(figures);
  const whole = samples.every((sample) => wasServed(sample) || wasRefused(sample));
  if (!oneWindow || !whole || refusal === undefined || mayBeOfDay(refusal, figures)) return null;
  if (served >= figures.perMinute)
    return kept([], `${count(served)} requests were allowed in a row after two idle windows.`);
  // A steady run notices a loss this large, and passes a bucket that holds less. One burst of the window, with what
  // others got before, got nearly all.
  if (served < Math.floor(NEARLY_ALL * figures.perMinute)) return null;
  // Nothing refills between two refill steps either: the retry and later bursts show them.
  const retries = recoveries.flatMap(({ retry }) => retry ?? []);
  const before = new Set([...(burst?.samples ?? []), ...retries, ...(window?.flat() ?? [])]);
  const { size } = largestClump(bySending([...before]), figures);
  if (size > 0 || nothingRefills(samples, figures) === null) return null;
  return violated([], `${subject(key.key)} gets 429 before its allowance is used up.`, {
    expected: `${counted(figures.perMinute, 'request')} allowed in a row after two idle windows, where nothing refills`,
    actual: `${count(served)} allowed, then 429`,
    measured: { most: figures.perMinute, got: served, what: ['fresh'] },
  });
}

/** One burst: its allowed requests, and earlier ones of the run in the same window. */
export type Gain = NonNullable<ReturnType<typeof gain>>;

/** Counts a burst, and requests of this key within W before it, which a limiter may still count. */
function gain(samples: readonly Sample[], all: readonly Sample[], figures: Figures) {
  const [first] = samples;
  if (first === undefined) return null;
  const own = new Set(samples);
  const since = first.sentAt - minuteMs(figures);
  const served = samples.filter(wasServed);
  const worst = worstSpan(served, 1 / refillIntervalMs(figures));
  const clump = largestClump(samples, figures);
  const shown = mostHeld(all, figures) || figures.perMinute;
  const byRate = worst === null ? 0 : worst.count - mayHaveRefilled(figures, worst.to - worst.from);
  return {
    served: served.length,
    /**
     * Least that the limiter must have held, at most the plan: some came back during the burst. One that
     * gives back too fast held no more than Remaining ever showed.
     */
    held: Math.max(0, Math.min(shown, byRate - (clump.isSooner ? clump.size : 0))),
    usedBefore: all.filter(
      (old) => !own.has(old) && mayCount(old) && old.answeredAt >= since && old.sentAt < first.sentAt,
    ).length,
    first,
    lastAnswer: lastAnswerOf(samples),
    /** True if the minute's limit gave a 429. */
    refused: samples.some((sample) => wasRefused(sample) && !mayBeOfDay(sample, figures)),
  };
}

/** Returns the gains of a key's sequential burst and of its concurrent one. */
export const gains = onceEach((key: KeySeries): readonly Gain[] =>
  [key.burst, key.concurrent].flatMap(
    (series) => gain(series?.samples ?? [], samplesOf(key), key.figures) ?? [],
  ),
);

/**
 * Is true if a burst, with earlier use of its window, makes up the limit. After suites, a few requests are in
 * no series: those outside the declared operations may count too.
 */
export const gotWholeLimit = ({ served, usedBefore }: Gain, { perMinute }: Figures): boolean =>
  served + usedBefore + (usedBefore > OWN_PROBES ? OWN_PROBES : 0) >= perMinute;

export const isShort = (found: Gain, figures: Figures): boolean =>
  found.refused && !gotWholeLimit(found, figures);

/**
 * Is true if a burst got less than the limit: what came back is less, or a sliding counter still counts what
 * came before.
 */
export const gotLessThanLimit = (key: KeySeries): boolean =>
  gains(key).some((found) => isShort(found, key.figures));

/**
 * Is true if the first burst got the whole limit itself. A burst after two windows of silence could show no
 * more: by then a bucket that refills too slowly is full as well.
 */
export const gotWholeAtFirst = (key: KeySeries): boolean =>
  (gains(key)[0]?.served ?? 0) >= key.figures.perMinute;

/** Share of the limit that counts as nearly all: a steady run at 95 % passes near it. */
const NEARLY_ALL = 0.9;

/**
 * Is true if a burst got nearly all of the limit. A steady run would not notice the rest: a burst after two
 * windows of silence decides first.
 */
export const gotNearlyAll = (key: KeySeries): boolean =>
  gains(key).some((found) => found.served + found.usedBefore >= NEARLY_ALL * key.figures.perMinute);
