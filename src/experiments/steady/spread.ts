import { unestablished, kept, violated, type Judgement } from '../../findings/finding.js';
import { longestByServer, minuteMs, OWN_PROBES, refillIntervalMs, type Figures } from '../../limits/bounds.js';
import { counted, duration } from '../../format/format.js';
import { samplesOf, type KeySeries, subject } from '../../limits/series.js';
import { gains, gotWholeLimit, type Gain } from './burst-counts.js';
import { describesDay, runsOf, wasRefused, wasServed } from '../../limits/sample.js';

/** Share of a window: requests so close together are certainly within one. */
const SURELY_WITHIN = 0.9;

/** Returns true if two moments (Unix ms) are less than a window apart, whatever timers and clocks add. */
export const isSurelyWithin = (earlier: number, later: number, figures: Figures): boolean =>
  later - earlier < SURELY_WITHIN * minuteMs(figures);

/** Lengths of runs of allowed requests, each less than a window after the one before. */
const servedRuns = (key: KeySeries): readonly number[] =>
  runsOf(samplesOf(key).filter(wasServed), (one, next) => isSurelyWithin(one.sentAt, next.sentAt, key.figures)).map(
    ({ length }) => length,
  );

/**
 * Is true if requests do not extend the window: one run had more allowed requests than the limit. A counter that each
 * request extends would have refused some.
 */
const isNotRenewed = (key: KeySeries): boolean => Math.max(...servedRuns(key)) > key.figures.perMinute;

/** Is true if the rest of the window's limit, sent now, would show that. */
export const willShow = (key: KeySeries, left: number): boolean =>
  (servedRuns(key).at(-1) ?? 0) + left > key.figures.perMinute;

/** Is true if bursts got the whole limit, but each request may extend its window: then the spread decides. */
export const needsSpread = (key: KeySeries): boolean => {
  const found = gains(key);
  // Requests of this run before the window count too: a counter that requests extend still holds them.
  const isWhole = (one: Gain): boolean =>
    one.refused && gotWholeLimit({ ...one, served: one.served + OWN_PROBES }, key.figures);
  return key.spreads && key.exclusive && found.length > 0 && found.every(isWhole) && !isNotRenewed(key);
};

/** Is true if that stays open on a key that does not spread: others wait for its burst. */
export const mayBeRenewed = (key: KeySeries): boolean => !key.spreads && needsSpread({ ...key, spreads: true });

/** Judges a client that spreads its requests over most of a window and sends one more a window after its first. */
export function bySpread({ key, figures, spread }: KeySeries): Judgement {
  const name = subject(key);
  const open = (why: string): Judgement => unestablished('too-little-data', `${name}: ${why}.`);
  const samples = spread?.samples ?? [];
  const last = spread?.last ?? null;
  const [first, latest] = [samples[0], samples.at(-1)];
  if (first === undefined || latest === undefined || last === null)
    return open('no spread requests showed whether each request extends the window');
  // A request lost on a kept connection was sent again, and may have counted twice.
  if (samples.some((sample) => sample.status !== 0 && !wasServed(sample)))
    return open('a spread request was refused before the allowance was used up');
  if (wasServed(last)) {
    const within = isSurelyWithin(latest.sentAt, last.sentAt, figures);
    return within
      ? kept([], `Allowed again ${duration(last.sentAt - first.sentAt)} after the first of the spread requests.`)
      : open('the request after the spread came too late');
  }
  const due = first.answeredAt + longestByServer(minuteMs(figures)) + refillIntervalMs(figures);
  const isWhole = samples.length <= figures.perMinute;
  if (!wasRefused(last) || describesDay(last, figures) || last.sentAt < due || !isWhole)
    return open('the response after the spread requests does not show it');
  return violated([], `${name} gets 429 before its allowance is used up, because each request extends the window.`, {
    expected: `allowed ${duration(last.sentAt - first.sentAt)} after the first of ${counted(samples.length, 'request')} spread over ${duration(latest.sentAt - first.sentAt)}`,
    actual: `429, with Retry-After: ${last.retryAfter ?? 'none'}`,
    measured: { what: ['extended'] },
  });
}
