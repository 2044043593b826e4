import { type ReasonCode, unestablished, violated, kept, type Judgement } from '../findings/finding.js';
import { minuteMs, refillIntervalMs, type Figures } from './bounds.js';
import { count, duration, ordinal } from '../../base/kernel/format.js';
import { samplesOf } from './key-samples.js';
import { subject, type KeySeries, type FreshSeries } from './series.js';
import { gains, SILENT_WINDOWS } from './burst-counts.js';
import { clumpOf, mostAtOnce } from './clumps.js';
import { isEvenBucket } from './slow-return.js';
import { mayBeOfDay, wasRefused, wasServed, type Sample, quickestOf } from './sample.js';

/** Slack for timers and clocks of whole milliseconds, at both ends. */
const TIMER_MS = 2;

/** Delay beyond the quickest response: the request may have arrived so late, ms. */
const lateness = (sample: Sample, quickest: number): number => sample.answeredAt - sample.sentAt - quickest;

/** Only so many neighbours can overtake or crowd a request. */
const NEIGHBOURS = 40;
/** Share of the plan that every correct limiter allows, except a strict pacer (part 8, measured). */
const STEADY_SHARE = 0.95;
/** Share that such a schedule leaves: a run that is late by no more keeps within the limit of each window. */
const SPARE = 1 / STEADY_SHARE - 1;
/**
 * Requests that the schedule must leave in each window. A sliding counter weighs the last window in parts, so
 * it may refuse one of very few requests that come evenly, and a part of one more because of jitter.
 */
const LEAST_SPARE = 1.5;
/** Requests of slack: a bucket is rounded, and the first of a crowd counts as well. */
const HELD_ROUNDED = 3;

/** Returns the time between two scheduled requests of a steady run, ms. */
export const steadyGapMs = (figures: Figures): number => refillIntervalMs(figures) / STEADY_SHARE;

/** Most deviation of a steady run from its schedule, ms: late requests crowd with later ones. */
const strayed = (samples: readonly Sample[], quickest: number): number =>
  samples.reduce((most, { intendedAt, answeredAt }) => Math.max(most, answeredAt - intendedAt - quickest), 0);

/**
 * True if a steady run kept its schedule so well that a correct limiter had at most its limit in any window,
 * or one step of the refill in the time of a step: a bucket may hold no more.
 *
 * @param step requests that come back together; 1 or less for an even refill
 */
const keptItsSchedule = (samples: readonly Sample[], figures: Figures, step: number): boolean =>
  strayed(samples, quickestOf(samples)) <
  SPARE * (step > 1 ? step * refillIntervalMs(figures) : minuteMs(figures));

/**
 * Returns the 429s of a steady run. `strictPacer` is true if a strict pacer may give it: it may refuse a
 * request sooner than W / L after an allowed one, because that was late or overtook it. A limiter that holds
 * more may do so only if as many came together.
 *
 * @param held least that the limiter holds, by a burst
 * @param step requests that come back together
 * @param quickestEver quickest response of the key elsewhere, ms: of few responses, all may be late
 */
export function steadyRefusals(
  { samples }: Pick<FreshSeries, 'samples'>,
  figures: Figures,
  { held = 0, step = 0, quickestEver = Infinity }: { held?: number; step?: number; quickestEver?: number },
) {
  const interval = refillIntervalMs(figures) + TIMER_MS;
  const quickest = Math.min(quickestEver, quickestOf(samples));
  const crowd = strayed(samples, quickest) / refillIntervalMs(figures);
  const holdsThem = keptItsSchedule(samples, figures, step) && crowd < held - HELD_ROUNDED;
  return samples.flatMap((sample, index) => {
    if (!wasRefused(sample)) return [];
    const before = samples.slice(Math.max(0, index - NEIGHBOURS), index).filter(wasServed);
    const after = samples.slice(index + 1, index + NEIGHBOURS).filter(wasServed);
    const tooSoon =
      before.some((served) => sample.sentAt - served.sentAt - lateness(served, quickest) < interval) ||
      after.some((served) => served.sentAt - sample.sentAt < lateness(sample, quickest) + TIMER_MS);
    return [{ sample, place: index + 1, strictPacer: tooSoon && !holdsThem }];
  });
}

