import type { RequirementResult, Results } from '../verdict/results.js';
import { OUTCOME_LABELS } from './outcomes.js';
import { count, grouped } from '../format/format.js';

/** Label of a passed row of which a part was not tested. */
export const REDUCED = 'passed with reduced coverage';

/** Returns a row's untested parts, worded to follow “not tested:”; empty where all were tested. */
export const partlyText = ({ partly = [] }: Pick<RequirementResult, 'partly'>): string => partly.join('; ');

/** Returns an outcome in words, with reduced coverage and acceptance. */
export const outcomeWordsOf = ({
  outcome,
  partly,
  acceptedUntil,
}: Pick<RequirementResult, 'outcome' | 'partly' | 'acceptedUntil'>): string =>
  acceptedUntil !== undefined
    ? `${OUTCOME_LABELS[outcome]}, accepted until ${acceptedUntil}`
    : partly
      ? REDUCED
      : OUTCOME_LABELS[outcome];

/** Returns rows that passed with reduced coverage. */
export const inPart = (rows: readonly RequirementResult[]): readonly RequirementResult[] =>
  rows.filter(({ partly = [] }) => partly.length > 0);

/** Groups these rows by what was not tested, in the order of the rows. */
export const byPartly = (
  rows: readonly RequirementResult[],
): readonly { readonly text: string; readonly requirements: readonly RequirementResult[] }[] =>
  [...grouped(inPart(rows), partlyText)].map(([text, requirements]) => ({ text, requirements }));

/** Counts passed rows with reduced coverage, as a clause; every report uses this figure. Null without any. */
export function partlyBound({ requirements }: Pick<Results, 'requirements'>): string | null {
  const reduced = inPart(requirements).length;
  const passed = requirements.filter(({ outcome }) => outcome === 'passed').length;
  return reduced === 0 ? null : `${count(reduced)} of ${count(passed)} ${REDUCED}`;
}
