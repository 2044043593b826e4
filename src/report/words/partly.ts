import type { RequirementResult, Results } from '../../verdict/results.js';
import { count, counted, listed } from '../../format/format.js';
import { grouped } from '../../format/grouped.js';
import { OUTCOME_LABELS } from './outcomes.js';

/** What a row says of itself that passed without a part of what it names; stands before “not tried:”. */
export const IN_PART = 'passed in part';

/** What was not tried of a row, as it reads after “not tried:”; empty where all was. */
export const partlyText = ({ partly = [] }: Pick<RequirementResult, 'partly'>): string => partly.join('; ');

/** An outcome in the words of the pages, of what passed in part and of what is accepted too. */
export const outcomeWordsOf = ({
  outcome,
  partly,
  acceptedUntil,
}: Pick<RequirementResult, 'outcome' | 'partly' | 'acceptedUntil'>): string =>
  acceptedUntil !== undefined
    ? `${OUTCOME_LABELS[outcome]}, accepted until ${acceptedUntil}`
    : partly
      ? IN_PART
      : OUTCOME_LABELS[outcome];

/** Rows that passed in part. */
export const inPart = (rows: readonly RequirementResult[]): readonly RequirementResult[] =>
  rows.filter(({ partly = [] }) => partly.length > 0);

/** The same, those together of which the same was not tried; in the order of the rows. */
export const byPartly = (
  rows: readonly RequirementResult[],
): readonly { readonly text: string; readonly requirements: readonly RequirementResult[] }[] =>
  [...grouped(inPart(rows), partlyText)].map(([text, requirements]) => ({ text, requirements }));

/** More rows than these are counted where a sentence would name them. */
const MOST_NAMED = 3;

/** That rows passed in part, as a clause that bounds a verdict; null where none did. */
export function partlyBound({ requirements }: Pick<Results, 'requirements'>): string | null {
  const ids = inPart(requirements).map(({ id }) => id);
  if (ids.length === 0) return null;
  return ids.length > MOST_NAMED
    ? `${counted(ids.length, 'requirement')} ${IN_PART}, ${listed(ids.slice(0, MOST_NAMED - 1))} among them`
    : `${IN_PART}: ${listed(ids)}`;
}

/** How many of some rows passed in part, for behind a figure: “, 2 of them in part”; empty where none did. */
export function ofThemInPart(rows: readonly RequirementResult[]): string {
  const amount = inPart(rows).length;
  return amount === 0 ? '' : `, ${count(amount)} of them in part`;
}
