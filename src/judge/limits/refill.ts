import { refilled, type Figures } from './bounds.js';
import { unixReset } from '../../base/interface/rate-headers.js';
import { wasServed, type Sample, leftsOf } from './sample.js';

/** Share of a window in which any gradual refill shows, even one in a few steps. */
const LONG = 0.4;
/** Fewest due refills for a proof. */
const LEAST_REFILLS_DUE = 2;
/** Most that a fixed Reset moves, s: it is rounded to whole seconds, up or down. */
const STANDSTILL_MS = 1000;
/** Windows so short that a second may reach a sliding counter's next window, which does give back. */
const SHORT_WINDOW_SECONDS = 2;
/** Requests of slack on a clump's time: open requests, and a part of a request left in the bucket. */
const BESIDES_DUE = 1.5;

/**
 * Returns proof that nothing refills within one window; null without one: the refills `due`, none of which
 * came, between the first request (`from`) and the sending of the last (`until`, Unix ms). It excludes none
 * before and after. Remaining fell by one at every response, as a set: concurrent responses come in any
 * order. Reset also stood still over several refill intervals. It need not after very many (a log's Reset
 * follows its newest request), or after more time than a clump of the excess takes: an unseen clump at the
 * end would have had a visible one before it.
 *
 * @param excess number of requests allowed beyond the limit
 */
export function nothingRefills(samples: readonly Sample[], figures: Figures, excess = Infinity) {
  const served = samples.filter(wasServed);
  const lefts = leftsOf(served, figures);
  if (lefts.length < served.length) return null;
  // Remaining cannot fall below 0, so only the first 0 counts; of several highest readings, the last counts.
  const zero = lefts.findIndex(({ left }) => left === 0);
  const top = lefts.reduce((best, { left }) => Math.max(best, left), -Infinity);
  const start = lefts.findLastIndex(({ left }) => left === top);
  const falling = lefts.filter(
    ({ left }, index) => (left > 0 || index === zero) && (left < top || index === start),
  );
  const sorted = falling.toSorted((one, other) => other.left - one.left);
  const [most, least] = [sorted[0], sorted.at(-1)];
  if (most === undefined || least === undefined) return null;
  const byOne = sorted.every(({ left }, index) => left === most.left - index);
  const resets = sorted.flatMap(({ sample }) => unixReset(sample.reset) ?? []);
  const still =
    resets.length === sorted.length &&
    Math.max(...resets) - Math.min(...resets) <=
      (figures.minuteSeconds > SHORT_WINDOW_SECONDS ? STANDSTILL_MS : 0);
  const due = refilled(figures, least.sample.sentAt - most.sample.answeredAt);
  const isLong = due >= LONG * figures.perMinute;
  return byOne && (isLong || due >= excess + BESIDES_DUE || (still && due >= LEAST_REFILLS_DUE))
    ? { due, from: most.sample, until: least.sample.sentAt }
    : null;
}
