import type { Account } from './account.js';
import { MOST_REFUSED } from './asked.js';
import { FEWEST, isLongBySeconds, minuteMs, ROUNDED_UP_MS } from './bounds.js';
import { partsOf, planOf } from './bursts.js';
import { unixReset } from '../../base/interface/rate-headers.js';
import { resetTime } from './clock.js';
import { servedIn, wasRefused, wasRefusedByMinute, wasServed } from './sample.js';
import { isFlat } from './watched.js';
import { endOfWait } from './when-allowed.js';

/** A key that is refused so often in a row cannot be watched: one refusal is left. */
const IN_VAIN = MOST_REFUSED - 1;

/**
 * A key lacks some of its plan after each silence: a log in which somebody else's requests stand, or a server
 * that holds less. It is the server where it serves the plan all the same, its own windows show, or a bucket
 * is always as full.
 */
export function holdsLess(account: Account): { readonly left: number; readonly requests: number } | null {
  const { asked, figures, bursts, afterSilence, watched } = account;
  if (afterSilence.length === 0) return null;
  const most = Math.max(...afterSilence);
  const plan = planOf(figures);
  const requests = plan.limit - most;
  const isGone = asked.length >= IN_VAIN && asked.slice(-IN_VAIN).every(wasRefused);
  const isKnown =
    asked.at(-1)?.question === 'watch' ||
    (isGone && (afterSilence.filter((had) => had > 0).length > 1 || most < FEWEST));
  const isOwn =
    bursts.flatMap((burst) => partsOf(burst, plan)).some((part) => servedIn(part) >= plan.limit) ||
    (watched.length > FEWEST && isFlat(watched)) ||
    areOwnWindows(account);
  return isKnown && requests > 0 && !isOwn ? { requests, left: most } : null;
}

/**
 * Is true if each refusal of a burst from silence ends a window after the burst began, at unlike times of a
 * window: nothing older counts, and nobody who comes once a window began it.
 */
function areOwnWindows({ bursts, figures, clock }: Account): boolean {
  const windowMs = minuteMs(figures);
  const ended = bursts.flatMap((burst) => {
    const refusal = burst.find((sample) => wasRefusedByMinute(sample, figures));
    const [lone] = burst;
    if (lone === undefined || refusal === undefined) return [];
    // A log names its oldest request, which may leave it before the refusal.
    const named = [resetTime(lone, clock), endOfWait(refusal, clock), resetTime(refusal, clock)];
    return named.flatMap((end) =>
      end === null ? [] : [{ began: lone.sentAt, isOwn: end.latest >= lone.sentAt + windowMs }],
    );
  });
  const [first] = ended;
  return (
    ended.every(({ isOwn }) => isOwn) &&
    ended.some(({ began }) => apartIn(windowMs, began, first?.began ?? 0) > ROUNDED_UP_MS)
  );
}

/** Is true if windows of all keys begin together, by their Resets: those of a clock, which no client begins. */
export function areOfClock(accounts: readonly Account[]): boolean {
  const resets = accounts.flatMap(({ all }) => all.filter(wasServed).map(({ reset }) => unixReset(reset)));
  const first = resets[0] ?? NaN;
  return (
    accounts.length > 1 &&
    accounts.every(
      ({ figures }) =>
        isLongBySeconds(figures) &&
        resets.every((reset) => apartIn(minuteMs(figures), reset ?? NaN, first) <= ROUNDED_UP_MS),
    )
  );
}

/** Returns how far apart two times are within a window, ms. */
function apartIn(windowMs: number, one: number, other: number): number {
  const apart = Math.abs(one - other) % windowMs;
  return Math.min(apart, windowMs - apart);
}
