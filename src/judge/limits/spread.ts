import { unestablished, kept, violated, type Judgement } from '../findings/finding.js';
import { counted, duration } from '../../base/kernel/format.js';
import {
  isLongBySeconds,
  longestByServer,
  minuteMs,
  OWN_PROBES,
  refillIntervalMs,
  type Figures,
} from './bounds.js';
import { resetTime, type ServerClock } from './clock.js';
import { plainInteger, unixReset } from '../../base/interface/rate-headers.js';
import { mayBeOfDay, runsOf, type Sample, wasRefused, wasServed } from './sample.js';
import { samplesOf } from './key-samples.js';
import { type KeySeries, subject } from './series.js';
import { leeway } from './timing.js';
import { gains, gotWholeLimit, type Gain } from './burst-counts.js';

/**
 * Share of a window: a counter that each request extends lasts this much too long. A window of three quarters
 * restarts earlier, whatever its headers say.
 */
const SPREAD_SHARE = 0.8;
/** Requests left for the last part of a spread burst, before the 429. */
export const LEFT_FOR_THE_LAST = 1;

/** Returns when to send the last of the limit, so that it is spread over most of a window, Unix ms. */
export const lastOfSpreadAt = (first: Sample, figures: Figures): number =>
  first.sentAt + SPREAD_SHARE * minuteMs(figures);

/** Returns when every algorithm allows a request after a spread: a window after its first, plus one refill. */
export const servedAfterSpreadAt = (first: Sample, figures: Figures): number =>
  first.answeredAt + minuteMs(figures) + refillIntervalMs(figures) + leeway(figures);

/** Slack for rounding, and for a Reset that is always a window ahead of now, ms. */
const CREEPS_MS = 2000;

const hasReset = ({ reset }: Sample): boolean => unixReset(reset) !== null;

/** Is true if Reset moved with the requests, like the time until a bucket is full, and not only with time. */
export function refills(burst: readonly Sample[], figures: Figures): boolean {
  const served = burst.filter(wasServed);
  const [first, last] = [served[0], served.at(-1)];
  const [from, to] = [served.find(hasReset), served.findLast(hasReset)];
  if (first === undefined || last === undefined || from === to) return false;
  const moved = (unixReset(to?.reset ?? null) ?? 0) - (unixReset(from?.reset ?? null) ?? 0);
  const due = (served.length * refillIntervalMs(figures)) / 2;
  return moved > due && moved > last.answeredAt - first.sentAt + CREEPS_MS;
}

/**
 * Returns when to send the last of a burst: after more than half a window, so that requests that extend their
 * window show. Null if they would not show: the limiter refills, the window ends before, or it lasts a few
 * seconds, so that whole seconds do not show its end (`SpreadSeries` does).
 *
 * @param burst requests so far, from the first of its window
 */
export function lastOfBurstAt(
  burst: readonly Sample[],
  figures: Figures,
  clock: ServerClock | null,
): number | null {
  const [first, last] = [burst[0], burst.at(-1)];
  if (first === undefined || last === undefined || !isLongBySeconds(figures) || refills(burst, figures))
    return null;
  const at = lastOfSpreadAt(first, figures);
  const reset = resetTime(last, clock);
  const rolls = reset !== null && reset.earliest < at + CREEPS_MS;
  return rolls || last.answeredAt >= at ? null : at;
}

/** Is true if only the last of the limit is left, by the last response and by the number sent. */
export function isAllButTheLast(burst: readonly Sample[], figures: Figures): boolean {
  const left = plainInteger(burst.at(-1)?.remaining ?? null);
  return (
    (left !== null && left <= LEFT_FOR_THE_LAST) || burst.length >= figures.perMinute - LEFT_FOR_THE_LAST
  );
}

/** Share of a window: requests so close together are certainly within one. */
const SURELY_WITHIN = 0.9;

/** Returns true if two moments (Unix ms) are less than a window apart, whatever timers and clocks add. */
const isSurelyWithin = (earlier: number, later: number, figures: Figures): boolean =>
  later - earlier < SURELY_WITHIN * minuteMs(figures);

/** Lengths of runs of allowed requests, each less than a window after the one before. */
const servedRuns = (key: KeySeries): readonly number[] =>
  runsOf(samplesOf(key).filter(wasServed), (one, next) =>
    isSurelyWithin(one.sentAt, next.sentAt, key.figures),
  ).map(({ length }) => length);

/**
 * Is true if requests do not extend the window: one run had more allowed requests than the limit. A counter
 * that each request extends would have refused some. So a server that bans early, and whose key cannot be
 * spread, does not stay open.
 */
const isNotRenewed = (key: KeySeries): boolean => Math.max(...servedRuns(key)) > key.figures.perMinute;

/** Is true if bursts got the whole limit, but each request may extend its window: then the spread decides. */
export const needsSpread = (key: KeySeries): boolean => {
  const found = gains(key);
  // Requests of this run before the window count too: a counter that requests extend still holds them.
  const isWhole = (one: Gain): boolean =>
    one.refused && gotWholeLimit({ ...one, served: one.served + OWN_PROBES }, key.figures);
  return key.spreads && key.exclusive && found.length > 0 && found.every(isWhole) && !isNotRenewed(key);
};

/** Is true if the question stays open because this key skips the spread test: others wait for its burst. */
export const mayBeRenewed = (key: KeySeries): boolean =>
  !key.spreads && needsSpread({ ...key, spreads: true });

/**
 * Judges a client that spreads its requests over most of a window and sends one more a window after its
 * first.
 */
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
      ? kept(
          [],
          `Allowed again ${duration(last.sentAt - first.sentAt)} after the first of the spread requests.`,
        )
      : open('the request after the spread came too late');
  }
  const due = first.answeredAt + longestByServer(minuteMs(figures)) + refillIntervalMs(figures);
  const isWhole = samples.length <= figures.perMinute;
  if (!wasRefused(last) || mayBeOfDay(last, figures) || last.sentAt < due || !isWhole)
    return open('the response after the spread requests does not show it');
  const requests = `${counted(samples.length, 'request')} spread over ${duration(latest.sentAt - first.sentAt)}`;
  return violated(
    [],
    `${name} gets 429 before its allowance is used up, because each request extends the window.`,
    {
      expected: `allowed ${duration(last.sentAt - first.sentAt)} after the first of ${requests}`,
      actual: `429, with Retry-After: ${last.retryAfter ?? 'none'}`,
      measured: { what: ['extended'] },
    },
  );
}
