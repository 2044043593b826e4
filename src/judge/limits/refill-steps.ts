import { longestByServer, minuteMs, mostRefilled, refillIntervalMs, type Figures } from './bounds.js';
import { largestClump } from './clumps.js';
import { foundAll, longestBetween, type Reading, readingsOf, type Step, stepsOf } from './header-readings.js';
import { waitOf } from './headers/retry-after.js';
import { resetMoved } from './reset-edges.js';
import { wasRefused, type Sample, lastAnswerOf, runsOf } from './sample.js';

/** Smallest distance of two refill steps, in steps: the first timer may be late and the next on time. */
const TIMER_SPACING = 0.95;
/** Smallest distance, in steps, by a finer clock whose ticks do not divide a refill step. */
const CLOCK_SPACING = 0.5;
/** Lateness, in steps, by a clock as coarse as a refill step. */
const CLOCK_SHARE = 1;
/** Slack for a wait in whole seconds: servers round it up, some twice. */
const WAIT_ROUNDED_MS = 2000;

/**
 * Measures what came back in refill steps (to a bucket that counts whole seconds, or that gets a quarter of the plan every
 * quarter of a minute): clumps of one size, none sooner than the plan brings as many, and at most L in W. Remaining is the
 * only evidence. Null if there are no refill steps. Then at most `floor(elapsed * L / W)` can have come back.
 * @param known largest clump that the key is known to have got (`largestClump`)
 */
export function refillSeen(samples: readonly Sample[], figures: Figures, known = largestClump(samples, figures)) {
  const readings = readingsOf(samples, figures);
  const steps = stepsOf(readings, figures);
  const rises = steps.filter(({ gain, isCutOff }) => gain > 0 && !isCutOff);
  const least = rises.reduce((size, { gain, mayBeCapped }) => (mayBeCapped ? size : Math.min(size, gain)), Infinity);
  const beat = longestBeat(least, figures);
  const early = earlyByMs(readings, steps, figures);
  // If a share is no whole number, clumps differ by one request.
  const rounded = least > 1 && least < Infinity ? refillIntervalMs(figures) : 0;
  if (early > (1 + CLOCK_SHARE) * beat + rounded || !areSpaced(rises, figures, CLOCK_SPACING)) return null;
  const clump = rises.reduce((most, { gain }) => Math.max(most, gain), known.size);
  const top = fromTheTop(steps, clump, figures);
  const isBeatSeen = known.isSooner || (rises.length > 0 && early > 0);
  const zero = atZero(steps, figures);
  const isEven = foundAll(readings, figures) && early <= 0 && top.single === 0;
  const tail = afterTheLast(samples, readings, figures);
  // A refill step of several requests shows even at 0.
  const mayBeSingle =
    least <= 1 || rises.every(({ from, to, gain }) => gain <= 1 + mostRefilled(figures, longestBetween(from, to)));
  const unseen =
    top.single + (isBeatSeen ? 0 : top.together) + (rises.length > 0 && mayBeSingle && !isEven ? zero.times : 0);
  const comesBack = clump > 0 || (top.single > 0 && resetCreeps(readings, figures));
  const wait = samples.filter(wasRefused).reduce((most, refusal) => Math.max(most, waitOf(refusal) ?? 0), 0);
  const shown = rises.reduce((sum, { gain }) => sum + gain, 0);
  return {
    /** Most requests that may have come back: those that Remaining shows, and even refills where it is cut off. */
    most: shown + (isBeatSeen ? top.together : 0) + zero.evenly + tail.evenly,
    /** More requests that may have come back unseen: Remaining was cut off, or requests were concurrent. */
    unseen: comesBack ? unseen + (tail.isLong ? clump : 0) : 0,
    /**
     * True if a 429 demands a longer wait than a refill step takes: then there are none, or the wait is too long. Also
     * true if clumps are so close together that only a coarse clock explains it.
     */
    isDoubtful:
      wait > Math.min(beat, minuteMs(figures) / 2) + WAIT_ROUNDED_MS || !areSpaced(rises, figures, TIMER_SPACING),
  };
}

