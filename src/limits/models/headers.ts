import { minuteMs } from '../bounds.js';
import { plainInteger, readReset } from '../headers/header-number.js';
import type { Figures } from '../series.js';
import { windowsSeen } from '../windows-seen.js';
import type { Trace } from './model.js';
import { describesMinute, wasServed, type Sample } from '../sample.js';

/** Reset is rounded up; `Date` is rounded down and sometimes stale. */
const ROUNDED_S = { early: 1.5, late: 3.5 };

/** Seconds from a response's `Date` to its Reset; null if either is missing. */
function secondsToReset({ reset, date }: Sample): number | null {
  const reading = readReset(reset);
  return reading?.unit !== 'unix-seconds' || date === null ? null : (reading.unixMs - date) / 1000;
}

/** Allowed requests whose Remaining is one less than the limit. If there are windows, each is the first of one. */
const firstsOf = ({ samples, figures }: Trace): readonly Sample[] =>
  samples.filter(
    (sample) =>
      wasServed(sample) && describesMinute(sample, figures) && plainInteger(sample.remaining) === figures.perMinute - 1,
  );

/** True if Reset lies a whole window after the response; null if that is unreadable. */
function isWholeWindowOff(sample: Sample, { minuteSeconds }: Figures): boolean | null {
  const seconds = secondsToReset(sample);
  if (seconds === null) return null;
  return seconds >= minuteSeconds - ROUNDED_S.early && seconds <= minuteSeconds + ROUNDED_S.late;
}

/** Is true if the first response of a window puts Reset less than W ahead: then the clock began the window. */
export const beginsLate = (trace: Trace): boolean =>
  firstsOf(trace).some((sample) => isWholeWindowOff(sample, trace.figures) === false);

/** Most values of a fixed Reset within one window, with rounding up and down. */
const MOST_RESETS = 3;

/** Is true if Reset moves with the requests within one window, as in a bucket or a log. */
export const movesReset = ({ samples, figures }: Trace): boolean =>
  windowsSeen(samples, figures).pieces.some(({ samples: piece }) => {
    const [first] = piece;
    const near = piece.filter(
      (sample) => describesMinute(sample, figures) && sample.sentAt < (first?.sentAt ?? 0) + minuteMs(figures) / 2,
    );
    return new Set(near.map(({ reset }) => reset)).size > MOST_RESETS;
  });
