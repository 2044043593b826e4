import { bySending, wasServed } from '../../limits/answers.js';
import { mostInOneWindow } from '../../limits/bounds.js';
import { largestClump } from '../../limits/came-back.js';
import type { KeySeries } from '../../limits/series.js';
import { beatOf } from './window-breach.js';
import { atTheEnd, type Bursts, served } from './window-progress.js';

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