/**
 * Requests that may have come back while Remaining was one below the limit. A full bucket takes at most one between two
 * requests. Concurrent requests may hide as many as clumps of this size bring in that time.
 */
function fromTheTop(steps: readonly Step[], clump: number, figures: Figures) {
  const cuts = steps.filter(({ from, isCutOff }) => isCutOff && from.left >= figures.perMinute - 1);
  const most = ({ from, to, gain }: Step): number =>
    Math.min(gain, clump + mostRefilled(figures, longestBetween(from, to)));
  const several = cuts.filter(({ from, to }) => to.place - from.place > 1);
  const together = several.reduce((sum, step) => sum + most(step), 0);
  return { single: several.length < cuts.length ? 1 : 0, together };
}

/** Longest refill step that clumps of one size allow, ms. A bucket in whole requests may have held a part more. */
const longestBeat = (clump: number, figures: Figures): number =>
  Math.min(minuteMs(figures), (clump + 1) * refillIntervalMs(figures));

/** A tick that brings more than half a request, and less than one, brings a whole one at two ticks in a row. */
const LEAST_STROKE = 0.5;

/** Distance of clumps of this size, ms. A clump may be a part of a request smaller than it shows. */
const apartMs = (clump: number, figures: Figures): number =>
  (clump === 1 ? LEAST_STROKE : clump - 1) * refillIntervalMs(figures);

/** True if each clump came at least that share of a refill step after the one before. */
const areSpaced = (rises: readonly Step[], figures: Figures, share: number): boolean =>
  rises.every((rise, index) => {
    const before = rises[index - 1];
    if (before === undefined || before.mayBeCapped) return true;
    return longestBetween(before.from, rise.to) >= share * apartMs(Math.min(before.gain, rise.gain), figures);
  });

/** Time by which anything came back sooner than by even refills, over all pairs of readings, ms. */
function earlyByMs(readings: readonly Reading[], steps: readonly Step[], figures: Figures): number {
  const interval = refillIntervalMs(figures);
  const [first] = readings;
  if (first === undefined) return 0;
  // A client that did not find the whole allowance may have found an unknown part of a request.
  let [gained, least, most] = [0, foundAll(readings, figures) ? 0 : interval, 0];
  for (const { to, gain, isCutOff } of steps) {
    gained += isCutOff ? 0 : gain;
    const since = (at: number): number => at - first.sample.sentAt;
    most = Math.max(most, gained * interval - longestByServer(since(to.sample.answeredAt)) - least);
    least = Math.min(least, gained * interval - longestByServer(since(to.sample.sentAt), 0) + interval);
  }
  return most;
}

const isCutAtZero = ({ isCutOff, to }: Step): boolean => isCutOff && to.left === 0;

/** Even refills while Remaining is 0, and the number of such times: each may hide a refill step of one. */
function atZero(steps: readonly Step[], figures: Figures) {
  const runs = runsOf(steps, (one, next) => isCutAtZero(one) === isCutAtZero(next));
  const times = runs.flatMap((run) => {
    const [first, last] = [run[0], run.at(-1)];
    return first && last && isCutAtZero(first) ? [mostRefilled(figures, longestBetween(first.from, last.to))] : [];
  });
  return { evenly: times.reduce((sum, each) => sum + each, 0), times: times.length };
}

/** Concurrent requests allowed after the last reading. */
function afterTheLast(samples: readonly Sample[], readings: readonly Reading[], figures: Figures) {
  const last = readings.at(-1);
  const rest = last === undefined ? samples : samples.filter(({ sentAt }) => sentAt > last.sample.sentAt);
  const isLong = rest.length > 1;
  const sent = last?.sample.sentAt ?? rest[0]?.sentAt ?? 0;
  return { isLong, evenly: isLong ? mostRefilled(figures, lastAnswerOf(rest) - sent) : 0 };
}

/** True if Reset moves with each request, like the time until a bucket is full. */
function resetCreeps(readings: readonly Reading[], figures: Figures): boolean {
  const [first, last] = [readings[0], readings.at(-1)];
  if (first === undefined || last === undefined) return false;
  return resetMoved(first.sample, last.sample) > ((last.place - first.place) * refillIntervalMs(figures)) / 2;
}
