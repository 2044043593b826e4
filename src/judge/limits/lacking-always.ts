import { minuteMs, type Figures } from './bounds.js';
import { resetTime, type ServerClock } from './clock.js';
import { describesDay, wasRefused, wasServed } from './sample.js';
import { endOfWait } from './when-allowed.js';
import type { Asked } from './asked.js';
import {
  burstsOf,
  FEWEST,
  fromSilence,
  hadBy,
  hadWhileWatched,
  servesPlan,
  TWICE,
  type Step,
} from './unexplained.js';

/* A key that always lacks some of its plan: somebody else stands in its log, or the server holds less. */

/** Requests of so much of a window still stand in a log, whatever parts it forgets. */
const RECENT_SHARE = 3 / 4;
/** A key that is refused so often in a row cannot be watched. */
const IN_VAIN = 7;
/** So many single requests meet somebody who uses a twelfth of a bucket's refill, but for 3 %. */
const WATCHED_LONG = 40;

const isFlat = (had: readonly number[]): boolean => had.every((one) => one === had[0]);

/** Is true if watching a key longer shows nothing more: only a full bucket hides others for a while. */
export function isWatchedEnough(asked: readonly Asked[], figures: Figures): boolean {
  const had = hadWhileWatched(asked, figures);
  return had.length >= WATCHED_LONG || !isFlat(had);
}

/**
 * A key lacks some of its plan after each silence: a log in which somebody else's requests stand, or a server
 * that holds less. It is the server where it serves the plan all the same, its own windows show, or a bucket
 * is always as full.
 */
export function lackingAlways(
  steps: readonly Step[],
  asked: readonly Asked[],
  figures: Figures,
  clock: ServerClock | null,
): { readonly left: number; readonly requests: number } | null {
  const silent = fromSilence(asked, figures);
  const [last, most] = [asked.at(-1), Math.max(...silent.map(({ had }) => had))];
  const isGone = asked.length >= IN_VAIN && asked.slice(-IN_VAIN).every(wasRefused);
  const isKnown =
    last?.question === 'watch' ||
    (isGone && (silent.filter(({ had }) => had > 0).length >= TWICE || most < FEWEST));
  const watched = hadWhileWatched(asked, figures);
  const isOwn =
    servesPlan(burstsOf(asked), figures) ||
    (watched.length > FEWEST && isFlat(watched)) ||
    areOwnWindows(asked, figures, clock) ||
    steps.some((step) => isRestart(step, most, asked, figures));
  const requests = figures.perMinute - most;
  return isKnown && requests >= FEWEST && !isOwn ? { requests, left: most } : null;
}

/** Is true if each refusal of a burst from silence ends a window after the burst began: nothing older counts. */
function areOwnWindows(asked: readonly Asked[], figures: Figures, clock: ServerClock | null): boolean {
  const ends = burstsOf(asked).flatMap((burst) => {
    const refusal = burst.find((sample) => wasRefused(sample) && !describesDay(sample, figures));
    const due = (burst[0]?.sentAt ?? 0) + minuteMs(figures);
    return refusal === undefined
      ? []
      : [endOfWait(refusal, clock), resetTime(refusal, clock)].flatMap((end) =>
          end === null ? [] : [end.latest >= due],
        );
  });
  return ends.length > 0 && ends.every(Boolean);
}

/** Is true if all is there again at once, while the run's own requests would still stand in a log. */
function isRestart({ after, lost }: Step, most: number, asked: readonly Asked[], figures: Figures): boolean {
  if (lost > -FEWEST || hadBy(after, figures) !== most) return false;
  const from = after.sentAt - RECENT_SHARE * minuteMs(figures);
  const recent = asked.filter((one) => wasServed(one) && one.sentAt > from && one.answeredAt <= after.sentAt);
  return recent.length >= FEWEST;
}
