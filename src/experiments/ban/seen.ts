import { wasRefused, wasServed } from '../../limits/answers.js';
import type { ServerClock } from '../../limits/clock.js';
import { readRetryAfter } from '../../limits/headers/retry-after.js';
import type { Sample } from '../../limits/sample.js';
import type { BanSeries, Figures } from '../../limits/series.js';
import { isBan, refusesKey } from '../../limits/ban-signs.js';
import { letsBackAt } from '../../limits/lets-back-at.js';

/** Where nobody says how long a ban lasts, it is watched for this long. */
export const LONGEST_WATCH_MS = 15 * 60 * 1000;
/** The end of a ban is told in whole seconds, and timers may be late. */
export const GRACE_MS = 1000 + 250;

/** A ban that was seen. */
export interface Ban {
  /** The first answer of the ban. */
  readonly began: Sample;
  /** 429s before it, since the last request that was served. */
  readonly refusals: number;
  /** The last answer before the silence that it is waited out in: what it says of the ban's end counts. */
  readonly last: Sample;
  /** How the limit itself had refused before. */
  readonly limitRefusal: Sample;
  /** The answers of the ban differ from those of the limit. */
  readonly tellsItself: boolean;
}

/**
 * The ban in a series of requests sent on after 429; null when there is none. A ban shows as a refusal of the key
 * itself, as a 429 that no window explains, or, where nothing else tells, as a 429 after the wait that was asked for. The
 * last of those requests may have brought it and been refused by the limit still: then the first answer after that wait
 * is the first that speaks of the ban.
 */
export function banSeen(
  { pushed, watched }: Pick<BanSeries, 'pushed' | 'watched'>,
  figures: Figures,
  clock: ServerClock | null,
): Ban | null {
  const firstRefusal = pushed.findIndex(wasRefused);
  if (firstRefusal === -1) return null;
  const limitRefusal = pushed[firstRefusal];
  const last = pushed.at(-1);
  if (limitRefusal === undefined || last === undefined) return null;
  const place = pushed.findIndex((sample, index) => index > firstRefusal && isBan(sample, limitRefusal, figures));
  const began = pushed[place];
  if (began !== undefined)
    return { began, refusals: pushed.slice(0, place).filter(wasRefused).length, last, limitRefusal, tellsItself: true };
  const back = letsBackAt(last, clock);
  const waitedOut = watched.find(
    (sample) => refusesKey(sample) || (back !== null && sample.sentAt >= back + GRACE_MS) || wasServed(sample),
  );
  if (waitedOut === undefined || wasServed(waitedOut) || waitedOut.status === 0) return null;
  return {
    began: waitedOut,
    refusals: pushed.filter(wasRefused).length,
    last: waitedOut,
    limitRefusal,
    tellsItself: isBan(waitedOut, limitRefusal, figures),
  };
}

/** The ban is over: the key is served, or refused as the limit does, which counts on while the ban lasts. */
export const isOver = (answer: Sample, ban: Ban, figures: Figures): boolean =>
  wasServed(answer) || (ban.tellsItself && wasRefused(answer) && !isBan(answer, ban.limitRefusal, figures));

/** When a ban has to be over, in our time: when its answers say, and no later than the operator promises. */
export function banDeadline(
  { began, last }: Ban,
  declaredSeconds: number | null,
  clock: ServerClock | null,
): number | null {
  // Reset speaks of a window, and a wait that cannot be read of nothing.
  const isTold = ['seconds', 'date'].includes(readRetryAfter(last.retryAfter).kind);
  const told = isTold ? letsBackAt(last, clock) : null;
  const declared = declaredSeconds === null ? null : began.answeredAt + declaredSeconds * 1000;
  if (told === null || declared === null) return told ?? declared;
  return Math.min(told, declared);
}
