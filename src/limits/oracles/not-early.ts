import type { Finding } from '../../checks/finding.js';
import { mayHaveCounted, speaksOfDay, wasRefused, wasServed } from '../answers.js';
import { minuteMs, refillIntervalMs, refilled, worstSpan } from '../bounds.js';
import { nothingRefills } from '../refill.js';
import { waitOf } from '../retry-after.js';
import type { Sample } from '../sample.js';
import { counted, duration, figure, inconclusive, kept, notApplicable, ordinal, subject, violated } from '../say.js';
import type { Figures, FreshSeries, KeySeries, SteadySeries } from '../series.js';
import { beginsFresh, resetJumps, windowsSeen } from '../windows-seen.js';

const ROW = 'rate-not-early';

/** One burst: how many it got, and how many of the same window the run had used before it. */
interface Gain {
  readonly served: number;
  /** What the limiter must have held at least: a burst that took its time was given some back meanwhile. */
  readonly held: number;
  readonly usedBefore: number;
  readonly first: Sample;
  readonly lastAnswer: number;
  /** Refused by 429 for the minute's sake. */
  readonly refused: boolean;
}

/** Requests of this key, within one window before, that a limiter may still count. */
function gain(samples: readonly Sample[], all: readonly Sample[], figures: Figures): Gain | null {
  const [first] = samples;
  if (first === undefined) return null;
  const own = new Set(samples);
  const since = first.sentAt - minuteMs(figures);
  const refusals = samples.filter(wasRefused);
  const served = samples.filter(wasServed);
  const worst = worstSpan(served, 1 / refillIntervalMs(figures));
  return {
    served: served.length,
    held: worst === null ? 0 : worst.count - refilled(figures, worst.to - worst.from),
    usedBefore: all.filter(
      (old) => !own.has(old) && mayHaveCounted(old) && old.answeredAt >= since && old.sentAt < first.sentAt,
    ).length,
    first,
    lastAnswer: Math.max(...samples.map(({ answeredAt }) => answeredAt)),
    refused: refusals.length > 0 && !refusals.every((refusal) => speaksOfDay(refusal, figures)),
  };
}

/** The bursts of a key: the sequential one and the concurrent one. */
function gains(key: KeySeries, all: readonly Sample[]): readonly Gain[] {
  const bursts = [key.burst?.samples ?? [], key.concurrent?.samples ?? []];
  return bursts.flatMap((samples) => {
    const found = gain(samples, all, key.figures);
    return found === null ? [] : [found];
  });
}

/** A bucket may be rounded, and a retry and a probe are the run's own. */
const OWN_PROBES = 3;

/**
 * Whether a burst, with what of its window had been used before, makes up the allowance. Where suites have used it, a
 * request or two of theirs stand in no series: what they ask beside the declared operations may count all the same.
 */
const gotAll = ({ served, usedBefore }: Gain, { perMinute }: Figures): boolean =>
  served + usedBefore + (usedBefore > OWN_PROBES ? OWN_PROBES : 0) >= perMinute;

const isShort = (found: Gain, figures: Figures): boolean => found.refused && !gotAll(found, figures);

/** Whether a burst got less than the allowance, so that only a steady run decides `rate-not-early`. */
export const gotLess = (key: KeySeries, all: readonly Sample[]): boolean =>
  gains(key, all).some((found) => isShort(found, key.figures));

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

/** A steady run at 95 % of the plan passes a limit that is so near to it; a little is left for what bursts are short of besides. */
const NEARLY_ALL = 0.9;

/**
 * Whether a burst that got less than the allowance got nearly all of it: then a steady run would not notice what is
 * missing, and a burst after two windows of silence decides first.
 */
export const gotNearlyAll = (key: KeySeries, all: readonly Sample[]): boolean =>
  gains(key, all).some(({ served, usedBefore }) => served + usedBefore >= NEARLY_ALL * key.figures.perMinute);

/** Clocks and schedules are not exact. */
const TOLERANCE = 0.95;

/** What a second burst got, and the least that any sound limiter gives it. */
interface Shortfall {
  readonly served: number;
  readonly least: number;
  readonly silentMs: number;
}

/** Nothing sent before the first burst can still have counted when it began. */
function isFresh({ figures, aloneSince }: KeySeries, { first, usedBefore }: Gain): boolean {
  if (beginsFresh(first, figures, Math.min(usedBefore, OWN_PROBES))) return true;
  return usedBefore === 0 && aloneSince <= first.sentAt - 2 * minuteMs(figures);
}

/**
 * A second burst that no sound limiter explains. A limiter that had refused served again at the retry: from there on
 * every algorithm gives back at least what its rate promises (a sliding counter since its window rolled over, a bucket
 * always, a fixed window and a log at once), once the first burst lies a whole window back. Where bursts for
 * `rate-window` came between, the same holds from the last of them on, but for what a sliding counter remembers of them:
 * all that they got, where its window rolled over once since.
 */
