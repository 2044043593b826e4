import { wasRefused } from '../../limits/answers.js';
import type { ServerClock } from '../../limits/clock.js';
import { isBan } from '../../limits/ban-signs.js';
import { banDeadline, banSeen, GRACE_MS, LONGEST_WATCH_MS } from './seen.js';
import { letsBackAt } from '../../limits/lets-back-at.js';
import type { Sample } from '../../limits/sample.js';
import type { BanSeries, Figures } from '../../limits/series.js';

/** Whether the last answer of the requests sent on after 429 is that of a ban, so that no more are to be sent. */
export function banBegan(pushed: readonly Sample[], figures: Figures): boolean {
  const first = pushed.find(wasRefused);
  const last = pushed.at(-1);
  return first !== undefined && last !== undefined && last !== first && isBan(last, first, figures);
}

/**
 * When to ask whether the ban is over, or, where none was seen, whether the limit alone had refused: just after it should
 * be. Null where neither the answers nor the operator say when; then it is asked now and then, for 15 minutes.
 */
export function banProbeAt(
  { pushed, watched, declaredSeconds }: Pick<BanSeries, 'pushed' | 'watched' | 'declaredSeconds'>,
  figures: Figures,
  clock: ServerClock | null,
): number | null {
  const ban = banSeen({ pushed, watched }, figures, clock);
  const last = ban?.last ?? pushed.at(-1);
  if (last === undefined) return null;
  const at = ban === null ? letsBackAt(last, clock) : banDeadline(ban, declaredSeconds, clock);
  // A refusal that names the year 9999 says nothing that a run can wait for.
  if (at === null || at > last.answeredAt + LONGEST_WATCH_MS + (declaredSeconds ?? 0) * 1000) return null;
  return Math.max(at + GRACE_MS + 50, last.answeredAt);
}
