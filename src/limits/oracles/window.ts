import { blockedBy } from '../../checks/finding.js';
import type { Finding } from '../../checks/finding.js';
import type { RequirementId } from '../../contract/types.js';
import { bySending, wasServed } from '../answers.js';
import { inShort, isLongBySeconds, mostInOneWindow } from '../bounds.js';
import { type Clump, largestClump } from '../came-back.js';
import type { ServerClock } from '../clock.js';
import { counted, duration, figure, inconclusive, kept, subject, untried, violated } from '../say.js';
import type { KeySeries } from '../series.js';
import { tellsShorter } from './tells-shorter.js';
import { tellsUnequal } from './tells-unequal.js';
import { beatOf, windowBreach } from './window-breach.js';
import { atTheEnd, type Bursts, served, windowProgress } from './window-progress.js';

const ROW = 'rate-window';

/**
 * All bursts of a key in the order of time. The one in parallel, with the single requests that were served before it,
 * stands for a burst as well, but where it got more than the allowance by itself: another row is charged with that.
 */
export function burstsOf({ burst, window, concurrent, recoveries, figures }: KeySeries): Bursts {
  const single = window?.bursts ?? (burst === null ? [] : [burst.samples]);
  const inParallel = bySending(concurrent?.samples ?? []);
  const [first] = inParallel;
  const known = largestClump(bySending(single.flat()), figures);
  const evenly = mostInOneWindow(figures, atTheEnd(inParallel) - (first?.sentAt ?? 0));
  const isExcess = served(inParallel) > evenly + beatOf(figures, known);
  if (first === undefined || isExcess) return single;
  const sent = new Set(single.flat());
  const returns = recoveries
    .flatMap(({ retry, resetRetry }) => [retry, resetRetry])
    .filter((sample) => sample !== null)
    .filter((sample) => wasServed(sample) && !sent.has(sample) && sample.sentAt < first.sentAt);
  return [...single, bySending([...returns, ...inParallel])].toSorted(
    ([one], [other]) => (one?.sentAt ?? 0) - (other?.sentAt ?? 0),
  );
}

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
  if (first === undefined) return [inconclusive(ROW, 'too-little-data', `${name} was not asked for its allowance.`)];
  if (blocker !== null)
    return [inconclusive(ROW, 'prerequisite', blockedBy(blocker, `${name} is not limited within one window.`))];
  const breach = windowBreach(bursts, figures, key.earlier, known);
  if (breach !== null) return [violated(ROW, `${name} ${breach.what}.`, breach.expected, breach.actual)];
  const progress = windowProgress(bursts, figures, clock, key.earlier);
  const open = (why: string): readonly Finding[] => [inconclusive(ROW, 'too-little-data', `${name} ${why}.`)];
  switch (progress.kind) {
    case 'unrefused':
      return open('was not refused in its last burst');
    case 'untold':
      return [inconclusive(ROW, 'prerequisite', `${name}'s refusal does not say when to come back.`)];
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
      const found = kept(ROW, `${figure(all.length)} served in ${counted(bursts.length, 'burst')} over ${span}.`);
      // Who is told a whole window waits one: that it was shorter shows in Reset alone.
      return isLongBySeconds(figures)
        ? [found]
        : [found, untried(ROW, `a shorter window than the one told (${inShort(figures)})`)];
    }
  }
}
