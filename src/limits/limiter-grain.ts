import { bySending, lone, speaksOfMinute, wasServed } from './answers.js';
import { FINE_GRAIN_MS, isLongBySeconds, longestByServer, refillIntervalMs } from './bounds.js';
import { plainInteger, readReset } from './header-number.js';
import type { Sample } from './sample.js';
import type { Figures } from './series.js';

/** Some limiters keep their time in whole seconds: what a second brings comes back all at once as the next one begins. */
const WHOLE_SECOND_MS = 1000;
/** How coarse a sound limiter's clock may be where nothing is known of it, ms. In short windows a leak of a second's worth would go unseen. */
export const coarsestGrainMs = (figures: Figures): number =>
  isLongBySeconds(figures) ? WHOLE_SECOND_MS + FINE_GRAIN_MS : FINE_GRAIN_MS;

/** An answer that had no other beside it, and what it says is left. */
interface Reading {
  readonly sample: Sample;
  readonly left: number;
  /** Requests served up to it. */
  readonly served: number;
  /** Nothing was missing before it: it came after a pause, and leaves one less than the limit. */
  readonly wasFull: boolean;
}

/** How coarse the clock is that a limiter refills by. */
export interface Grain {
  readonly ms: number;
  /** It was seen; else what came back sooner may as well be one request too many, at the beginning or the end of the burst. */
  readonly isSeen: boolean;
}

/**
 * The grain of a limiter's clock: whole seconds where requests one by one show that more had come back than time had
 * passed for, as much as a second brings and a second apart. Only a Remaining between the two ends shows that: at 0 and at
 * the limit it may have been cut off, and what is served beyond it is one too many. Where it stood at one of them twice
 * and things do come back, it may be either.
 */
export function limiterGrain(burst: readonly Sample[], figures: Figures): Grain {
  const fine = { ms: FINE_GRAIN_MS, isSeen: true };
  const coarsest = coarsestGrainMs(figures);
  if (coarsest === FINE_GRAIN_MS) return fine;
  const all = readingsOf(burst, figures);
  const top = all.findLastIndex(({ left }) => left >= figures.perMinute - 1);
  const between = all
    .slice(Math.max(0, top))
    .filter(({ left, wasFull }) => wasFull || (left > 0 && left < figures.perMinute - 1));
  const earlyBy = earlyByMs(between, figures);
  const rises = risesOf(between);
  if (earlyBy > coarsest || !areSecondsApart(rises)) return fine;
  if (earlyBy > FINE_GRAIN_MS) return { ms: coarsest, isSeen: true };
  const stoodAtZero = all.filter(({ left }) => left === 0).length > 1;
  const mayBeEither = rises.length > 0 ? top > 0 || stoodAtZero : top > 0 && resetCreeps(all, figures);
  return mayBeEither ? { ms: coarsest, isSeen: false } : fine;
}

/** Reset moves on with each request, as the time does until a bucket is full. */
function resetCreeps(readings: readonly Reading[], figures: Figures): boolean {
  const [first, last] = [readings[0], readings.at(-1)];
  if (first === undefined || last === undefined) return false;
  const [before, after] = [readReset(first.sample.reset), readReset(last.sample.reset)];
  if (before?.unit !== 'unix-seconds' || after?.unit !== 'unix-seconds') return false;
  return after.unixMs - before.unixMs > ((last.served - first.served) * refillIntervalMs(figures)) / 2;
}

/** By how much anything came back sooner than even refills would have brought it, over all pairs of readings, ms. */
function earlyByMs(readings: readonly Reading[], figures: Figures): number {
  const interval = refillIntervalMs(figures);
  const start = readings[0]?.sample.sentAt ?? 0;
  // As if nothing had been asked for: what is left and what was served, in ms of refill, less the time that went by.
  const ahead = ({ left, served }: Reading, at: number): number =>
    (left + served) * interval - longestByServer(at - start, 0);
  let [least, most] = [Infinity, -Infinity];
  for (const reading of readings) {
    most = Math.max(most, ahead(reading, reading.sample.answeredAt) - least);
    // A bucket that was not full before had a part of a request in it, nobody knows how much.
    const part = reading.wasFull ? 0 : interval;
    least = Math.min(least, ahead(reading, reading.sample.sentAt) + part);
  }
  return most;
}

const cameBack = (from: Reading, to: Reading): number => to.left - from.left + to.served - from.served;

const spanOf = (from: Reading, to: Reading): number => to.sample.answeredAt - from.sample.sentAt;

/** Two readings one after the other between which something came back. */
interface Rise {
  readonly from: Reading;
  readonly to: Reading;
}

const risesOf = (readings: readonly Reading[]): readonly Rise[] =>
  readings.flatMap((to, index) => {
    const from = readings[index - 1];
    return from !== undefined && cameBack(from, to) > 0 ? [{ from, to }] : [];
  });

/** Whether what came back may have come at least a second apart. */
const areSecondsApart = (rises: readonly Rise[]): boolean =>
  rises.every(({ to }, index) => {
    const before = rises[index - 1];
    return before === undefined || spanOf(before.from, to) >= WHOLE_SECOND_MS - FINE_GRAIN_MS;
  });

function readingsOf(burst: readonly Sample[], figures: Figures): readonly Reading[] {
  const ordered = bySending(burst).filter(wasServed);
  const places = new Map(ordered.map((sample, index) => [sample, index]));
  const pause = refillIntervalMs(figures) + WHOLE_SECOND_MS;
  return lone(ordered).flatMap((sample): readonly Reading[] => {
    const left = speaksOfMinute(sample, figures) ? plainInteger(sample.remaining) : null;
    const place = places.get(sample) ?? 0;
    const before = ordered[place - 1];
    const wasFull = left === figures.perMinute - 1 && sample.sentAt - (before?.answeredAt ?? -Infinity) >= pause;
    return left === null ? [] : [{ sample, left, served: place + 1, wasFull }];
  });
}
