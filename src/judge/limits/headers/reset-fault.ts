import type { Between, ServerClock } from '../clock.js';
import { readReset, RATE_HEADERS, type RateHeader } from '../../../base/interface/rate-headers.js';
import { duration } from '../../../base/kernel/format.js';
import type { Figures } from '../bounds.js';
import { describedWindow, isPlanAnswer, wasRefused, type Sample } from '../sample.js';

/* The fault in one response's Reset. */

/** Fault in the rate headers of one response. `kind` groups the same fault over many responses. */
export interface HeaderFault {
  readonly kind:
    | 'missing'
    | 'repeated'
    | 'decimal'
    | 'not-integer'
    | 'negative'
    | 'above-limit'
    | 'unit'
    | 'to-go'
    | 'past'
    | 'too-far'
    | 'not-the-plans';
  /** Header that shows it; the first of several missing ones. */
  readonly header: RateHeader;
  readonly expected: string;
  readonly actual: string;
}

/** Reset is rounded up by up to 1 s. A correct server may send a `Date` that is 2.3 s old. */
export const CLOCK_GRACE_MS = 4000;

/** A `Date` that is off by more than this is of another clock than ours; a stale one was seen to be 4.7 s old. */
const OUR_CLOCK_MS = 10_000;

/**
 * Server's time when it counted the request, Unix ms, by each of its witnesses: it lies somewhere between
 * sending and response. One is the response's `Date`, read at some other moment of that span, and sometimes
 * stale. The other is the clock that all responses show; without it our own, if `Date` is near it.
 */
function serverTimes({ date, sentAt, answeredAt }: Sample, clock: ServerClock | null): readonly Between[] {
  const underWayMs = answeredAt - sentAt;
  const isNear = date !== null && date >= sentAt - OUR_CLOCK_MS && date <= answeredAt + OUR_CLOCK_MS;
  const known = clock ?? (isNear ? { lowMs: 0, highMs: 0 } : null);
  return [
    date === null ? null : { earliest: date - underWayMs, latest: date + underWayMs },
    known === null ? null : { earliest: sentAt + known.lowMs, latest: answeredAt + known.highMs },
  ].filter((time) => time !== null);
}

/**
 * Longest time that the Reset of a refusal may be ahead if the refusal may speak of a ban, ms. A ban may last
 * as long as the target file says; without that, as long as the longest window of the plan.
 */
const longestBanMs = ({ banSeconds, daySeconds, minuteSeconds }: Figures): number =>
  (banSeconds ?? Math.max(daySeconds, minuteSeconds)) * 1000;

/**
 * Returns how far ahead the Reset of a response may be, ms: the window that its Limit describes, or the day's
 * if Limit is neither figure of the plan. A 401 belongs to no plan, so its Limit describes no window (variant
 * anonymous-allowance-of-an-hour).
 */
export function mostAheadMs(sample: Sample, figures: Figures, mayBeBan: boolean): number {
  const isMinute = isPlanAnswer(sample) && describedWindow(sample, figures) === 'minute';
  const windowSeconds = isMinute
    ? figures.minuteSeconds
    : Math.max(figures.daySeconds, figures.minuteSeconds);
  return Math.max(windowSeconds * 1000, mayBeBan && wasRefused(sample) ? longestBanMs(figures) : 0);
}

/**
 * Returns the fault in one response's Reset: it is no Unix time in seconds, or the server's time does not
 * allow it, as far as that is known; null without one.
 */
export function resetFault(
  sample: Sample,
  figures: Figures,
  clock: ServerClock | null,
  mayBeBan: boolean,
): HeaderFault | null {
  const reset = readReset(sample.reset);
  const fault = (kind: HeaderFault['kind'], expected: string, actual: string): HeaderFault => ({
    header: 'reset',
    kind,
    expected: `${RATE_HEADERS.reset} ${expected}`,
    actual,
  });
  if (reset === null) return null;
  if (reset.unit !== 'unix-seconds') {
    const isToGo = reset.unit === 'seconds-to-go';
    const read = isToGo
      ? `${reset.seconds}, which reads as seconds to go`
      : `${reset.unixMs}, which is not in seconds`;
    return fault(isToGo ? 'to-go' : 'unit', 'as a Unix time in seconds', `${RATE_HEADERS.reset}: ${read}`);
  }
  const times = serverTimes(sample, clock);
  if (times.length === 0) return null;
  const windowMs = mostAheadMs(sample, figures, mayBeBan);
  // Wrong only where both Date and the clock say so: a Date may stand still for seconds on a busy server.
  const pastMs = Math.min(...times.map(({ earliest }) => earliest)) - reset.unixMs;
  const aheadMs = reset.unixMs - Math.max(...times.map(({ latest }) => latest));
  if (pastMs > CLOCK_GRACE_MS)
    return fault('past', "not before the server's time", `a Reset ${duration(pastMs)} in the past`);
  if (aheadMs > windowMs + CLOCK_GRACE_MS)
    return fault('too-far', `at most ${duration(windowMs)} ahead`, `a Reset ${duration(aheadMs)} ahead`);
  return null;
}
