import { SLACK } from './bounds.js';
import type { KeyRun } from './key-run.js';
import { leftOf, lone, wasServed } from './sample.js';

/**
 * Counts where Remaining of the steady run rises, and falls again by more than was sent since: one counter
 * does not. Requests that are under way together overtake one another.
 */
export function zigzags({ steady, figures }: KeyRun): number {
  const served = lone(steady.filter(wasServed));
  return served.filter((sample, at) => {
    const [before, after] = [served[at - 1], served[at + 1]];
    if (before === undefined || after === undefined) return false;
    const [from, top, to] = [before, sample, after].map((one) => leftOf(one, figures) ?? 0) as [
      number,
      number,
      number,
    ];
    if (top - from <= SLACK) return false;
    const sent = steady.filter((one) => one.sentAt > sample.sentAt && one.sentAt <= after.sentAt).length;
    return top - to > sent + SLACK;
  }).length;
}
