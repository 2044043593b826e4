import { observed, type Judgement } from '../findings/finding.js';
import { leftOf, leftsOf, wasRefused, wasServed } from './sample.js';
import { FEWEST, NEARLY } from './bounds.js';
import type { KeyRun } from './key-run.js';

/** Names the algorithm where one fits plainly, else says that none was shown. */
export function algorithm(run: KeyRun): Judgement | null {
  const { all, steady, figures, limit } = run;
  if (!all.some(wasRefused)) return null;
  const refusal = all.findIndex(wasRefused);
  const back = all.slice(refusal).find(wasServed);
  const left = back === undefined ? null : leftOf(back, figures);
  const lefts = leftsOf(steady, figures);
  const rises = lefts.filter((value, at) => at > 0 && value > (lefts[at - 1] ?? 0));
  // Once full, a log loses one with each request and gets one back.
  const level = lefts.filter((value, at) => at > 0 && value === lefts[at - 1]);
  const isWhole = left !== null && left >= NEARLY * limit;
  const what =
    run.nothingRefills && isWhole && rises.length <= FEWEST && level.length <= FEWEST
      ? 'Fits a fixed window'
      : !isWhole && left !== null && rises.length > FEWEST
        ? 'Fits a bucket or a sliding window'
        : 'Not shown';
  return observed([], what, run.key.key);
}
