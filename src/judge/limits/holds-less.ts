import type { Account, Step } from './account.js';
import { MOST_REFUSED } from './asked.js';
import { FEWEST, minuteMs, soonestExitMs } from './bounds.js';
import { resetTime } from './clock.js';
import { describesDay, servedIn, wasRefused, wasServed } from './sample.js';
import { endOfWait } from './when-allowed.js';

/** A key that is refused so often in a row cannot be watched: one refusal is left. */
const IN_VAIN = MOST_REFUSED - 1;

/** Is true if single requests of a key found the same each time. */
export const isFlat = (had: readonly number[]): boolean => had.every((one) => one === had[0]);

/**
 * A key lacks some of its plan after each silence: a log in which somebody else's requests stand, or a server
 * that holds less. It is the server where it serves the plan all the same, its own windows show, or a bucket
 * is always as full.
 */
export function holdsLess(account: Account): { readonly left: number; readonly requests: number } | null {
  const { asked, figures, bursts, steps, afterSilence, watched } = account;
  const most = Math.max(...afterSilence);
  const isGone = asked.length >= IN_VAIN && asked.slice(-IN_VAIN).every(wasRefused);
  const isKnown =
    asked.at(-1)?.question === 'watch' ||
    (isGone && (afterSilence.filter((had) => had > 0).length > 1 || most < FEWEST));
  const isOwn =
    bursts.some((burst) => servedIn(burst) >= figures.perMinute) ||
    (watched.length > FEWEST && isFlat(watched)) ||
    areOwnWindows(account) ||
    steps.some((step) => step.had === most && isRestart(step, account));
  const requests = figures.perMinute - most;
  return isKnown && requests > 0 && !isOwn ? { requests, left: most } : null;
}

/** Is true if each refusal of a burst from silence ends a window after the burst began: nothing older counts. */
function areOwnWindows({ bursts, figures, clock }: Account): boolean {
  const ends = bursts.flatMap((burst) => {
    const refusal = burst.find((sample) => wasRefused(sample) && !describesDay(sample, figures));
    const due = (burst[0]?.sentAt ?? 0) + minuteMs(figures);
    const named = refusal === undefined ? [] : [endOfWait(refusal, clock), resetTime(refusal, clock)];
    return named.flatMap((end) => (end === null ? [] : [end.latest >= due]));
  });
  return ends.length > 0 && ends.every(Boolean);
}

/**
 * Is true if much is back in one go, while the run's own requests would still stand in a log: a window of the
 * clock.
 */
function isRestart({ after, lost }: Step, { asked, figures }: Account): boolean {
  if (lost > -FEWEST) return false;
  const from = after.sentAt - soonestExitMs(figures);
  const recent = asked.filter((one) => wasServed(one) && one.sentAt > from && one.answeredAt <= after.sentAt);
  return recent.length >= FEWEST;
}
