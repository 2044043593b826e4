import { unixReset } from '../../base/interface/rate-headers.js';
import { onceEach } from '../../base/kernel/once-each.js';
import { countWhile } from '../../base/kernel/sorted.js';
import {
  BOTH_ROUNDED_MS,
  FEWEST,
  longestByServer,
  MOSTLY,
  NEARLY,
  OVERTAKEN,
  ROUNDED_UP_MS,
  SLACK,
  soonestExitMs,
  surelyWithin,
} from './bounds.js';
import { resetTime } from './clock.js';
import { CLOCK_GRACE_MS } from './headers/reset-fault.js';
import type { KeyRun } from './key-run.js';
import { leftOf, refillOver, timesOf, wasRefused, wasServed, type Sample } from './sample.js';

/** A Remaining that is whole again between two requests, sooner than a window, a refill and a log explain. */
export interface Jump {
  readonly before: Sample;
  readonly after: Sample;
  readonly left: number;
  readonly rise: number;
  /** How much of that an even refill explains. */
  readonly back: number;
  /** Is true if it may be a step of a refill: it is no larger, and there are more of them. */
  readonly isStep: boolean;
}

type Rise = Omit<Jump, 'isStep'>;

/** Is true if one moment explains both. */
export const isTogether = (own: Rise, other: Rise): boolean =>
  own.after.answeredAt > other.before.sentAt && own.before.sentAt < other.after.answeredAt;

/** Returns what is left of a key that nobody used: a bucket may hold less than the plan. */
export const wholeOf = ({ all, figures }: KeyRun): number =>
  all.filter(wasServed).reduce((most, sample) => Math.max(most, leftOf(sample, figures) ?? 0), 0);

/**
 * Is true if Resets in whole seconds show whether a window ended, or the half of one that brings a large
 * step.
 */
const isToldApart = ({ windowMs }: KeyRun): boolean => (NEARLY - MOSTLY) * windowMs > BOTH_ROUNDED_MS;

/** Finds what a server shows that forgets a key, in order of time. */
export const jumpsOf = onceEach((run: KeyRun): readonly Jump[] => {
  const rises = risesOf(run);
  const least = wholeOf(run) - OVERTAKEN;
  // A limiter that refills by steps shows another one that is alike.
  const isStep = (own: Rise): boolean =>
    !run.fallsSteadily &&
    own.rise <= own.back + MOSTLY * run.limit &&
    (!isToldApart(run) || rises.some((one) => one.rise >= MOSTLY * own.rise && !isTogether(own, one)));
  return rises.filter((own) => own.left + own.rise >= least).map((own) => ({ ...own, isStep: isStep(own) }));
});

/** Finds those that no refill explains, one of each moment. */
export function clearJumps(run: KeyRun): readonly Jump[] {
  const clear = jumpsOf(run).filter(({ rise, back, isStep }) => !isStep && rise > back + OVERTAKEN);
  return clear.filter((jump, at) => !clear.slice(0, at).some((earlier) => isTogether(earlier, jump)));
}

/**
 * Is true if a key was forgotten: it is whole again, and stays so. Otherwise its Remaining has several
 * counters.
 */
export const isForgotten = (jump: Jump, run: KeyRun): boolean => isWhole(jump, run) && !fallsAgain(jump, run);

/** Is true if as much is left as a key has at first: only requests under way together may be missing. */
function isWhole({ before, after, left, rise }: Jump, run: KeyRun): boolean {
  const others = run.all.filter(
    (one) => one !== after && one.answeredAt > before.answeredAt && one.sentAt < after.answeredAt,
  );
  return left + rise >= wholeOf(run) - others.length;
}

/** Is true if Remaining fell again after a jump, by more than was sent since. */
function fallsAgain({ after, left, rise }: Jump, { all, figures }: KeyRun): boolean {
  const later = all.filter(
    (sample) => (wasServed(sample) || wasRefused(sample)) && sample.sentAt >= after.answeredAt,
  );
  return later.some((sample) => {
    const to = leftOf(sample, figures) ?? Infinity;
    const sent = all.filter((one) => one.answeredAt > after.sentAt && one.sentAt <= sample.sentAt).length - 1;
    return to <= left && left + rise - to > sent + SLACK;
  });
}

/** Finds each Remaining that rose otherwise than by an even refill, a log, or a window that was announced. */
function risesOf(run: KeyRun): readonly Rise[] {
  const { figures, windowMs } = run;
  const served = run.all.filter(wasServed);
  const { sent, answered } = timesOf(served);
  const whole = wholeOf(run);
  return served.flatMap((after, at): readonly Rise[] => {
    const place = lastAnsweredBefore(served, at);
    const before = served[place];
    if (before === undefined) return [];
    const now = leftOf(after, figures) ?? 0;
    const left = leftOf(before, figures) ?? Infinity;
    const back = refillOver(after.answeredAt - before.sentAt, run);
    if (now <= left + back + FEWEST) return [];
    const since = after.answeredAt - soonestExitMs(figures);
    const recent =
      countWhile(answered, (time) => time <= after.sentAt) - countWhile(sent, (time) => time <= since);
    if (
      now <= whole - recent + FEWEST ||
      isNextWindow(before, after, run) ||
      isBucketBeside(before, after, run)
    )
      return [];
    // A window that ended just then names a wrong Reset, which is another fault.
    const began = served.findLast((one, earlier) => earlier <= place && leftOf(one, figures) === whole);
    const isOver =
      began !== undefined &&
      before.sentAt - began.answeredAt < longestByServer(windowMs) &&
      after.answeredAt - began.sentAt > surelyWithin(windowMs);
    return isOver ? [] : [{ before, after, left, rise: now - left, back }];
  });
}

/** Is true if a window may have ended about when its Reset says: then the next one ends a window later. */
function isNextWindow(before: Sample, after: Sample, { clock, windowMs }: KeyRun): boolean {
  const [ended, next] = [unixReset(before.reset), unixReset(after.reset)];
  const isDue = (resetTime(before, clock)?.earliest ?? -Infinity) <= after.answeredAt + CLOCK_GRACE_MS;
  return isDue && (ended === null || next === null || next - ended >= NEARLY * windowMs - ROUNDED_UP_MS);
}

/**
 * Is true if a window ended when its Reset says, and the response after it describes a bucket beside it that
 * is nearly full: headers describe what has less left.
 */
function isBucketBeside(before: Sample, after: Sample, run: KeyRun): boolean {
  const [ended, full] = [before, after].map((sample) => resetTime(sample, run.clock));
  const lacks = run.limit - (leftOf(after, run.figures) ?? 0);
  const isOver = (ended?.earliest ?? Infinity) <= after.answeredAt;
  const fullMs = lacks / run.perMs + BOTH_ROUNDED_MS;
  return isToldApart(run) && isOver && (full?.earliest ?? Infinity) <= after.answeredAt + fullMs;
}

function lastAnsweredBefore(served: readonly Sample[], at: number): number {
  const sentAt = served[at]?.sentAt ?? -Infinity;
  let place = at - 1;
  while ((served[place]?.answeredAt ?? -Infinity) > sentAt) place -= 1;
  return place;
}
