import { blocked, unestablished, about, violated, kept, untried, type Finding } from '../../findings/finding.js';
import type { RequirementId } from '../../contract/types.js';
import { bySending, wasServed } from '../../limits/answers.js';
import { inShort, isLongBySeconds } from '../../limits/bounds.js';
import type { Clump } from '../../limits/came-back.js';
import type { ServerClock } from '../../limits/clock.js';
import { count, counted, duration } from '../../format/format.js';
import { subject } from '../../limits/say.js';
import type { KeySeries } from '../../limits/series.js';
import { showsLength } from './shows-length.js';
import { tellsShorter } from './tells-shorter.js';
import { tellsUnequal } from './tells-unequal.js';
import { windowBreach } from './window-breach.js';
import { windowProgress } from './window-progress.js';
import { burstsOf } from './bursts-of.js';

const ROW = 'rate-window';

/**
 * `rate-window`: in any span of a window at most twice the limit is served, whatever the algorithm.
 * @param blocker the row that is charged where a single window is not limited; null where it is
 */
export function windowLength(
  key: KeySeries,
  clock: ServerClock | null,
  blocker: RequirementId | null,
  known: Clump,
): readonly Finding[] {
  const name = subject(key.key);
  const { figures } = key;
  const bursts = burstsOf(key);
  const all = bySending(bursts.flat().filter(wasServed));
  const [first] = all;
  if (first === undefined)
    return [about(ROW, unestablished('too-little-data', `${name} was not asked for its allowance.`))];
  if (blocker !== null) return [about(ROW, blocked(blocker, `${name} is not limited within one window.`))];
  const breach = windowBreach(bursts, figures, key.earlier, known);
  if (breach !== null)
    return [about(ROW, violated([], `${name} ${breach.what}.`, { expected: breach.expected, actual: breach.actual }))];
  const progress = windowProgress(bursts, figures, clock, key.earlier);
  const open = (why: string): readonly Finding[] => [about(ROW, unestablished('too-little-data', `${name} ${why}.`))];
  switch (progress.kind) {
    case 'unrefused':
      return open('was not refused in its last burst');
    case 'untold':
      return [about(ROW, unestablished('prerequisite', `${name}'s refusal does not say when to come back.`))];
    case 'open':
    case 'drained':
      return open(
        `was let back before a window was over, and ${counted(bursts.length, 'burst')} did not show whether that is a window's allowance`,
      );
    case 'over': {
      if (tellsShorter(key, bursts))
        return open('says by X-RateLimit-Reset that its windows are shorter, and what it served does not show it');
      if (tellsUnequal(key, bursts))
        return open(
          'says by X-RateLimit-Reset that its windows are of another length, and what it served does not show it',
        );
      const span = duration((all.at(-1)?.answeredAt ?? first.sentAt) - first.sentAt);
      const found = about(
        ROW,
        kept([], `${count(all.length)} served in ${counted(bursts.length, 'burst')} over ${span}.`),
      );
      // Who is told a whole window waits one: that it was shorter shows in Reset alone.
      if (showsLength(key)) return [found];
      const what = isLongBySeconds(figures)
        ? `whether windows of the ${key.key} key are shorter than the one told`
        : `a shorter window than the one told (${inShort(figures)})`;
      return [found, about(ROW, untried(what))];
    }
  }
}
