import { OWN_PROBES, longestByServer, mayHaveRefilled, minuteMs, mostRefilled, refillIntervalMs } from './bounds.js';
import { plainInteger, readReset } from './headers/header-number.js';
import { foundAll, longestBetween, type Reading, readingsOf, type Step, stepsOf } from './readings.js';
import { waitOf } from './headers/retry-after.js';
import type { Figures, KeySeries } from './series.js';
import { speaksOfMinute, wasRefused, wasServed, type Sample } from './sample.js';

/**
 * What came back to a client while it was served, where the allowance comes back at a beat: a bucket that counts whole
 * seconds, or that is given a quarter of the plan every quarter of a minute. Told by Remaining alone.
 */
export interface CameBack {
  /** The most that may have come back, requests: what Remaining showed, and what comes back evenly where it is cut off. */
  readonly most: number;
  /** So many more may have come back where Remaining is cut off, or while requests went side by side. */
  readonly unseen: number;
  /**
   * A refusal asks for a longer wait than any beat takes: nothing comes back at one, or it asks for too long. Or the clumps
   * lie so close together that only a coarse clock explains it.
   */
  readonly isDoubtful: boolean;
}

/** The timer that gives back at a beat may be late, and the next in time: then so much of a beat lies between them. */
const TIMER_SPACING = 0.95;
/** By a clock that is finer than the beat and no part of it two lie whole strokes apart: never less than half a beat. */
const CLOCK_SPACING = 0.5;
/** By a clock as coarse as the beat one is seen late and the next in time: of a beat, so much. */
const CLOCK_SHARE = 1;
/** A wait is rounded up to whole seconds, by some twice. */
const WAIT_ROUNDED_MS = 2000;

/**
 * What came back at a beat. Things come back at one where they do so in clumps of one size, each no sooner after the one
 * before than the plan takes to bring so many; in sum that is no more than L in W. Null where they do not: then
 * `floor(elapsed * L / W)` is all that can have come back.
 * @param known the largest clump that the key is known to have been given (`largestClump`)
 */
export function cameBack(
  samples: readonly Sample[],
  figures: Figures,
  known = largestClump(samples, figures),
): CameBack | null {
  const readings = readingsOf(samples, figures);
  const steps = stepsOf(readings, figures);
  const rises = steps.filter(({ gain, isCutOff }) => gain > 0 && !isCutOff);
  const least = rises.reduce((size, { gain, mayBeCapped }) => (mayBeCapped ? size : Math.min(size, gain)), Infinity);
  const beat = longestBeat(least, figures);
  const early = earlyByMs(readings, steps, figures);
  // Of shares that are no whole numbers one clump is told as one more than the next.
  const rounded = least > 1 && least < Infinity ? refillIntervalMs(figures) : 0;
  if (early > (1 + CLOCK_SHARE) * beat + rounded || !areSpaced(rises, figures, CLOCK_SPACING)) return null;
  const clump = rises.reduce((most, { gain }) => Math.max(most, gain), known.size);
  const top = fromTheTop(steps, clump, figures);
  const isBeatSeen = known.isSooner || (rises.length > 0 && early > 0);
  const zero = atZero(steps, figures);
  const isEven = foundAll(readings, figures) && early <= 0 && top.single === 0;
  const tail = afterTheLast(samples, readings);
  // A beat that brings several shows at 0.
  const mayBeSingle =
    least <= 1 || rises.every(({ from, to, gain }) => gain <= 1 + mostRefilled(figures, longestBetween(from, to)));
  const unseen =
    top.single + (isBeatSeen ? 0 : top.sideBySide) + (rises.length > 0 && mayBeSingle && !isEven ? zero.times : 0);
  const comesBack = clump > 0 || (top.single > 0 && resetCreeps(readings, figures));
  const wait = samples.filter(wasRefused).reduce((most, refusal) => Math.max(most, waitOf(refusal) ?? 0), 0);
  return {
    most:
      rises.reduce((sum, { gain }) => sum + gain, 0) +
      (isBeatSeen ? top.sideBySide : 0) +
      zero.evenly +
      tail.evenly(figures),
    unseen: comesBack ? unseen + (tail.isLong ? clump : 0) : 0,
    isDoubtful:
      wait > Math.min(beat, minuteMs(figures) / 2) + WAIT_ROUNDED_MS || !areSpaced(rises, figures, TIMER_SPACING),
  };
}

