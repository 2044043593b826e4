import { minuteMs } from '../bounds.js';
import { plainInteger, readReset } from '../headers/header-number.js';
import type { Figures } from '../series.js';
import { windowsSeen } from '../windows-seen.js';
import type { Trace } from './model.js';
import { speaksOfMinute, wasServed, type Sample } from '../sample.js';

/** Reset is rounded up, `Date` rounded down and now and then stale. */
const ROUNDED_S = { early: 1.5, late: 3.5 };

/** Seconds from the server's own `Date` to the Reset of a sample; null where either is missing. */
function secondsToReset({ reset, date }: Sample): number | null {
  const reading = readReset(reset);
  return reading?.unit !== 'unix-seconds' || date === null ? null : (reading.unixMs - date) / 1000;
}

/** Served requests after which Remaining says one less than the limit: the first of their windows, where there are windows. */
const firstsOf = ({ samples, figures }: Trace): readonly Sample[] =>
  samples.filter(
    (sample) =>
      wasServed(sample) && speaksOfMinute(sample, figures) && plainInteger(sample.remaining) === figures.perMinute - 1,
  );

/** Whether a Reset lies a whole window after its answer; null where that cannot be read. */
function isWholeWindowOff(sample: Sample, { minuteSeconds }: Figures): boolean | null {
  const seconds = secondsToReset(sample);
  if (seconds === null) return null;
  return seconds >= minuteSeconds - ROUNDED_S.early && seconds <= minuteSeconds + ROUNDED_S.late;
}

/** Whether an answer that begins a window puts Reset less than a whole window off: then the clock began it. */
export const beginsLate = (trace: Trace): boolean =>
  firstsOf(trace).some((sample) => isWholeWindowOff(sample, trace.figures) === false);

/** Within one window a Reset that stands still has two values at most: it is rounded now this way, now that. */
const MOST_RESETS = 3;

/** Whether, within one window, Reset moves on with the requests, as that of a bucket or a log does. */
export const movesReset = ({ samples, figures }: Trace): boolean =>
  windowsSeen(samples, figures).pieces.some(({ samples: piece }) => {
    const [first] = piece;
    const near = piece.filter(
      (sample) => speaksOfMinute(sample, figures) && sample.sentAt < (first?.sentAt ?? 0) + minuteMs(figures) / 2,
    );
    return new Set(near.map(({ reset }) => reset)).size > MOST_RESETS;
  });
