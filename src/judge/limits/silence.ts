import { isLongBySeconds, minuteMs, type Figures } from './bounds.js';
import type { OtherUse } from './other-use.js';
import { cameBack, longestBetween, loneReadings, mostBetween, stepsOf } from './remaining-readings.js';
import { unixReset } from '../../base/interface/rate-headers.js';
import {
  lastAnswerOf,
  leftBy,
  leftsOf,
  mayCount,
  refusedIn,
  servedIn,
  wasRefused,
  wasServed,
  type Sample,
} from './sample.js';
import type { KeySeries } from './series.js';

/* Remaining before and after pauses in which the run sends nothing: it shows whether somebody else uses a key. */

/** Pauses of one key's run that show whether somebody else uses the key. */
export const PAUSES = 4;
/** Share of a window that a pause takes: all of them fit into one, and hold what comes every few seconds. */
export const PAUSE_SHARE = 1 / 8;

/** Share of a window from which on a time without a request is a pause. */
const LEAST_SHARE = PAUSE_SHARE / 2;
/** Fewest requests of somebody else in all pauses: a server that counts some requests twice adds fewer. */
const LEAST_OTHERS = 3;
/** Windows of silence after which no request of the run counts any more, however a limiter counts. */
export const SILENT_WINDOWS = 2;
/** Fewest pauses that show that nobody else uses the key. */
const LEAST_PAUSES = 2;

const medianOf = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

/** Fewest requests after silence that are refused one after another, each after the wait of the one before. */
const LEAST_REFUSED = 2;

/**
 * True if a key may have been used up by somebody else: no request of the run was allowed, or Remaining of an
 * allowed one counts more than the run had sent, and seldom fell by one a request. A server that allows too
 * little, and then refuses for ever, counts just the run's own requests.
 */
function countsOthers(all: readonly Sample[], figures: Figures): boolean {
  const lefts = leftsOf(all.filter(wasServed), figures).map(({ left }) => left);
  const falls = lefts.slice(1).map((left, at) => (lefts[at] ?? left) - left);
  const byOne = falls.filter((fall) => fall === 1).length;
  const isLone = byOne >= LEAST_OTHERS && byOne > falls.length / 2;
  const hasOthers = lefts.some((left, at) => figures.perMinute - left > at + LEAST_OTHERS);
  return !all.some(wasServed) || (hasOthers && !isLone);
}

/**
 * Reads what is used although the run was silent for two windows. A sliding window gives back to somebody
 * else as much as they use, so that Remaining stands still in a pause, or nothing is left for the run at all.
 * But then Reset, the end of the oldest request, is always near and moves on with the time: a server that
 * allows too little counts from the run's own request, a window ahead. Null if it does not.
 */
function usedInSilence({ figures, pauses }: KeySeries, all: readonly Sample[]): OtherUse | null {
  const [first] = pauses ?? [];
  const left = leftBy(first, figures);
  if (pauses === null || first === undefined || left === null || !isLongBySeconds(figures)) return null;
  const earlier = all.filter(({ sentAt }) => sentAt < first.sentAt);
  const own = earlier.filter(mayCount);
  const isSilent = first.sentAt - lastAnswerOf(own) >= SILENT_WINDOWS * minuteMs(figures);
  const ahead = pauses.map(({ reset, date, sentAt }) => (unixReset(reset) ?? Infinity) - (date ?? sentAt));
  const [nearest, farthest] = [Math.min(...ahead), Math.max(...ahead)];
  const isOfAnOldOne = farthest <= minuteMs(figures) / 2;
  const movesOn = farthest - nearest <= minuteMs(figures) * PAUSE_SHARE;
  const refused = refusedIn(pauses);
  const isExhausted = refused >= LEAST_REFUSED && refused === pauses.length && countsOthers(earlier, figures);
  const isPaused = movesOn && servedIn(pauses) + refused >= 2 * PAUSES;
  const requests = figures.perMinute - (wasServed(first) ? 1 : 0) - left;
  if (!isSilent || !isOfAnOldOne || !(isExhausted || isPaused) || requests < LEAST_OTHERS) return null;
  return { requests, perSecond: (1000 * requests) / minuteMs(figures), isEven: true };
}

