import { resetTime, type ServerClock, inOurTime, type Between } from '../../limits/clock.js';
import { readReset } from '../../limits/headers/header-number.js';
import type { KeySeries, Figures } from '../../limits/series.js';
import { bySending, wasServed, type Sample } from '../../limits/sample.js';
import { longestByServer, minuteMs } from '../../limits/bounds.js';
import { readRetryAfter } from '../../limits/headers/retry-after.js';
import { isInMilliseconds } from '../../limits/timing.js';

/** The server's clock, which a date is held against, is known to a second. */
export const CLOCK_LATE_MS = 1250;
/** Reset is told in whole seconds, and may be rounded up. */
const ROUNDED_UP_MS = 1000;
/** A Reset may be rounded down: only a second later is a refusal a broken promise. */
const RESET_GRACE_MS = 1000;
/** The grace that `rate-headers-wellformed` gives a Reset in the past: beyond it the header is that row's. */
const PAST_MS = 4000;

/** Whether a request was sent when its answer tells whether a promise was kept. */
type Timing = 'too soon' | 'in time' | 'too late';

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
type AfterReset =
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

/** When to send again after a refusal, and what the time stands on. */
interface Return {
  readonly at: number;
  readonly basis: 'seconds' | 'date' | 'reset' | 'window';
  /** The server asked for longer than the profile may wait. */
  readonly capped: boolean;
}

/**
 * When to send the one request that judges Retry-After: after exactly that time, counted from the arrival of the 429; of a
 * date, when the server's clock has surely reached it. What is added is for two clocks that do not run alike, and nothing
 * for the server's rounding: a wait that is too short has to show. A Retry-After that cannot be read, or is in
 * milliseconds, gives way to Reset, and that to a whole window. `mostMs` caps the wait (default: two windows and 5 s).
 */
export function retryAt(
  refusal: Sample,
  figures: Figures,
  clock: ServerClock | null,
  mostMs: number = 2 * minuteMs(figures) + 5000,
): Return {
  const after = readRetryAfter(refusal.retryAfter);
  const latest = refusal.answeredAt + mostMs;
  const capped = (at: number, basis: Return['basis']): Return => ({
    at: Math.min(at, latest),
    basis,
    capped: at > latest,
  });
  if (after.kind === 'seconds' && !isInMilliseconds(refusal, figures, clock)) {
    return capped(refusal.answeredAt + longestByServer(after.seconds * 1000), 'seconds');
  }
  if (after.kind === 'date' && clock !== null) {
    const waitMs = inOurTime(after.unixMs, clock).latest - refusal.answeredAt;
    return capped(refusal.answeredAt + longestByServer(waitMs), 'date');
  }
  const reset = resetAt(refusal, clock);
  if (reset !== null) return capped(Math.max(reset, refusal.answeredAt), 'reset');
  return capped(refusal.answeredAt + minuteMs(figures) + 1000, 'window');
}

/** When to send the request that judges Reset: a second after it. Null where Reset cannot be read or placed. */
export function resetAt(refusal: Sample, clock: ServerClock | null): number | null {
  const reset = resetTime(refusal, clock);
  return reset === null ? null : reset.latest + 1000 + 50;
}

/**
 * When to ask once more for Reset's sake, after the retry. Null where the retry was served about then: it judges both,
 * and a second request might find the one that came back already used.
 */
export function resetRetryAt(refusal: Sample, retry: Sample, clock: ServerClock | null): number | null {
  const reset = resetTime(refusal, clock);
  return reset === null || (wasServed(retry) && retry.sentAt >= reset.latest) ? null : resetAt(refusal, clock);
}

/** When, in our time, Retry-After lets the client back; null where it does not say. */
export function endOfWait(refusal: Sample, clock: ServerClock | null): Between | null {
  const after = readRetryAfter(refusal.retryAfter);
  if (after.kind === 'seconds') {
    const waitMs = after.seconds * 1000;
    return { earliest: refusal.sentAt + waitMs, latest: refusal.answeredAt + waitMs };
  }
  if (after.kind !== 'date' || clock === null) return null;
  const { earliest, latest } = inOurTime(after.unixMs, clock);
  return { earliest, latest: Math.max(latest, refusal.answeredAt) };
}

/** Reset and Retry-After are both rounded. */
export const AGREEMENT_MS = 2000;

/** Whether the Reset of a refusal had come when it was answered, although it asks for a longer wait. */
export function resetHasPassed(refusal: Sample, clock: ServerClock | null): boolean {
  const [reset, wait] = [resetTime(refusal, clock), endOfWait(refusal, clock)];
  if (reset === null || wait === null) return false;
  return reset.latest < refusal.answeredAt && wait.earliest > refusal.answeredAt + AGREEMENT_MS;
}
