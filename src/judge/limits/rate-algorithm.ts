import { observed, unestablished, type Judged } from '../findings/finding.js';
import { minuteMs } from './bounds.js';
import { nothingRefills } from './refill.js';
import { CLEARLY_SINGLE } from './clumps.js';
import { unixReset } from '../../base/interface/rate-headers.js';
import { returnsIn, samplesOf } from './key-samples.js';
import { subject } from './series.js';
import { stalledMs } from './timing.js';
import { bySending, leftBy, wasRefused, wasServed } from './sample.js';
import { windowsSeen } from './windows-seen.js';
import { backAtReset } from './after-refusal.js';
import type { KeyReading } from './reading.js';

/** Share of the limit above which all of it was back: probes of the run take the rest. */
const WHOLE = 0.9;
/** Most values of a Reset that stands still: it is rounded up or down, and one window may follow another. */
const MOST_RESETS = 3;
/** Factor on a window after which a sliding counter may have given back all. */
const LONG_AFTER = 1.5;
/**
 * Slack of a window that begins with its first request, ms: Reset is rounded up, `Date` cut to the second and
 * stale.
 */
const ROUNDED_MS = { early: 1500, late: 3500 };

/** What the samples show of a limiter: each excludes some algorithms. */
function shownBy({ key, singles }: KeyReading) {
  const { figures, burst } = key;
  const inBurst = burst?.samples ?? [];
  const { pieces } = windowsSeen(inBurst, figures);
  const refusal = inBurst.find(wasRefused);
  const back = returnsIn(key.recoveries).find(wasServed);
  const left = leftBy(back, figures);
  const isWhole = left !== null && left >= WHOLE * figures.perMinute;
  const afterMs = (back?.sentAt ?? 0) - (refusal?.answeredAt ?? 0);
  const served = bySending(samplesOf(key).filter(wasServed));
  const isSecondWindow = pieces.length > 1;
  return {
    /** More requests within one window than its limit, as across an edge or with refills. */
    isOverFull: served.some(
      ({ sentAt }, at) =>
        (served[at + figures.perMinute]?.answeredAt ?? Infinity) < sentAt + minuteMs(figures),
    ),
    movesReset: pieces.some(({ samples }) => {
      const until = (samples[0]?.sentAt ?? 0) + minuteMs(figures) / 2;
      return (
        new Set(samples.filter(({ sentAt }) => sentAt < until).map(({ reset }) => reset)).size > MOST_RESETS
      );
    }),
    /** The window of a request that found all of the limit does not begin with it. */
    beginsBefore: [...inBurst, ...(key.concurrent?.samples ?? [])].some((sample) => {
      if (leftBy(sample, figures) !== figures.perMinute - 1 || sample.date === null) return false;
      const beyondMs = (unixReset(sample.reset) ?? NaN) - sample.date - minuteMs(figures);
      return beyondMs < -ROUNDED_MS.early || beyondMs > ROUNDED_MS.late;
    }),
    refillsNothing: pieces.some(({ samples }) => nothingRefills(samples, figures) !== null),
    refillsSingly: singles >= CLEARLY_SINGLE,
    isBackWhole: isWhole && !isSecondWindow,
    isBackInPart: left !== null && !isWhole,
    isBackWholeSoon: isWhole && !isSecondWindow && afterMs < LONG_AFTER * minuteMs(figures),
    isLittle: back === undefined || left === null,
  };
}

/** Judges `rate-algorithm`: which known algorithms what was seen leaves possible. */
export function algorithm(reading: KeyReading): Judged {
  const { key } = reading;
  if (!samplesOf(key).some(wasRefused))
    return unestablished('prerequisite', `${subject(key.key)} got no 429, so its algorithm is unknown.`);
  const seen = shownBy(reading);
  const isWindow = !seen.movesReset && !seen.refillsSingly && !seen.isBackInPart;
  const fitting = [
    ...(isWindow && !seen.beginsBefore ? ['a fixed window from its first request on'] : []),
    ...(isWindow ? ['a clock-aligned fixed window'] : []),
    ...(seen.isOverFull || seen.refillsSingly ? [] : ['a sliding window log']),
    ...(seen.movesReset || seen.refillsSingly || seen.isBackWholeSoon ? [] : ['a sliding window counter']),
    ...(seen.refillsNothing || seen.isBackWhole ? [] : ['a token bucket or GCRA']),
  ];
  if (stalledMs(key) !== null) return observed([], 'Could not be determined: this machine was busy', key.key);
  if (seen.isLittle) return observed([], 'Could not be determined: too little was seen', key.key);
  const what =
    fitting.length === 0
      ? 'Could not be determined: no known algorithm explains all responses'
      : `Fits ${fitting.join(', or ')}`;
  const back = backAtReset(key, reading.clock);
  return observed([], back === null ? what : `${what}; ${back}`, key.key);
}
