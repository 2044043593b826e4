import { speaksOfDay, wasRefused } from '../../limits/answers.js';
import { minuteMs } from '../../limits/bounds.js';
import { waitOf } from '../../limits/headers/retry-after.js';
import type { KeySeries } from '../../limits/series.js';

/** A wait is rounded up to whole seconds, and beside a long window some add one or two more. */
const WAIT_ROUNDED_MS = 500;
const WAIT_ROUNDED_SHARE = 0.03;

/**
 * Whether a refusal asks for a longer wait than a window of the plan: the allowance may be for a longer window, which no
 * burst shows that waits as it is told.
 */
export const waitsTooLong = ({ burst, figures }: KeySeries): boolean => {
  const window = minuteMs(figures);
  const most = window + Math.max(WAIT_ROUNDED_MS, WAIT_ROUNDED_SHARE * window);
  return (burst?.samples ?? [])
    .filter((sample) => wasRefused(sample) && !speaksOfDay(sample, figures))
    .some((refusal) => (waitOf(refusal) ?? 0) > most);
};