/**
 * What may have come back while Remaining said one less than the limit: into a full bucket no more than one between two
 * requests, and while several went side by side no more than clumps of this size bring in that time.
 */
function fromTheTop(steps: readonly Step[], clump: number, figures: Figures) {
  const cuts = steps.filter(({ from, isCutOff }) => isCutOff && from.left >= figures.perMinute - 1);
  const most = ({ from, to, gain }: Step): number =>
    Math.min(gain, clump + mostRefilled(figures, longestBetween(from, to)));
  const several = cuts.filter(({ from, to }) => to.served - from.served > 1);
  return {
    single: several.length < cuts.length ? 1 : 0,
    sideBySide: several.reduce((sum, step) => sum + most(step), 0),
  };
}

/** How much comes back at once to a client that asks one by one. */
export interface Clump {
  /** The most that came back between two answers, sooner than a window takes and less than it holds; 0 where nothing did. */
  readonly size: number;
  /** It came sooner than evenly: the allowance comes back at a beat. */
  readonly isSooner: boolean;
  /** The largest that came at once, in much less time than the plan takes to bring so many: no rate explains it. */
  readonly sudden: number;
}

/** So many times as much as evenly, and it is a beat and no rate, not even one of twice the plan's. */
const SUDDENLY = 3;

/** The largest clump that came back to a client that asked one by one: requests side by side may meet as large a one. */
export function largestClump(samples: readonly Sample[], figures: Figures): Clump {
  const readings = readingsOf(samples, figures);
  const full = readings.reduce((most, { left }) => Math.max(most, left), 0);
  const alone = stepsOf(readings, figures).filter(({ from, to, gain }) => gain > 0 && to.served - from.served === 1);
  const rises = alone
    .filter(({ to }) => to.left < full - OWN_PROBES)
    // At 0 only what a wait explains came back.
    .filter(({ from, to, gain, isCutOff }) => !isCutOff || gain <= mostRefilled(figures, longestBetween(from, to)))
    .filter(({ from, to }) => !isWindowLater(from, to, samples, figures));
  const size = rises.reduce((most, { gain }) => Math.max(most, gain), 0);
  const isSooner = rises.some(
    ({ from, to, gain }) => (gain - 1) * refillIntervalMs(figures) > longestByServer(longestBetween(from, to)),
  );
  // What fills the bucket may be a beat's as well, unless it is a window's.
  const sudden = alone
    .filter(({ gain, isCutOff }) => !isCutOff && 2 * gain <= figures.perMinute)
    .filter(({ from, to, gain }) => gain * refillIntervalMs(figures) >= SUDDENLY * longestBetween(from, to))
    .reduce((most, { gain }) => Math.max(most, gain), 0);
  return { size, isSooner, sudden };
}

/** What is told may be a request more than there is, and as much may have stood there in part. */
const TOLD_BESIDES = 2;

/**
 * For how long nothing comes back once something has, ms; 0 where that is not known. More came back after a refusal that said
 * 0 than comes back evenly by then: of a window, or in clumps. The plan takes so long to bring what was ahead of it: until
 * then nothing comes back, and what Remaining did not count while requests were served went by the limit.
 */
export const nothingBackMs = ({ recoveries, figures }: Pick<KeySeries, 'recoveries' | 'figures'>): number =>
  recoveries.reduce((longest, { refusal, retry, resetRetry }) => {
    const answer = [retry, resetRetry].find((sample) => sample !== null && wasServed(sample));
    if (!answer || ![refusal, answer].every((sample) => speaksOfMinute(sample, figures))) return longest;
    const back = (plainInteger(answer.remaining) ?? 0) + 1;
    const ahead = back - mayHaveRefilled(figures, answer.answeredAt - refusal.sentAt) - TOLD_BESIDES;
    return plainInteger(refusal.remaining) === 0 ? Math.max(longest, ahead * refillIntervalMs(figures)) : longest;
  }, 0);

/** How often Remaining shows that a single request came back, or was not counted. */
export const singlesIn = (samples: readonly Sample[], figures: Figures): number =>
  stepsOf(readingsOf(samples, figures), figures).filter(({ gain, isCutOff }) => gain === 1 && !isCutOff).length;

