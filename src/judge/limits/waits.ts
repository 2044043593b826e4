import { resetTime, type ServerClock, inOurTime, type Between } from './clock.js';
import { unixReset } from '../../base/interface/rate-headers.js';
import { returnsIn } from './key-samples.js';
import type { RecoverySeries } from './series.js';
import { bySending, wasServed, type Sample } from './sample.js';
import { longestByServer, minuteMs, ROUNDED_UP_MS, type Figures } from './bounds.js';
import { readRetryAfter } from '../../base/interface/retry-after.js';
import { CLOCK_GRACE_MS } from './headers/reset-fault.js';
import { AGREEMENT_MS, isInMilliseconds } from './timing.js';

/** Slack for a date: the server's clock is known to a second, ms. */
export const CLOCK_LATE_MS = 1250;
/** A Reset may be rounded down: only a 429 a second later breaks the promise, ms. */
const RESET_GRACE_MS = 1000;

/**
 * Returns the timing of a request after a time that a 429 named. Pure.
 *
 * @param due when it should succeed, ms in our time
 * @param lateMs most lateness at which it still judges that time
 */
export function timingOf(answer: Sample, due: number, lateMs: number): 'too soon' | 'in time' | 'too late' {
  if (wasServed(answer)) return answer.sentAt > due + lateMs ? 'too late' : 'in time';
  return answer.status !== 0 && answer.sentAt < due ? 'too soon' : 'in time';
}

/** Requests after the Reset of a 429, or the reason why it names no time to wait for. */
type AfterReset =
  | { readonly kind: 'no-reset' | 'no-clock' | 'past' }
  | {
      readonly kind: 'asked';
      /** Time at which Reset has certainly come, ms in our time. */
      readonly latest: number;
      /** Also with its rounding. */
      readonly due: number;
      /** In order of sending, without a 429 that came too early for sure and a success that came before Reset. */
      readonly answers: readonly Sample[];
    };

type Recovery = Omit<RecoverySeries, 'refusals'>;

/** Finds the requests after Reset (`AfterReset`). Pure. */
export function requestsAfterReset(recovery: Recovery, clock: ServerClock | null): AfterReset {
  const { refusal } = recovery;
  if (unixReset(refusal.reset) === null) return { kind: 'no-reset' };
  const reset = resetTime(refusal, clock);
  if (reset === null) return { kind: 'no-clock' };
  // Beyond that slack, `rate-headers-wellformed` reports the header.
  if (reset.latest < refusal.sentAt - CLOCK_GRACE_MS) return { kind: 'past' };
  // Reset may be rounded up to whole seconds: a success up to a second earlier confirms it.
  const answers = bySending(returnsIn([recovery])).filter(
    (answer) => answer.sentAt >= (wasServed(answer) ? reset.earliest - ROUNDED_UP_MS : reset.latest),
  );
  return { kind: 'asked', latest: reset.latest, due: reset.latest + RESET_GRACE_MS, answers };
}

/** Is true if another wait for Reset would show no more. Pure. */
export function resetWasTried(recovery: Recovery, clock: ServerClock | null): boolean {
  const after = requestsAfterReset(recovery, clock);
  if (after.kind !== 'asked') return true;
  const inTime = after.answers.filter((answer) => timingOf(answer, after.due, CLOCK_LATE_MS) === 'in time');
  return inTime.some(wasServed) || (inTime.length > 0 && inTime[0] === after.answers[0]);
}

/**
 * Returns when to send the one request that judges Retry-After: exactly that long after the 429 came, or when
 * the server's clock has certainly reached a date. It allows for two different clocks, not for the server's
 * rounding: a wait that is too short must show. An unreadable Retry-After, or one in milliseconds, gives way
 * to Reset, then to a whole window. `mostMs` caps the wait (default: two windows and 5 s); `capped` is true
 * if the server demands a longer one.
 */
export function retryAt(
  refusal: Sample,
  figures: Figures,
  clock: ServerClock | null,
  mostMs: number = 2 * minuteMs(figures) + 5000,
) {
  const after = readRetryAfter(refusal.retryAfter);
  const since = refusal.answeredAt;
  const capped = (waitMs: number) => ({ at: since + Math.min(waitMs, mostMs), capped: waitMs > mostMs });
  if (after.kind === 'seconds' && !isInMilliseconds(refusal, figures, clock))
    return capped(longestByServer(after.seconds * 1000));
  if (after.kind === 'date' && clock !== null)
    return capped(longestByServer(inOurTime(after.unixMs, clock).latest - since));
  const reset = resetAt(refusal, clock);
  return capped(reset === null ? minuteMs(figures) + 1000 : Math.max(0, reset - since));
}

/** Returns when to send the request that judges Reset: 1 s after it. Null if its time is unknown. */
export function resetAt(refusal: Sample, clock: ServerClock | null): number | null {
  const reset = resetTime(refusal, clock);
  return reset === null ? null : reset.latest + 1000 + 50;
}

/**
 * Returns when to judge Reset after the retry. Null if the retry succeeded about then: it judges both, and a
 * second request might find the refill used.
 */
export function resetRetryAt(refusal: Sample, retry: Sample, clock: ServerClock | null): number | null {
  const reset = resetTime(refusal, clock);
  return reset === null || (wasServed(retry) && retry.sentAt >= reset.latest)
    ? null
    : resetAt(refusal, clock);
}

/** Returns the end of Retry-After by our clock; null if it names none. */
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

/** Is true if Reset was in the past when the 429 came, although Retry-After demands a longer wait. */
export function resetHasPassed(refusal: Sample, clock: ServerClock | null): boolean {
  const [reset, wait] = [resetTime(refusal, clock), endOfWait(refusal, clock)];
  if (reset === null || wait === null) return false;
  return reset.latest < refusal.answeredAt && wait.earliest > refusal.answeredAt + AGREEMENT_MS;
}
