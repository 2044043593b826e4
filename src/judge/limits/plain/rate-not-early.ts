import { count, duration } from '../../../base/kernel/format.js';
import { describesDay, wasRefused, wasServed } from '../sample.js';
import { leftOf } from './left.js';
import type { KeyRun } from './key-run.js';
import { spanMs } from './spans.js';
import { fault, held, open, type Shown } from './shown.js';

/** Share of the plan at which the steady run is sent (`drive/limits`). */
const STEADY_SHARE = 0.95;
/** Two refusals are no mishap. */
const MISHAP = 1;
/** A run that reaches less of its pace than this shows little of the plan. */
const LEAST_PACE = 0.85;
/** Fewest requests of the second window that show something. */
const FEW = 10;

/** Judges `rate-not-early`: at 95 % of the plan nothing is refused after the first window. */
export function notEarly(run: KeyRun): Shown | null {
  const { steady, windowMs, perMs, name, limit } = run;
  const least = wholeWindows(run);
  if (least !== null)
    return fault(`${name} gets 429 before its allowance is used up.`, {
      expected: `${count(limit)} requests allowed from silence, of a limiter that returns nothing within a window`,
      actual: `${count(least)} allowed in each burst, then 429`,
      measured: { most: limit, got: least, what: ['early'] },
    });
  const [first] = steady;
  if (first === undefined)
    return run.bursts.length === 0 ? null : open('too-little-data', `${name} had no steady run.`);
  // A sliding counter may hold the burst in the first window.
  const from = first.sentAt + windowMs;
  const late = steady.filter(({ sentAt }) => sentAt > from);
  const refused = late.filter((sample) => wasRefused(sample) && !describesDay(sample, run.figures));
  const spaced = refused.filter((sample) => {
    const before = steady.findLast((one) => wasServed(one) && one.sentAt < sample.sentAt);
    // A strict pacer may refuse what comes sooner than W / L after a request that it allowed.
    return before === undefined ? true : sample.sentAt - before.answeredAt >= 1 / perMs;
  });
  if (spaced.length > MISHAP)
    return fault(`${name} gets 429 before its allowance is used up.`, {
      expected: `no 429 at ${Math.round(100 * STEADY_SHARE)} % of the plan, a window after the run began`,
      actual: `${count(spaced.length)} of ${count(late.length)} requests got 429`,
      measured: { most: 0, got: spaced.length, what: ['steady'] },
    });
  const spaceMs = spanMs(late);
  const pace = spaceMs === 0 ? 0 : late.length / (STEADY_SHARE * perMs * spaceMs);
  const lost = late.filter((sample) => !wasServed(sample) && !wasRefused(sample)).length;
  if (lost > 0)
    return open(
      'transport',
      `${name}: ${count(lost)} of ${count(late.length)} requests of the steady run got no usable response.`,
    );
  if (late.length > FEW && pace > LEAST_PACE && refused.length === 0)
    return held(
      `No 429 to ${count(late.length)} requests at ${Math.round(100 * STEADY_SHARE * pace)} % of the plan.`,
    );
  const what =
    refused.length > 0
      ? `${count(refused.length)} of ${count(late.length)} requests refused, each sooner than its interval after the one before`
      : late.length === 0
        ? 'the steady run ended before its second window'
        : `the steady run came to ${Math.round(100 * STEADY_SHARE * pace)} % of the plan in ${duration(spaceMs)}`;
  return open(refused.length > 0 ? 'too-little-data' : 'slow-responses', `${name}: ${what}.`);
}

/**
 * Returns what each burst from silence got, where that is less than the plan, nothing comes back within a
 * window, and as much was promised again at Retry-After; else null. A bucket that holds less refills.
 */
function wholeWindows({ bursts, key, figures, limit, nothingRefills }: KeyRun): number | null {
  const ended = bursts.filter((burst) =>
    burst.some((sample) => wasRefused(sample) && !describesDay(sample, figures)),
  );
  const got = ended.map((burst) => burst.filter(wasServed).length);
  const [least] = got;
  const back = key.asked?.find(({ question }) => question === 'back' || question === 'steady');
  if (least === undefined || back === undefined || !nothingRefills || least >= limit) return null;
  const left = leftOf(back, figures);
  const isSame = got.length > 1 && got.every((one) => one === least);
  return isSame && wasServed(back) && left !== null && left + 1 === least ? least : null;
}
