import { clockBounds, clockWithin, NO_CLOCK, overlap, type ServerClock } from '../clock.js';
import type { Figures } from '../bounds.js';
import type { Sample } from '../sample.js';
import { daySamplesOf, type KeySeries } from '../series.js';
import { CLOCK_GRACE_MS, mostAheadMs } from './reset-fault.js';
import { unixReset } from '../../../base/interface/rate-headers.js';

/** Our own clock as the server's. One that is wrong by less than the grace of a Reset looks like a right one. */
const OUR_TIME: ServerClock = { lowMs: -CLOCK_GRACE_MS, highMs: CLOCK_GRACE_MS };

/**
 * Returns whether a Reset lies between our now and the end of its window, within the grace; null without a
 * Reset.
 */
function fitsOurTime(sample: Sample, figures: Figures): boolean | null {
  const reset = unixReset(sample.reset);
  if (reset === null) return null;
  const latest = sample.answeredAt + mostAheadMs(sample, figures, true) + CLOCK_GRACE_MS;
  return reset >= sample.sentAt - CLOCK_GRACE_MS && reset <= latest;
}

/**
 * Returns the server's clock by its responses; without any `Date` our own, if every Reset fits it. Null if
 * nothing shows it.
 *
 * @param before bounds of the clock as known before them
 */
export function clockBy(
  series: readonly { readonly samples: readonly Sample[]; readonly figures: Figures }[],
  before = NO_CLOCK,
): ServerClock | null {
  const known = clockWithin(overlap([before, ...series.map(({ samples }) => clockBounds(samples))]));
  if (known !== null) return known;
  const fits = series.flatMap(({ samples, figures }) =>
    samples.flatMap((sample) => fitsOurTime(sample, figures) ?? []),
  );
  return fits.length > 0 && fits.every(Boolean) ? OUR_TIME : null;
}

export const clockOf = (keys: readonly KeySeries[]): ServerClock | null =>
  clockBy(keys.map((key) => ({ samples: daySamplesOf(key), figures: key.figures })));
