import { unestablished, kept, untried, violated, type Judged } from '../findings/finding.js';
import { inOurTime, resetTime, type ServerClock } from './clock.js';
import { CLOCK_GRACE_MS } from './headers/reset-fault.js';
import { readRetryAfter } from '../../base/interface/retry-after.js';
import { describesDay, type Sample } from './sample.js';
import { BOTH_ROUNDED_MS, ROUNDED_UP_MS, minuteMs, type Figures } from './bounds.js';
import { subject, type KeyByClock } from './series.js';
import type { RateTally } from './headers/rate-tally.js';
import { DAY_MS } from '../../base/kernel/day.js';
import { count, counted } from '../../base/kernel/format.js';

/**
 * A Retry-After of at most one window, in seconds. A server that sends one does not send others in
 * milliseconds.
 */
function saysSeconds(refusal: Sample, figures: Figures): boolean {
  const after = readRetryAfter(refusal.retryAfter);
  return after.kind === 'seconds' && after.seconds >= 1 && after.seconds <= figures.minuteSeconds + 1;
}

/** A Retry-After in milliseconds seems this many windows long, with a wide margin. */
const MANY_WINDOWS = 100;

/**
 * Returns the unit of a Retry-After. It is milliseconds if seconds mean many windows, and milliseconds end at
 * Reset. If Reset is absent or past, they need only end within the window. Unknown if Reset fits neither.
 */
function unitOf(refusal: Sample, figures: Figures, clock: ServerClock | null) {
  const after = readRetryAfter(refusal.retryAfter);
  if (after.kind !== 'seconds' || describesDay(refusal, figures)) return 'seconds';
  if (after.seconds < MANY_WINDOWS * figures.minuteSeconds) return 'seconds';
  const reset = resetTime(refusal, clock);
  // A Reset in the past does not show when the wait ends.
  if (reset === null || reset.latest < refusal.answeredAt - BOTH_ROUNDED_MS)
    return after.seconds <= minuteMs(figures) + ROUNDED_UP_MS ? 'milliseconds' : 'unknown';
  const isThen = (end: number): boolean =>
    end >= reset.earliest - BOTH_ROUNDED_MS && end <= reset.latest + BOTH_ROUNDED_MS;
  if (isThen(refusal.answeredAt + after.seconds)) return 'milliseconds';
  return isThen(refusal.answeredAt + after.seconds * 1000) ? 'seconds' : 'unknown';
}

/** If no response shows the server's clock, it is assumed to be at most a year ahead of ours, ms. */
const ANY_CLOCK_MS = 365 * DAY_MS;

function isTooFar(refusal: Sample, longestMs: number, clock: ServerClock | null): boolean {
  const after = readRetryAfter(refusal.retryAfter);
  if (after.kind === 'seconds') return after.seconds * 1000 > longestMs + CLOCK_GRACE_MS;
  if (after.kind !== 'date') return false;
  const earliest = clock === null ? after.unixMs - ANY_CLOCK_MS : inOurTime(after.unixMs, clock).earliest;
  return earliest - refusal.answeredAt > longestMs + CLOCK_GRACE_MS;
}

/** Finds the fault in the Retry-After of one 429: the operation that lacks it, an invalid text, or a length. */
function retryAfterFault(
  refusal: Sample,
  figures: Figures,
  clock: ServerClock | null,
  inSeconds: boolean,
  longestMs: number,
) {
  const after = readRetryAfter(refusal.retryAfter);
  const header = `Retry-After: ${refusal.retryAfter}`;
  if (after.kind === 'absent')
    return { kind: refusal.operation, actual: `no Retry-After on a 429 to ${refusal.operation}` };
  if (after.kind === 'invalid') return { kind: after.text, actual: `Retry-After: ${after.text}` };
  if (!inSeconds && unitOf(refusal, figures, clock) === 'milliseconds')
    return { kind: 'milliseconds', actual: `${header}, which reads as milliseconds` };
  if (isTooFar(refusal, longestMs, clock))
    return { kind: 'too-far', actual: `${header}, further away than the longest window of the plan` };
  return null;
}

/** Judges `rate-retry-after-present`: every 429 carries whole seconds or an HTTP date, at most a day away. */
export function retryAfterPresent({
  key: { key, figures },
  clock,
  tally: { refusals },
}: KeyByClock & { readonly tally: RateTally }): Judged {
  if (refusals.length === 0) return unestablished('prerequisite', `${subject(key)} got no 429.`);
  const inSeconds = refusals.some((refusal) => saysSeconds(refusal, figures));
  // In a ban any wait is possible, as long as its operator declares none.
  const banSeconds = key === 'sacrificial' ? (figures.banSeconds ?? Infinity) : 0;
  const longestMs = 1000 * Math.max(figures.daySeconds, figures.minuteSeconds, banSeconds);
  const faults = refusals
    .map((refusal) => retryAfterFault(refusal, figures, clock, inSeconds, longestMs))
    .filter((fault) => fault !== null);
  const [first] = faults;
  if (first === undefined) {
    const found = kept([], `${counted(refusals.length, '429 response')} had a valid Retry-After.`);
    const isUndated =
      clock === null && refusals.some(({ retryAfter }) => readRetryAfter(retryAfter).kind === 'date');
    const odd = refusals.find((refusal) => !inSeconds && unitOf(refusal, figures, clock) === 'unknown');
    const why = 'no window is that long, and Reset does not confirm it';
    return [
      found,
      isUndated ? untried("how far away its dates are (no response shows the server's time)") : null,
      odd ? untried(`whether Retry-After: ${odd.retryAfter} is in seconds (${why})`) : null,
    ];
  }
  return violated([], `${subject(key)} gets a 429 without a valid Retry-After.`, {
    expected: "Retry-After in whole seconds (0 or more) or as an HTTP date, within the plan's longest window",
    actual: `${first.actual} (${count(faults.length)} of ${counted(refusals.length, '429 response')})`,
    measured: { what: [first.kind, faults.length === refusals.length ? 'all' : 'some'] },
  });
}
