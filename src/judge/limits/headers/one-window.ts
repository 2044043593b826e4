import { violated, type Judged } from '../../findings/finding.js';
import { counted, duration } from '../../../base/kernel/format.js';
import { minuteMs, OWN_PROBES, ROUNDED_UP_MS, type Figures } from '../bounds.js';
import { samplesOf, withSamples } from '../key-samples.js';
import { describedWindow, isPlanAnswer, wasServed, type Sample } from '../sample.js';
import { subject, type KeySeries } from '../series.js';
import { plainInteger, unixReset } from '../../../base/interface/rate-headers.js';

/* The three rate headers of a response describe one window. */

/** Responses whose Limit is the day's while Remaining is the minute's. */
export interface TwoWindows {
  readonly count: number;
  readonly of: number;
  /** The response that shows it: its Remaining came back as only the minute's does. */
  readonly shown: Sample;
}

/**
 * Finds responses that name the day's Limit but the minute's Remaining: never more than the minute's
 * allowance is left, and within the run half of it or more comes back, up to the whole. Of a day, only an
 * even refill comes back in that time, or all of it. Null without.
 */
export function twoWindowsIn(key: KeySeries): TwoWindows | null {
  const { figures } = key;
  const { perMinute } = figures;
  const served = samplesOf(key).filter(wasServed);
  const ofDay = served.filter((sample) => describedWindow(sample, figures) === 'day');
  const lefts = ofDay.flatMap((sample) => plainInteger(sample.remaining) ?? []);
  const most = Math.max(-Infinity, ...lefts);
  if (most > perMinute || most < perMinute - 1 - OWN_PROBES) return null;
  let least = Infinity;
  for (const sample of ofDay) {
    const left = plainInteger(sample.remaining);
    if (left === null) continue;
    if (left - least >= perMinute / 2) return { count: ofDay.length, of: served.length, shown: sample };
    least = Math.min(least, left);
  }
  return null;
}

/** Returns when a response's window ends, as a person reads it: "in 5 s". */
function resetText({ reset, date, sentAt }: Sample): string {
  const at = unixReset(reset);
  return at === null ? `${reset}` : `in ${duration(Math.max(0, at - (date ?? sentAt)))}`;
}

/** True if Reset lies within the minute's window, rounding allowed for. */
const isResetOfMinute = ({ reset, date, sentAt }: Sample, figures: Figures): boolean =>
  (unixReset(reset) ?? Infinity) - (date ?? sentAt) <= minuteMs(figures) + 2 * ROUNDED_UP_MS;

/** Judges `rate-headers-wellformed`: Limit, Remaining and Reset of a response describe one window. */
export function oneWindow(key: KeySeries): Judged {
  const two = twoWindowsIn(key);
  if (two === null) return null;
  const { count, of, shown } = two;
  const others = isResetOfMinute(shown, key.figures)
    ? 'Limit speaks of the day, but Remaining and Reset of the minute'
    : 'Limit and Reset speak of the day, but Remaining of the minute';
  const headers = `X-RateLimit-Limit: ${shown.limit}, -Remaining: ${shown.remaining}, -Reset ${resetText(shown)}`;
  return violated([], `${subject(key.key)}'s rate headers describe two windows: ${others}.`, {
    expected: 'X-RateLimit-Limit, -Remaining and -Reset of a response to describe one window',
    actual: `${headers} (on ${counted(count, 'response')} of ${of})`,
    measured: { what: ['limit', 'two-windows'] },
  });
}

/**
 * Returns the single figure that Limit has on all of a plan's responses if it is none of the plan's; else
 * null.
 */
function foreignLimit(samples: readonly Sample[], figures: Figures): number | null {
  const limits = new Set(samples.filter(isPlanAnswer).map(({ limit }) => plainInteger(limit)));
  const [only] = limits;
  const [one] = samples.filter(isPlanAnswer);
  return limits.size === 1 && only !== undefined && one && describedWindow(one, figures) === 'unknown'
    ? only
    : null;
}

/**
 * Returns a series as the rows that count requests read it: where Limit alone is wrong, on all responses,
 * Remaining and Reset still are the minute's. The wrong Limit is a finding of its own row.
 */
export function readAsMinute(key: KeySeries): KeySeries {
  const { figures } = key;
  const isWrong =
    twoWindowsIn(key) === null
      ? foreignLimit(samplesOf(key), figures) !== null
        ? (sample: Sample): boolean => plainInteger(sample.limit) !== null
        : null
      : (sample: Sample): boolean => describedWindow(sample, figures) === 'day';
  if (isWrong === null) return key;
  // More left than the plan has cannot be counted against it.
  const remainingOf = ({ remaining }: Sample) =>
    (plainInteger(remaining) ?? 0) > figures.perMinute ? null : remaining;
  return withSamples(key, (sample) =>
    isWrong(sample) ? { ...sample, limit: figures.perMinute, remaining: remainingOf(sample) } : sample,
  );
}
