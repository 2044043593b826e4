import { violated, type Judged } from '../../findings/finding.js';
import { counted, duration } from '../../../base/kernel/format.js';
import { BOTH_ROUNDED_MS, minuteMs, type Figures } from '../bounds.js';
import { describedWindow, wasServed, type Sample } from '../sample.js';
import { subject, type KeySeries, samplesOf } from '../series.js';
import { plainInteger, unixReset, RATE_HEADERS } from '../../../base/interface/rate-headers.js';

/* The three rate headers of a response describe one window. */

/** Requests of the run (a retry and probes) that may have used part of a window. */
const OWN_PROBES = 3;

/** Responses whose Limit is the day's while Remaining is the minute's. */
interface TwoWindows {
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
function twoWindowsIn(key: KeySeries): TwoWindows | null {
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
  (unixReset(reset) ?? Infinity) - (date ?? sentAt) <= minuteMs(figures) + BOTH_ROUNDED_MS;

/** Judges `rate-headers-wellformed`: Limit, Remaining and Reset of a response describe one window. */
export function oneWindow(key: KeySeries): Judged {
  const two = twoWindowsIn(key);
  if (two === null) return null;
  const { count, of, shown } = two;
  const others = isResetOfMinute(shown, key.figures)
    ? 'Limit speaks of the day, but Remaining and Reset of the minute'
    : 'Limit and Reset speak of the day, but Remaining of the minute';
  const headers = `${RATE_HEADERS.limit}: ${shown.limit}, -Remaining: ${shown.remaining}, -Reset ${resetText(shown)}`;
  return violated([], `${subject(key.key)}'s rate headers describe two windows: ${others}.`, {
    expected: `${RATE_HEADERS.limit}, -Remaining and -Reset of a response to describe one window`,
    actual: `${headers} (on ${counted(count, 'response')} of ${of})`,
    measured: { what: ['limit', 'two-windows'] },
  });
}

/**
 * Returns a series as the rows that count requests read it: where only Limit describes the day, Remaining and
 * Reset still are the minute's. The wrong Limit is another row's finding.
 */
export function readAsMinute(key: KeySeries): KeySeries {
  const { figures, earlier, asked } = key;
  if (twoWindowsIn(key) === null) return key;
  const read = <One extends Sample>(sample: One): One =>
    describedWindow(sample, figures) === 'day' ? { ...sample, limit: figures.perMinute } : sample;
  return { ...key, earlier: earlier.map(read), asked: asked?.map(read) ?? null };
}
