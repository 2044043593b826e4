import { bySending, wasServed } from '../../limits/answers.js';
import { resetTime, type ServerClock } from '../../limits/clock.js';
import { readReset } from '../../limits/headers/header-number.js';
import type { Sample } from '../../limits/sample.js';
import type { KeySeries } from '../../limits/series.js';

/** The server's clock, which a date is held against, is known to a second. */
export const CLOCK_LATE_MS = 1250;
/** Reset is told in whole seconds, and may be rounded up. */
const ROUNDED_UP_MS = 1000;
/** A Reset may be rounded down: only a second later is a refusal a broken promise. */
const RESET_GRACE_MS = 1000;
/** The grace that `rate-headers-wellformed` gives a Reset in the past: beyond it the header is that row's. */
const PAST_MS = 4000;

/** Whether a request was sent when its answer tells whether a promise was kept. */
export type Timing = 'too soon' | 'in time' | 'too late';

/**
 * The timing of a request after a moment that a refusal had named. Pure.
 * @param due when it should be served, ms in our time
 * @param lateMs how much later it may be sent and still tell of that moment
 */
export function timingOf(answer: Sample, due: number, lateMs: number): Timing {
  if (wasServed(answer)) return answer.sentAt > due + lateMs ? 'too late' : 'in time';
  return answer.status !== 0 && answer.sentAt < due ? 'too soon' : 'in time';
}

/** What was asked after the Reset of a refusal; where that names no moment that can be waited for, why. */
export type AfterReset =
  | { readonly kind: 'no-reset' | 'no-clock' | 'past' }
  | {
      readonly kind: 'asked';
      /** When Reset has come beyond doubt, ms in our time, */
      readonly latest: number;
      /** and with its rounding. */
      readonly due: number;
      /** By sending; what was refused before it had surely come, or served before it can have, is none of them. */
      readonly answers: readonly Sample[];
    };

type Recovery = Pick<KeySeries['recoveries'][number], 'refusal' | 'retry' | 'resetRetry'>;

/** See `AfterReset`. Pure. */
export function askedAfterReset({ refusal, retry, resetRetry }: Recovery, clock: ServerClock | null): AfterReset {
  if (readReset(refusal.reset)?.unit !== 'unix-seconds') return { kind: 'no-reset' };
  const reset = resetTime(refusal, clock);
  if (reset === null) return { kind: 'no-clock' };
  if (reset.latest < refusal.sentAt - PAST_MS) return { kind: 'past' };
  // What is told in whole seconds may be rounded up: who is served within a second before it has seen it come true.
  const answers = bySending([retry, resetRetry].filter((answer) => answer !== null)).filter(
    (answer) => answer.sentAt >= (wasServed(answer) ? reset.earliest - ROUNDED_UP_MS : reset.latest),
  );
  return { kind: 'asked', latest: reset.latest, due: reset.latest + RESET_GRACE_MS, answers };
}

/** Whether another wait for Reset would tell no more than this one did. Pure. */
export function resetWasTried(recovery: Recovery, clock: ServerClock | null): boolean {
  const after = askedAfterReset(recovery, clock);
  if (after.kind !== 'asked') return true;
  const inTime = after.answers.filter((answer) => timingOf(answer, after.due, CLOCK_LATE_MS) === 'in time');
  return inTime.some(wasServed) || (inTime.length > 0 && inTime[0] === after.answers[0]);
}
