import { bySending, speaksOfDay, wasRefused, wasServed } from '../../limits/answers.js';
import { minuteMs } from '../../limits/bounds.js';
import { largestClump } from '../../limits/came-back.js';
import { nothingRefills } from '../../limits/refill.js';
import type { FreshSeries, KeySeries } from '../../limits/series.js';
import { windowsSeen } from '../../limits/windows-seen.js';
import { NEARLY_ALL } from './gains.js';
import { SILENT_WINDOWS } from './steady-run.js';

/**
 * What a burst after two windows without a request says; null where it leaves the verdict to a steady run. Nothing sent before
 * still counts then, so a window, a log or a counter has all of its limit to give, and only a bucket may hold less. Where
 * nothing refills it is no bucket: the bound of `rate-429` is exactly the limit then, from below as from above.
 */
export function shownByFreshBurst(
  { figures, burst, recoveries, window }: KeySeries,
  { silentMs, samples }: FreshSeries,
): { readonly kind: 'all' | 'too-little'; readonly served: number } | null {
  const served = samples.filter(wasServed).length;
  const refusal = samples.find(wasRefused);
  const { pieces, visible } = windowsSeen(samples, figures);
  // A window that rolled over, an answer that was lost, the day's limit: each makes the count mean something else.
  const oneWindow = pieces.length === 1 && visible && silentMs >= SILENT_WINDOWS * minuteMs(figures);
  const whole = samples.every((sample) => wasServed(sample) || wasRefused(sample));
  if (!oneWindow || !whole || refusal === undefined || speaksOfDay(refusal, figures)) return null;
  if (served >= figures.perMinute) return { kind: 'all', served };
  // So much less a steady run notices, and a bucket that holds less passes it: what one burst of the window got from it,
  // with what others had got before, was nearly all.
  if (served < Math.floor(NEARLY_ALL * figures.perMinute)) return null;
  // Between two beats of a bucket nothing refills either: the retry tells, and so do the bursts after it.
  const retries = recoveries.flatMap(({ retry }) => retry ?? []);
  const before = new Set([...(burst?.samples ?? []), ...retries, ...(window?.bursts.flat() ?? [])]);
  const { size } = largestClump(bySending([...before]), figures);
  if (size > 0 || nothingRefills(samples, figures) === null) return null;
  return { kind: 'too-little', served };
}