/** Whether a window had passed between the two since a request of the run: then what came back may be a window's, or have slid out of one. */
function isWindowLater(from: Reading, to: Reading, samples: readonly Sample[], figures: Figures): boolean {
  const window = minuteMs(figures);
  return samples.some(
    (old) =>
      wasServed(old) && old.answeredAt + window >= from.sample.sentAt && old.sentAt + window <= to.sample.answeredAt,
  );
}

/** The longest beat that clumps of one size allow, ms: a bucket that is told in whole requests may have held a part more. */
const longestBeat = (clump: number, figures: Figures): number =>
  Math.min(minuteMs(figures), (clump + 1) * refillIntervalMs(figures));

/** A clock's stroke that brings more than half a request, and less than one, brings a whole one at two in a row. */
const LEAST_STROKE = 0.5;

/** How far apart clumps of this size are, ms. One that is told as so many may be a part of a request less. */
const apartMs = (clump: number, figures: Figures): number =>
  (clump === 1 ? LEAST_STROKE : clump - 1) * refillIntervalMs(figures);

/** Whether each of the clumps came at least that share of a beat after the one before. */
const areSpaced = (rises: readonly Step[], figures: Figures, share: number): boolean =>
  rises.every((rise, index) => {
    const before = rises[index - 1];
    if (before === undefined || before.mayBeCapped) return true;
    return longestBetween(before.from, rise.to) >= share * apartMs(Math.min(before.gain, rise.gain), figures);
  });

/** By how much anything came back sooner than even refills would have brought it, over all pairs of readings, ms. */
function earlyByMs(readings: readonly Reading[], steps: readonly Step[], figures: Figures): number {
  const interval = refillIntervalMs(figures);
  const [first] = readings;
  if (first === undefined) return 0;
  // Who did not find all of the allowance found a part of a request besides, nobody knows how much.
  let [gained, least, most] = [0, foundAll(readings, figures) ? 0 : interval, 0];
  for (const { to, gain, isCutOff } of steps) {
    gained += isCutOff ? 0 : gain;
    const since = (at: number): number => at - first.sample.sentAt;
    most = Math.max(most, gained * interval - longestByServer(since(to.sample.answeredAt)) - least);
    least = Math.min(least, gained * interval - longestByServer(since(to.sample.sentAt), 0) + interval);
  }
  return most;
}

const isCutAtZero = (step: Step | undefined): boolean => step?.isCutOff === true && step.to.left === 0;

/** What comes back evenly while Remaining says 0, and how often it did so: a beat of one may hide there each time. */
function atZero(steps: readonly Step[], figures: Figures): { readonly evenly: number; readonly times: number } {
  let [evenly, times, from]: [number, number, Reading | null] = [0, 0, null];
  for (const [index, step] of steps.entries()) {
    if (!isCutAtZero(step)) continue;
    from ??= step.from;
    if (isCutAtZero(steps[index + 1])) continue;
    evenly += mostRefilled(figures, longestBetween(from, step.to));
    times += 1;
    from = null;
  }
  return { evenly, times };
}

/** What was served after the last reading, side by side. */
function afterTheLast(samples: readonly Sample[], readings: readonly Reading[]) {
  const last = readings.at(-1);
  const rest = last === undefined ? samples : samples.filter(({ sentAt }) => sentAt > last.sample.sentAt);
  const answered = rest.reduce((latest, { answeredAt }) => Math.max(latest, answeredAt), -Infinity);
  const sent = last?.sample.sentAt ?? rest[0]?.sentAt ?? answered;
  return {
    isLong: rest.length > 1,
    evenly: (figures: Figures): number => (rest.length > 1 ? mostRefilled(figures, answered - sent) : 0),
  };
}

/** Reset moves on with each request, as the time does until a bucket is full. */
function resetCreeps(readings: readonly Reading[], figures: Figures): boolean {
  const [first, last] = [readings[0], readings.at(-1)];
  if (first === undefined || last === undefined) return false;
  const [before, after] = [readReset(first.sample.reset), readReset(last.sample.reset)];
  if (before?.unit !== 'unix-seconds' || after?.unit !== 'unix-seconds') return false;
  return after.unixMs - before.unixMs > ((last.served - first.served) * refillIntervalMs(figures)) / 2;
}