/** Fewest 429s in a row for a ban: a slow pacer allows some in between. */
const LEAST_BANNED = 3;

/**
 * True if a 429 may be a ban's, of a client that continued after a 429: part 8 leaves its start to the
 * target.
 */
function mayBeBan(samples: readonly Sample[], place: number): boolean {
  const before = samples.slice(0, place - 1);
  const after = samples.slice(place).findIndex((sample) => !wasRefused(sample));
  const length =
    place - 1 - before.findLastIndex((sample) => !wasRefused(sample)) + (after < 0 ? LEAST_BANNED : after);
  return before.some(wasRefused) && length >= LEAST_BANNED;
}

/** Factor for inexact clocks and schedules. */
const WHOLE_ENOUGH = 0.95;

/**
 * Least rate of a steady run, as a share of the plan's: stalls are caught up, so only slow responses make it
 * slower.
 */
const LEAST_RATE = 0.9;

/** Judges a steady run. */
export function bySteadyRun(key: KeySeries, steady: FreshSeries): Judgement {
  const { figures } = key;
  const name = subject(key.key);
  const isAfterSilence = steady.silentMs >= SILENT_WINDOWS * minuteMs(figures);
  // An empty bucket allows what it refills, as a strict pacer does: its first refills are not known to have come earlier.
  const mostHeld = isAfterSilence ? Math.max(0, ...gains(key).map(({ held }) => held)) : 0;
  const step = mostAtOnce(clumpOf(key));
  const quickestEver = quickestOf(samplesOf(key));
  const refusals = steadyRefusals(steady, figures, { held: mostHeld, step, quickestEver }).filter(
    ({ sample }) => !mayBeOfDay(sample, figures),
  );
  const unexplained = refusals.filter(({ strictPacer }) => !strictPacer);
  const wrong = unexplained.find(({ place }) => !mayBeBan(steady.samples, place));
  const open = (code: ReasonCode, what: string): Judgement =>
    unestablished(code, `${name}: the steady run ${what}.`);
  if (!isAfterSilence && !isEvenBucket({ ...key, steady: null }))
    return open('too-little-data', 'began before two idle windows were over');
  if (wrong !== undefined && !keptItsSchedule(steady.samples, figures, step))
    return open('too-little-data', 'was late, so the refused requests may have come too close together');
  if (wrong !== undefined && (1 - STEADY_SHARE) * figures.perMinute < LEAST_SPARE)
    return open('too-little-data', 'got a 429, which a sliding counter of so few requests may give');
  if (wrong !== undefined) {
    const rate = `95 % of ${count(figures.perMinute)} requests per ${duration(minuteMs(figures))}`;
    return violated([], `${name} gets 429 before its allowance is used up.`, {
      expected: `no 429 at ${rate}, ${isAfterSilence ? 'after two idle windows' : 'by the refills of a bucket'}`,
      actual: `the ${ordinal(wrong.place)} request refused`,
      measured: { most: figures.perMinute, got: wrong.place - 1, what: ['steady'] },
    });
  }
  if (unexplained.length > 0)
    return open('refused-legally', 'continued after a 429, so later refusals may be a ban');
  const [first, last] = [steady.samples[0], steady.samples.at(-1)];
  const lasted =
    first === undefined || last === undefined ? 0 : last.sentAt - first.sentAt + steadyGapMs(figures);
  const whole = steady.samples.every((sample) => wasServed(sample) || wasRefused(sample));
  if (!whole || lasted < minuteMs(figures) * WHOLE_ENOUGH)
    return open(whole ? 'too-little-data' : 'transport', 'did not last a whole window');
  // A server without rate headers that responds slowly gets fewer: more open requests could all be refused.
  if (steady.samples.length * refillIntervalMs(figures) < LEAST_RATE * lasted)
    return open('slow-responses', 'was slower than the plan, because the responses came too slowly');
  const pacer =
    refusals.length === 0 ? '' : `, except ${count(refusals.length)} that came too soon for a strict pacer`;
  return kept(
    [],
    `${count(steady.samples.length)} requests at 95 % of the plan's rate were allowed${pacer}.`,
  );
}
