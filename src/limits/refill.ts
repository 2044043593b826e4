import { minuteMs, refilled, refillIntervalMs } from './bounds.js';
import { plainInteger, readReset } from './headers/header-number.js';
import { resetJumps } from './reset-edges.js';
import type { Figures } from './series.js';
import { lone, speaksOfMinute, wasServed, type Sample } from './sample.js';

/** Whatever comes back bit by bit shows in so much of a window, also where it does so by a few beats. */
const LONG = 0.4;
/** Of what was due in it: a request that was not counted looks like one that came back. */
const HARDLY_ANY = 1 / 2;
/** A part of a request that came back shows in no whole number. */
const ROUNDING = 1;
/** Of the allowance: what is left beyond it leaves no room for what comes back. */
const ROOM = 3 / 4;
/** So many answers on either side are read: of several servers behind one address, one may count for itself. */
const READ = 5;

/**
 * A burst without a long pause in it, in which hardly anything came back although Remaining had room to show it: the
 * samples after it are set back in time, to as much of a pause as brings what came back. What the burst may have got is
 * then what a burst without a pause may get.
 * @param burst in the order of sending
 */
export function withoutDryPause(burst: readonly Sample[], figures: Figures): readonly Sample[] {
  const pause = burst.findIndex(
    ({ answeredAt }, index) => (burst[index + 1]?.sentAt ?? 0) - answeredAt >= LONG * minuteMs(figures),
  );
  const [before, after, first, last] = [burst[pause], burst[pause + 1], burst[0], burst.at(-1)];
  // In more than a window all that was used comes back, whatever the pause in it brought.
  if (first === undefined || last === undefined || last.answeredAt - first.sentAt > minuteMs(figures)) return burst;
  if (before === undefined || after === undefined || resetJumps([before, after], figures).length > 0) return burst;
  const pauseMs = after.sentAt - before.answeredAt;
  const back = leastBack(burst, pause, figures);
  if (back === null || back > HARDLY_ANY * refilled(figures, pauseMs)) return burst;
  const by = pauseMs - (back === 0 ? 0 : back + ROUNDING) * refillIntervalMs(figures);
  return burst.map((sample, index) => (index <= pause ? sample : earlier(sample, by)));
}

/** The least that came back in a pause by the answers around it, each with what was served between; null where none tells. */
function leastBack(burst: readonly Sample[], pause: number, figures: Figures): number | null {
  const alone = new Set(lone(burst));
  const read = (from: number, to: number): readonly { readonly left: number; readonly served: number }[] =>
    burst.slice(Math.max(0, from), to).flatMap((sample) => {
      const isRead = alone.has(sample) && wasServed(sample) && speaksOfMinute(sample, figures);
      const left = isRead ? plainInteger(sample.remaining) : null;
      const served = burst.slice(0, burst.indexOf(sample) + 1).filter(wasServed).length;
      return left === null ? [] : [{ left, served }];
    });
  const before = read(pause + 1 - READ, pause + 1).filter(({ left }) => left <= ROOM * figures.perMinute);
  const after = read(pause + 1, pause + 1 + READ);
  const backs = before.flatMap((one) =>
    after.map((other) => Math.max(0, other.left - one.left + other.served - one.served)),
  );
  return backs.length === 0 ? null : Math.min(...backs);
}

const earlier = (sample: Sample, byMs: number): Sample => ({
  ...sample,
  intendedAt: sample.intendedAt - byMs,
  sentAt: sample.sentAt - byMs,
  answeredAt: sample.answeredAt - byMs,
});

/** What a refilling limiter would have given back unseen: below this many refills the evidence is none. */
const LEAST_REFILLS_DUE = 2;
/** Reset stood still: it is rounded to whole seconds, now this way, now that. */
const STANDSTILL_SECONDS = 1;
/** In windows this short, a second may be the next window of a sliding counter, from which on it does give back. */
const SHORT_WINDOW_SECONDS = 2;

/** Beyond the time that a clump takes to come back: what was under way, and a part of a request that stood there. */
const BESIDES_DUE = 1.5;

/** Of a window: in so long a time whatever comes back bit by bit shows, also where it does so by a few beats. */
const LONG_SHARE = 0.4;

/** Proof that the allowance does not come back bit by bit. */
interface NothingRefills {
  /** The refills that were due meanwhile, none of which came. */
  readonly due: number;
  /** The first request that is counted in the proof: what came back before it is not excluded. */
  readonly from: Sample;
  /** The sending of the request that was counted last in the proof: what came back later is not excluded. Unix ms. */
  readonly until: number;
}

/**
 * Whether, within one window, nothing refills: Remaining fell by one at every answer (as a set: concurrent answers come
 * in any order) and Reset stood still, over several refill intervals, or over so many that Reset need not be asked (a log
 * tells when its newest leaves), or over more than a clump of as many as were served too many takes: had one come unseen,
 * at the very end, another would have shown before. Null where that is not shown.
 * @param excess how many were served beyond the limit
 */
export function nothingRefills(samples: readonly Sample[], figures: Figures, excess = Infinity): NothingRefills | null {
  const served = samples.filter(wasServed);
  const left = served.flatMap((sample) => {
    const remaining = speaksOfMinute(sample, figures) ? plainInteger(sample.remaining) : null;
    return remaining === null ? [] : [{ remaining, sample }];
  });
  if (left.length < served.length) return null;
  // Once Remaining says 0 it cannot fall, so only the first 0 counts; and of those that say the most, the last.
  const zero = left.findIndex(({ remaining }) => remaining === 0);
  const top = left.reduce((best, { remaining }) => Math.max(best, remaining), -Infinity);
  const start = left.findLastIndex(({ remaining }) => remaining === top);
  const falling = left.filter(
    ({ remaining }, index) => (remaining > 0 || index === zero) && (remaining < top || index === start),
  );
  const sorted = falling.toSorted((one, other) => other.remaining - one.remaining);
  const [most, least] = [sorted[0], sorted.at(-1)];
  if (most === undefined || least === undefined) return null;
  const byOne = sorted.every(({ remaining }, index) => remaining === most.remaining - index);
  const resets = sorted.map(({ sample }) => readReset(sample.reset));
  const seconds = resets.flatMap((reset) => (reset?.unit === 'unix-seconds' ? [reset.unixMs / 1000] : []));
  const still =
    seconds.length === sorted.length &&
    spread(seconds) <= (figures.minuteSeconds > SHORT_WINDOW_SECONDS ? STANDSTILL_SECONDS : 0);
  const due = refilled(figures, least.sample.sentAt - most.sample.answeredAt);
  const isLong = due >= LONG_SHARE * figures.perMinute;
  return byOne && (isLong || due >= excess + BESIDES_DUE || (still && due >= LEAST_REFILLS_DUE))
    ? { due, from: most.sample, until: least.sample.sentAt }
    : null;
}

/** The difference between the largest and the smallest. */
function spread(values: readonly number[]): number {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return high - low;
}
