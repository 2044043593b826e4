import type { Level } from '../contract/types.js';
import type { Outcome, Verdict } from '../verdict/verdict.js';

/** Outcomes in the words of the pages. */
export const OUTCOME_LABELS: Readonly<Record<Outcome, string>> = {
  error: 'kit fault',
  failed: 'failed',
  inconclusive: 'inconclusive',
  warned: 'warned',
  passed: 'passed',
  observed: 'observed',
  'not-applicable': 'not tested',
};

/** Returns an outcome in words; any other text unchanged. */
export const outcomeWords = (text: string): string =>
  Object.hasOwn(OUTCOME_LABELS, text) ? OUTCOME_LABELS[text as Outcome] : text;

/** Meanings of outcomes, for the legend. */
export const OUTCOME_MEANINGS: Readonly<Record<Outcome, string>> = {
  error: 'the kit itself failed',
  failed: 'a required behaviour is broken',
  inconclusive: 'in scope, but could not be determined',
  warned: 'a recommendation is not followed',
  passed: 'true of every response judged',
  observed: 'recorded only: the interface leaves it open',
  'not-applicable': 'out of scope; the reason is given',
};

export const VERDICT_LABELS: Readonly<Record<Verdict, string>> = {
  conformant: 'Conformant',
  'non-conformant': 'Not conformant',
  inconclusive: 'Inconclusive',
  error: 'Kit fault',
};

/** Verdicts of load runs in two or three words. */
export const CAPACITY_LABELS: Readonly<Record<Verdict, string>> = {
  conformant: 'Kept',
  'non-conformant': 'Not kept',
  inconclusive: 'Inconclusive',
  error: 'Kit fault',
};

/** Returns a run's verdict as a heading. */
export const verdictLabel = (verdict: Verdict, isLoad: boolean): string =>
  (isLoad ? CAPACITY_LABELS : VERDICT_LABELS)[verdict];

/** Meanings of levels, for readers who do not know the ledger. */
export const LEVEL_MEANINGS: Readonly<Record<Level, string>> = {
  must: 'the interface requires it',
  should: 'a standard or a careful reading requires it',
  may: 'allowed; recorded only',
  open: 'the interface leaves it open; recorded only',
};
