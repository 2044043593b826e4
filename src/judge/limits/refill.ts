import { minuteMs, refilled, refillIntervalMs, type Figures } from './bounds.js';
import { unixReset } from './headers/header-number.js';
import { resetJumps } from './reset-edges.js';
import { placedIn } from './header-readings.js';
import { lone, wasServed, type Sample, leftsOf } from './sample.js';

/** Share of a window in which any gradual refill shows, even one in a few steps. */
const LONG = 0.4;
/** Share of the refill that was due. A request that is not counted looks like one that came back. */
const HARDLY_ANY = 1 / 2;
/** Requests of slack: Remaining does not show a part of a request. */
const ROUNDING = 1;
/** Share of the allowance: a higher Remaining leaves no room to show a refill. */
const ROOM = 3 / 4;
/** Responses to read on either side: behind one address, one of several servers may count alone. */
const READ = 5;

/**
 * Removes a long pause from a burst if hardly anything came back in it, though Remaining had room to show it. Samples
 * after the pause move back; the rest of the pause brings what came back. Then the bound of a burst without a pause
 * applies.
 * @param burst in order of sending
 */
export function withoutDryPause(burst: readonly Sample[], figures: Figures): readonly Sample[] {
  const pause = burst.findIndex(
    ({ answeredAt }, index) => (burst[index + 1]?.sentAt ?? 0) - answeredAt >= LONG * minuteMs(figures),
  );
  const [before, after, first, last] = [burst[pause], burst[pause + 1], burst[0], burst.at(-1)];
  // In more than a window all used requests come back, whatever the pause brought.
  if (first === undefined || last === undefined || last.answeredAt - first.sentAt > minuteMs(figures)) return burst;
  if (before === undefined || after === undefined || resetJumps([before, after], figures).length > 0) return burst;
  const pauseMs = after.sentAt - before.answeredAt;
  const back = leastBack(burst, pause, figures);
  if (back === null || back > HARDLY_ANY * refilled(figures, pauseMs)) return burst;
  const by = pauseMs - (back === 0 ? 0 : back + ROUNDING) * refillIntervalMs(figures);
  return burst.map((sample, index) => (index <= pause ? sample : earlier(sample, by)));
}

/** Least that came back in a pause, by the responses around it and the requests between; null without any. */
function leastBack(burst: readonly Sample[], pause: number, figures: Figures): number | null {
  const [served, alone] = [burst.filter(wasServed), new Set(lone(burst))];
  const near = (from: number, to: number) => burst.slice(Math.max(0, from), to).filter((sample) => alone.has(sample));
  const read = (from: number, to: number) => placedIn(served, near(from, to), figures);
  const before = read(pause + 1 - READ, pause + 1).filter(({ left }) => left <= ROOM * figures.perMinute);
  const after = read(pause + 1, pause + 1 + READ);
  const backs = before.flatMap((one) =>
    after.map((other) => Math.max(0, other.left - one.left + other.place - one.place)),
  );
  return backs.length === 0 ? null : Math.min(...backs);
}

const earlier = (sample: Sample, byMs: number): Sample => ({
  ...sample,
  intendedAt: sample.intendedAt - byMs,
  sentAt: sample.sentAt - byMs,
  answeredAt: sample.answeredAt - byMs,
});

/** Fewest due refills for a proof. */
const LEAST_REFILLS_DUE = 2;
/** Most that a fixed Reset moves, s: it is rounded to whole seconds, up or down. */
const STANDSTILL_MS = 1000;
/** Windows so short that a second may reach a sliding counter's next window, which does give back. */
const SHORT_WINDOW_SECONDS = 2;
/** Requests of slack on a clump's time: open requests, and a part of a request left in the bucket. */
const BESIDES_DUE = 1.5;

/**
 * Returns proof that nothing refills within one window; null without one: the refills `due`, none of which came, between
 * the first request (`from`) and the sending of the last (`until`, Unix ms). It excludes none before and after. Remaining fell by one at every response, as a
 * set: concurrent responses come in any order. Reset also stood still over several refill intervals. It need not after
 * very many (a log's Reset follows its newest request), or after more time than a clump of the excess takes: an unseen
 * clump at the end would have had a visible one before it.
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
  const falling = lefts.filter(({ left }, index) => (left > 0 || index === zero) && (left < top || index === start));
  const sorted = falling.toSorted((one, other) => other.left - one.left);
  const [most, least] = [sorted[0], sorted.at(-1)];
  if (most === undefined || least === undefined) return null;
  const byOne = sorted.every(({ left }, index) => left === most.left - index);
  const resets = sorted.flatMap(({ sample }) => unixReset(sample.reset) ?? []);
  const still =
    resets.length === sorted.length &&
    Math.max(...resets) - Math.min(...resets) <= (figures.minuteSeconds > SHORT_WINDOW_SECONDS ? STANDSTILL_MS : 0);
  const due = refilled(figures, least.sample.sentAt - most.sample.answeredAt);
  const isLong = due >= LONG * figures.perMinute;
  return byOne && (isLong || due >= excess + BESIDES_DUE || (still && due >= LEAST_REFILLS_DUE))
    ? { due, from: most.sample, until: least.sample.sentAt }
    : null;
}
