import { resetTime, type ServerClock } from './clock.js';
import { duration } from '../../base/kernel/format.js';
import type { Figures } from './bounds.js';
import type { BanSeries } from './series.js';
import { isBan, refusesKey } from './ban-signs.js';
import { wasRefused, wasServed, type Sample, refusedIn } from './sample.js';
import { endOfWait } from './when-allowed.js';

/* Reads a ban from what came after a 429: where it began, and when it ends. The senders read it as well. */

/** Longest watch on a ban of unknown length. */
export const LONGEST_WATCH_MS = 15 * 60 * 1000;
/** Slack, ms: the end of a ban is in whole seconds, and timers may be late. */
export const GRACE_MS = 1000 + 250;

/** Allowances that a key uses up for its ban: a window may end among the refused requests. */
export const ALLOWANCES = 2;

export type Ban = NonNullable<ReturnType<typeof banSeen>>;

/**
 * Finds the ban in requests after a 429; null without one. A ban shows as a refusal of the key itself, as a
 * 429 that no window explains, or as a 429 after the wait. The last of those requests may have caused the ban
 * and still got the limit's 429. Then the first response after the wait is the ban's first. `refusals` are
 * the 429s before it. `last` names the end of the ban, and `isOver` is true for a response after it: a
 * success, or the limit's own 429, since the limit counts during the ban.
 */
export function banSeen(
  { pushed, watched }: Pick<BanSeries, 'pushed' | 'watched'>,
  figures: Figures,
  clock: ServerClock | null,
) {
  const firstRefusal = pushed.findIndex(wasRefused);
  const limitRefusal = pushed[firstRefusal];
  const last = pushed.at(-1);
  if (limitRefusal === undefined || last === undefined) return null;
  const isOfBan = (answer: Sample): boolean => isBan(answer, limitRefusal, figures);
  const place = pushed.findIndex((sample, index) => index > firstRefusal && isOfBan(sample));
  const found = (began: Sample, before: readonly Sample[], named: Sample) => {
    const isOver = (answer: Sample): boolean =>
      wasServed(answer) || (isOfBan(began) && wasRefused(answer) && !isOfBan(answer));
    return { began, refusals: refusedIn(before), last: named, isOver, end: watched.find(isOver) };
  };
  const began = pushed[place];
  if (began !== undefined) return found(began, pushed.slice(0, place), last);
  const back = (endOfWait(last, clock) ?? resetTime(last, clock))?.latest ?? null;
  const waitedOut = watched.find(
    (sample) =>
      refusesKey(sample) || (back !== null && sample.sentAt >= back + GRACE_MS) || wasServed(sample),
  );
  if (waitedOut === undefined || wasServed(waitedOut) || waitedOut.status === 0) return null;
  return found(waitedOut, pushed, waitedOut);
}

/** Returns when a ban must be over, by our clock: at its named end or the operator's, whichever is earlier. */
export function banDeadline({ began, last }: Ban, { banSeconds }: Figures, clock: ServerClock | null) {
  // Reset describes a window, not the ban; an unreadable wait says nothing.
  const named = endOfWait(last, clock)?.latest ?? null;
  const declared = banSeconds === undefined ? null : began.answeredAt + banSeconds * 1000;
  if (named === null || declared === null) return named ?? declared;
  return Math.min(named, declared);
}

export const overText = (end: Sample | undefined, began: Sample): string =>
  end === undefined
    ? 'not over at the last request'
    : `over after ${duration(end.sentAt - began.answeredAt)}`;
