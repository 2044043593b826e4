import { minuteMs } from './bounds.js';
import { leftBy, mayCount, wasRefused, type Sample } from './sample.js';
import type { KeySeries } from './series.js';

/** Requests of this run that used a window before a burst. */
export interface UsedBefore {
  readonly used: number;
  /** Further ones that a limiter may have counted or not; 0 where Remaining shows how many counted. */
  readonly mayCount: number;
}

/**
 * Counts the requests that this run sent with the key in the window before a burst, of whatever phase. A
 * limiter may count requests without an operation or a response, or not. Remaining of the burst's first
 * response shows which it does. A refused request was not allowed, whether it counted or not.
 *
 * @param burst in order of sending
 */
export function usedBefore(
  burst: readonly Sample[],
  { earlier, figures }: Pick<KeySeries, 'earlier' | 'figures'>,
): UsedBefore {
  const [first] = burst;
  if (first === undefined) return { used: 0, mayCount: 0 };
  const since = first.sentAt - minuteMs(figures);
  const own = earlier.filter(
    (sample) => sample.sentAt >= since && sample.answeredAt <= first.sentAt && !wasRefused(sample),
  );
  const left = leftBy(first, figures);
  if (left !== null)
    return { used: Math.min(Math.max(0, figures.perMinute - 1 - left), own.length), mayCount: 0 };
  const sure = own.filter(mayCount).length;
  return { used: sure, mayCount: own.filter(({ status }) => status === 0).length };
}
