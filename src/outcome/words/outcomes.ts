import type { Level } from '../../base/interface/types.js';
import type { Outcome, Verdict } from '../../judge/verdict.js';
import type { RequirementResult, Results } from '../results/results.js';
import { count, grouped } from '../../base/kernel/format.js';

export const OUTCOME_LABELS: Readonly<Record<Outcome, string>> = {
  error: 'kit fault',
  failed: 'failed',
  inconclusive: 'inconclusive',
  warned: 'warned',
  passed: 'passed',
  observed: 'observed',
  'not-applicable': 'not tested',
};

/** Outcomes that need attention: a hurried reader may skip the others. */
export const LOUD: ReadonlySet<string> = new Set<Outcome>(['error', 'failed', 'warned', 'inconclusive']);

/** Leaves any other text unchanged. */
export const outcomeWords = (text: string): string =>
  Object.hasOwn(OUTCOME_LABELS, text) ? OUTCOME_LABELS[text as Outcome] : text;

export const VERDICT_LABELS: Readonly<Record<Verdict, string>> = {
  conformant: 'Conformant',
  'non-conformant': 'Not conformant',
  inconclusive: 'Inconclusive',
  error: 'Kit fault',
};

/** Outcome whose glyph and colour show a verdict. */
export const VERDICT_GLYPHS = {
  conformant: 'passed',
  'non-conformant': 'failed',
  inconclusive: 'inconclusive',
  error: 'error',
} as const satisfies Record<Verdict, Outcome>;

export const CAPACITY_LABELS: Readonly<Record<Verdict, string>> = {
  ...VERDICT_LABELS,
  conformant: 'Kept',
  'non-conformant': 'Not kept',
};

/** Meanings of levels, for readers who do not know the ledger. */
export const LEVEL_MEANINGS: Readonly<Record<Level, string>> = {
  must: 'the interface requires it',
  should: 'a standard or a careful reading requires it',
  may: 'allowed; recorded only',
  open: 'the interface leaves it open; recorded only',
};

export const REDUCED = 'passed with reduced coverage';

/** To follow “not tested:”; empty where all was tested. */
export const partlyText = ({ partly = [] }: Pick<RequirementResult, 'partly'>): string => partly.join('; ');

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

/** Every report uses this figure. */
export function partlyBound({ requirements }: Pick<Results, 'requirements'>): string | null {
  const reduced = inPart(requirements).length;
  const passed = requirements.filter(({ outcome }) => outcome === 'passed').length;
  return reduced === 0 ? null : `${count(reduced)} of ${count(passed)} ${REDUCED}`;
}