function shortfall(key: KeySeries, all: readonly Sample[], [first, second]: readonly Gain[]): Shortfall | null {
  const retry = key.recoveries[0]?.retry ?? null;
  if (first === undefined || second === undefined || retry === null || !wasServed(retry) || !second.refused)
    return null;
  const window = minuteMs(key.figures);
  const clean = key.concurrent?.samples.every((sample) => wasServed(sample) || wasRefused(sample)) === true;
  if (!clean || !isFresh(key, first) || second.first.sentAt - first.lastAnswer < window) return null;
  // A sliding counter whose window rolled over within the first burst lets back for the sake of what came before.
  // (After the first request the sender may have waited for just that: it left next to nothing to come back.)
  if (resetJumps(key.burst?.samples.slice(1) ?? [], key.figures).length > 0) return null;
  const between = all.filter(({ sentAt }) => sentAt > retry.sentAt && sentAt < second.first.sentAt);
  const drained = between.length > OWN_PROBES;
  const since = (drained ? between.at(-1) : retry)?.answeredAt ?? retry.answeredAt;
  const silentMs = second.first.sentAt - since;
  // Bursts that took long may have filled a second window of a sliding counter.
  if (drained && (silentMs < window || since - retry.sentAt > window / 4)) return null;
  const remembered = drained ? between.filter(mayHaveCounted).length : 0;
  const back = Math.min(first.held - remembered, refilled(key.figures, silentMs));
  const least = Math.floor(TOLERANCE * back - OWN_PROBES);
  return second.served < least ? { served: second.served, least, silentMs } : null;
}

/** Timers and clocks of whole milliseconds, at both ends. */
const TIMER_MS = 2;

/** A refusal of the steady run, and whether a strict pacer may give it. */
export interface SteadyRefusal {
  readonly place: number;
  readonly strictPacer: boolean;
}

/** How much longer than the quickest an answer took: by so much may the request have been late to arrive, in ms. */
const lateness = (sample: Sample, quickest: number): number => sample.answeredAt - sample.sentAt - quickest;

/** Overtaking and lateness matter among neighbours only. */
const NEIGHBOURS = 40;

/** What a schedule at 95 % leaves of a window: a run that is late by no more keeps within the allowance of each. */
const SPARE = 1 / 0.95 - 1;
/** A bucket is rounded, and the first of a crowd stands beside those that it catches up with. */
const HELD_ROUNDED = 3;

/** By how much a steady run strayed from its schedule at most: what came late crowds with what comes after it. In ms. */
const strayed = (samples: readonly Sample[], quickest: number): number =>
  samples.reduce((most, { intendedAt, answeredAt }) => Math.max(most, answeredAt - intendedAt - quickest), 0);

const quickestOf = (samples: readonly Sample[]): number =>
  samples.reduce((least, { sentAt, answeredAt }) => Math.min(least, answeredAt - sentAt), Infinity);

/** Whether a steady run kept its schedule so well that no sound limiter had more than its allowance to serve in a window. */
const keptItsSchedule = (samples: readonly Sample[], figures: Figures): boolean =>
  strayed(samples, quickestOf(samples)) < SPARE * minuteMs(figures);

/**
 * The refusals of a steady run. A strict pacer's right: the request may have come sooner than W / L after one that was
 * served, because that one was late, or because it overtook this one. A limiter that is known to hold more has that right
 * only where as many may have come at once.
 * @param held what a burst has shown the limiter to hold at the least
 */
export function steadyRefusals(
  { samples }: Pick<SteadySeries, 'samples'>,
  figures: Figures,
  held: number,
): readonly SteadyRefusal[] {
  const interval = refillIntervalMs(figures) + TIMER_MS;
  const quickest = quickestOf(samples);
  const crowd = strayed(samples, quickest) / refillIntervalMs(figures);
  const holdsThem = keptItsSchedule(samples, figures) && crowd < held - HELD_ROUNDED;
  return samples.flatMap((sample, index) => {
    if (!wasRefused(sample)) return [];
    const before = samples.slice(Math.max(0, index - NEIGHBOURS), index).filter(wasServed);
    const after = samples.slice(index + 1, index + NEIGHBOURS).filter(wasServed);
    const tooSoon =
      before.some((served) => sample.sentAt - served.sentAt - lateness(served, quickest) < interval) ||
      after.some((served) => served.sentAt - sample.sentAt < lateness(sample, quickest));
    const strictPacer = tooSoon && !holdsThem;
    return [{ place: index + 1, strictPacer }];
  });
}

/** Silence of two windows, but for what timers are late or early by. */
const SILENT_WINDOWS = 1.98;

