import { unixReset } from '../../base/interface/rate-headers.js';
import { onceEach } from '../../base/kernel/once-each.js';
import { countWhile } from '../../base/kernel/sorted.js';
import {
  BOTH_ROUNDED_MS,
  FEWEST,
  longestByServer,
  minuteMs,
  OVERTAKEN,
  soonestExitMs,
  surelyWithin,
} from './bounds.js';
import { LARGEST_STEP } from './bursts.js';
import { resetTime } from './clock.js';
import type { KeyRun } from './key-run.js';
import { leftOf } from './left.js';
import { timesOf, wasServed, type Sample } from './sample.js';
import { refillOver } from './spans.js';

/** A Remaining that is whole again between two requests, sooner than a window, a refill and a log explain. */
export interface Jump {
  readonly before: Sample;
  readonly after: Sample;
  /** What was left before. */
  readonly left: number;
  /** Is true if no step of a refill explains it either. */
  readonly isClear: boolean;
}

/** Is true if one moment explains both. */
export const isTogether = (own: Jump, other: Jump): boolean =>
  own.after.answeredAt > other.before.sentAt && own.before.sentAt < other.after.answeredAt;

/** Returns what is left of a key that nobody used: a bucket may hold less than the plan. */
export const wholeOf = ({ all, figures }: KeyRun): number =>
  all.filter(wasServed).reduce((most, sample) => Math.max(most, leftOf(sample, figures) ?? 0), 0);

/** Finds what a server shows that forgets a key, in order of time. */
export const jumpsOf = onceEach((run: KeyRun): readonly Jump[] => {
  const { figures, clock, limit, windowMs } = run;
  const served = run.all.filter(wasServed);
  const { sent, answered } = timesOf(served);
  const whole = wholeOf(run);
  return served.flatMap((after, at): readonly Jump[] => {
    const now = leftOf(after, figures) ?? 0;
    if (now < whole - OVERTAKEN) return [];
    const place = lastAnsweredBefore(served, at);
    const before = served[place];
    if (before === undefined) return [];
    const left = leftOf(before, figures) ?? Infinity;
    const back = refillOver(after.answeredAt - before.sentAt, run);
    if (now <= left + back + FEWEST) return [];
    const since = after.answeredAt - soonestExitMs(figures);
    const recent =
      countWhile(answered, (time) => time <= after.sentAt) - countWhile(sent, (time) => time <= since);
    if (now <= whole - recent + FEWEST) return [];
    // Sound servers name a Reset that is rounded up twice.
    const isSooner =
      (resetTime(before, clock)?.earliest ?? -Infinity) > after.answeredAt + BOTH_ROUNDED_MS ||
      isMoving(served.slice(0, place + 1), run);
    // A window that ended just then names a wrong Reset, which is another fault.
    const began = served.findLast((one, earlier) => earlier <= place && leftOf(one, figures) === whole);
    const isOver =
      began !== undefined &&
      before.sentAt - began.answeredAt < longestByServer(windowMs) &&
      after.answeredAt - began.sentAt > surelyWithin(windowMs);
    return isSooner && !isOver
      ? [{ before, after, left, isClear: now - left > back + LARGEST_STEP * limit }]
      : [];
  });
});

/** Finds those that no refill explains, one of each moment. */
export function clearJumps(run: KeyRun): readonly Jump[] {
  const clear = jumpsOf(run).filter(({ isClear }) => isClear);
  return clear.filter((jump, at) => !clear.slice(0, at).some((earlier) => isTogether(earlier, jump)));
}

/** Returns the place of the last one that was answered before another one was sent. */
function lastAnsweredBefore(served: readonly Sample[], at: number): number {
  const sentAt = served[at]?.sentAt ?? -Infinity;
  let place = at - 1;
  while ((served[place]?.answeredAt ?? -Infinity) > sentAt) place -= 1;
  return place;
}

/** Share of a window over which a Reset that moves does so by more than both roundings. */
const MOVES_SHARE = 0.6;

/** Is true if Reset moved on little by little: no window ends at it. */
function isMoving(served: readonly Sample[], { figures }: KeyRun): boolean {
  const since = (served.at(-1)?.sentAt ?? 0) - MOVES_SHARE * minuteMs(figures);
  const from = served.findLastIndex(({ sentAt }) => sentAt < since) + 1;
  const resets = served.slice(from).flatMap(({ reset }) => unixReset(reset) ?? []);
  const isSmall = resets.every((reset, at) => reset - (resets[at - 1] ?? reset) <= minuteMs(figures) / 2);
  return isSmall && Math.max(...resets) - Math.min(...resets) > BOTH_ROUNDED_MS;
}
