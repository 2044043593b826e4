import type { RequirementResult, Results } from '../verdict/results.js';
import { OUTCOME_LABELS } from './outcomes.js';
import { count, grouped } from '../format/format.js';

/** How a row is named that passed although a part of what it names was not tested. */
export const REDUCED = 'passed with reduced coverage';

/** The parts of a row that were not tested, as they read after “not tested:”; empty where all were. */
export const partlyText = ({ partly = [] }: Pick<RequirementResult, 'partly'>): string => partly.join('; ');

/** An outcome in the words of the pages, with reduced coverage and what is accepted. */
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

/** Rows that passed with reduced coverage. */
export const inPart = (rows: readonly RequirementResult[]): readonly RequirementResult[] =>
  rows.filter(({ partly = [] }) => partly.length > 0);

/** The same, grouped by what was not tested, in the order of the rows. */
export const byPartly = (
  rows: readonly RequirementResult[],
): readonly { readonly text: string; readonly requirements: readonly RequirementResult[] }[] =>
  [...grouped(inPart(rows), partlyText)].map(([text, requirements]) => ({ text, requirements }));

/** How many rows of all that passed did so with reduced coverage, as a clause: the one figure of every report. Null where none did. */
export function partlyBound({ requirements }: Pick<Results, 'requirements'>): string | null {
  const reduced = inPart(requirements).length;
  const passed = requirements.filter(({ outcome }) => outcome === 'passed').length;
  return reduced === 0 ? null : `${count(reduced)} of ${count(passed)} ${REDUCED}`;
}