function bySteadyRun(key: KeySeries, steady: SteadySeries, bursts: readonly Gain[]): Finding {
  const { figures } = key;
  const name = subject(key.key);
  const mostHeld = Math.max(0, ...bursts.map(({ held }) => held));
  const refusals = steadyRefusals(steady, figures, mostHeld).filter(({ place }) => {
    const sample = steady.samples[place - 1];
    return sample !== undefined && !speaksOfDay(sample, figures);
  });
  const wrong = refusals.find(({ strictPacer }) => !strictPacer);
  if (steady.silentMs < SILENT_WINDOWS * minuteMs(figures)) {
    return inconclusive(
      ROW,
      'too-little-data',
      `${name}: the steady run began before two windows of silence were over.`,
    );
  }
  if (wrong !== undefined && !keptItsSchedule(steady.samples, figures)) {
    return inconclusive(
      ROW,
      'too-little-data',
      `${name}: the steady run was late, and what was refused may have been too much at once.`,
    );
  }
  if (wrong !== undefined) {
    return violated(
      ROW,
      `${name} is refused before its allowance is used up.`,
      `no 429 at 95 % of ${figure(figures.perMinute)} requests per ${duration(minuteMs(figures))}, after two windows of silence`,
      `the ${ordinal(wrong.place)} request refused`,
    );
  }
  const [first, last] = [steady.samples[0], steady.samples.at(-1)];
  const lasted = first === undefined || last === undefined ? 0 : last.sentAt - first.sentAt + steady.gapMs;
  const whole = steady.samples.every((sample) => wasServed(sample) || wasRefused(sample));
  if (!whole || lasted < minuteMs(figures) * TOLERANCE) {
    return inconclusive(
      ROW,
      whole ? 'too-little-data' : 'transport',
      `${name}: the steady run did not last a whole window.`,
    );
  }
  const pacer = refusals.length === 0 ? '' : `, but ${figure(refusals.length)} that came too soon for a strict pacer`;
  return kept(ROW, `${figure(steady.samples.length)} requests at 95 % of the plan were served${pacer}.`);
}

/**
 * What a burst after two windows of silence says; null where it leaves the verdict to a steady run. Nothing sent before
 * still counts then, so a window, a log or a counter has all of its limit to give, and only a bucket may hold less. Where
 * nothing refills it is no bucket: the bound of `rate-429` is exactly the limit then, from below as from above.
 */
export function byFreshBurst({ key, figures }: KeySeries, { silentMs, samples }: FreshSeries): Finding | null {
  const name = subject(key);
  const served = samples.filter(wasServed).length;
  const refusal = samples.find(wasRefused);
  const { pieces, visible } = windowsSeen(samples, figures);
  // A window that rolled over, an answer that was lost, the day's limit: each makes the count mean something else.
  const oneWindow = pieces.length === 1 && visible && silentMs >= SILENT_WINDOWS * minuteMs(figures);
  const whole = samples.every((sample) => wasServed(sample) || wasRefused(sample));
  if (!oneWindow || !whole || refusal === undefined || speaksOfDay(refusal, figures)) return null;
  if (served >= figures.perMinute)
    return kept(ROW, `${figure(served)} requests were served at once after two windows of silence.`);
  if (nothingRefills(samples, figures) === null) return null;
  return violated(
    ROW,
    `${name} is refused before its allowance is used up.`,
    `${counted(figures.perMinute, 'request')} served at once after two windows of silence, where nothing refills`,
    `${figure(served)} served, then 429`,
  );
}

/** `rate-not-early`: no 429 while the plan's allowance is not used up. `all`: every sample of the key. */
export function notEarly(key: KeySeries, all: readonly Sample[]): readonly Finding[] {
  const { figures, fresh, steady } = key;
  const name = subject(key.key);
  if (!key.exclusive)
    return [notApplicable(ROW, 'keys-shared', `${name}'s key has other users, who may have used its allowance.`)];
  const found = gains(key, all);
  const starved = shortfall(key, all, found);
  if (starved !== null) {
    return [
      violated(
        ROW,
        `${name} does not get its allowance back at the plan's rate.`,
        `at least ${figure(starved.least)} requests served, ${duration(starved.silentMs)} after it had been served again`,
        `${figure(starved.served)} served, then 429`,
      ),
    ];
  }
  const afresh = fresh === null ? null : byFreshBurst(key, fresh);
  if (afresh?.kind === 'violated') return [afresh];
  if (steady !== null) return [bySteadyRun(key, steady, found)];
  if (afresh !== null) return [afresh];
  const [burst] = found;
  if (burst === undefined) return [inconclusive(ROW, 'too-little-data', `${name} was not asked for its allowance.`)];
  const short = found.find((one) => isShort(one, figures));
  if (short !== undefined) {
    const what = `${figure(short.served)} of ${figure(figures.perMinute)} served before the first 429`;
    return [inconclusive(ROW, 'too-little-data', `${name}: ${what}. Only a steady run decides.`)];
  }
  if (found.every((one) => gotAll(one, figures)))
    return [kept(ROW, `No 429 before ${figure(figures.perMinute)} requests were served.`)];
  const ended = key.burst?.end === 'transport' || key.concurrent?.end === 'transport';
  return [
    inconclusive(
      ROW,
      ended ? 'transport' : 'too-little-data',
      `${name}: a burst ended before the allowance was used up.`,
    ),
  ];
}