/** Least share of the limit that somebody else uses at once. */
const AT_ONCE_SHARE = 1 / 10;
/** Further requests that a server may count for each request of the run, by a mistake. */
const MOST_COST = 3;

/**
 * Reads what somebody else used at once, as a second run does that rests at the same times: between two
 * requests, neither with a concurrent one, Remaining fell by far more than was sent. A 429 counts only if the
 * key gets its whole limit at another time: a server that allows too little refuses as well. Null without.
 */
function usedAtOnce({ figures, fresh }: KeySeries, all: readonly Sample[]): OtherUse | null {
  const least = Math.max(LEAST_OTHERS, AT_ONCE_SHARE * figures.perMinute);
  const isWholeAlone = servedIn(fresh?.samples ?? []) >= figures.perMinute;
  const readings = loneReadings(all, figures, (one) => wasServed(one) || (wasRefused(one) && isWholeAlone));
  const used = stepsOf(readings, figures)
    .map(({ from, to }) => ({
      requests: -cameBack(from, to).most,
      own: mostBetween(from, to),
      ms: longestBetween(from, to),
    }))
    .filter(({ requests, own }) => requests >= Math.max(least, MOST_COST * own));
  const requests = used.reduce((sum, each) => sum + each.requests, 0);
  const seconds = used.reduce((sum, { ms }) => sum + ms, 0) / 1000;
  return requests === 0 ? null : { requests, perSecond: requests / seconds, isEven: false };
}

/** Requests in a row that each count once: a server that counts one in ten twice never counts so many. */
const LEAST_IN_A_ROW = 40;

/** True if many requests in a row, none with a concurrent one, each counted once. */
export function countsEachOnce({ figures }: KeySeries, all: readonly Sample[]): boolean {
  let inRow = 0;
  return stepsOf(loneReadings(all, figures), figures).some(({ from, to, isNext }) => {
    inRow = isNext && from.left - to.left === 1 ? inRow + 1 : 0;
    return inRow >= LEAST_IN_A_ROW;
  });
}

/**
 * Reads whether somebody else uses a key, by its pauses, and by what was used at once where these show
 * nobody.
 */
export function useInPauses(key: KeySeries, all: readonly Sample[]): OtherUse | 'nobody' | 'unknown' {
  if (key.pauses === null) return 'unknown';
  const lost = lostInPauses(key.pauses, key.figures);
  if (typeof lost !== 'string') return lost;
  return usedInSilence(key, all) ?? (lost === 'nobody' ? usedAtOnce(key, all) : null) ?? lost;
}

/**
 * Reads what Remaining lost in pauses. What it loses besides between two requests that follow at once is the
 * server's own way to count, and is taken off.
 *
 * @returns use by somebody else; `nobody` if the pauses show none, `unknown` if they show nothing
 */
function lostInPauses(pauses: readonly Sample[], figures: Figures): OtherUse | 'nobody' | 'unknown' {
  const readings = loneReadings(pauses.filter(wasServed), figures);
  const steps = readings.slice(1).flatMap((to, index) => {
    const from = readings[index] ?? to;
    const lost = from.left - to.left - 1;
    // A new window or a refill hides what was used; so does the end of the allowance.
    return lost < 0 || to.left === 0 ? [] : [{ lost, ms: to.sample.sentAt - from.sample.answeredAt }];
  });
  const isPause = ({ ms }: (typeof steps)[number]): boolean => ms >= LEAST_SHARE * minuteMs(figures);
  const inPauses = steps.filter(isPause);
  const usual = medianOf(steps.filter((step) => !isPause(step)).map(({ lost }) => lost));
  const others = inPauses.map(({ lost }) => lost - usual);
  const requests = others.reduce((sum, each) => sum + each, 0);
  if (requests >= LEAST_OTHERS) {
    const seconds = inPauses.reduce((sum, { ms }) => sum + ms, 0) / 1000;
    return { requests, perSecond: requests / seconds, isEven: others.every((each) => each > 0) };
  }
  return inPauses.length >= LEAST_PAUSES ? 'nobody' : 'unknown';
}
