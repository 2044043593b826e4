import type { RequirementId } from '../../base/interface/types.js';
import type { RequirementResult } from '../results/results.js';
import type { Outcome } from '../../judge/verdict.js';
import { count, counted } from '../../base/kernel/format.js';
import { isOfClient } from './client-rows.js';
import { outcomeWords, partlyText } from './outcomes.js';
import { reasonText } from './reasons.js';

export type Environments = readonly [one: string, other: string];

interface KindOfChange {
  /** Words after a number or above a list. */
  readonly label: string;
  /** The same between two environments. That is no trend: neither came before the other. */
  readonly between: (names: Environments) => string;
  /** Outcome of its glyph and colour. */
  readonly glyph: Outcome;
  /** What it makes of the later run; absent where it is only different. */
  readonly trend?: 'worse' | 'less-known' | 'better';
  readonly isNewFailure?: true;
  /** True if only the findings of the row changed, and not its outcome. */
  readonly isOfFindings?: true;
  /** Explains a list of such rows. */
  readonly lead?: string;
  /** True if rows are shown with the findings of both runs. */
  readonly showsFindings?: true;
  /** True if the sentence about both runs names the rows, if they are few. */
  readonly namesRows?: true;
}

/** Kinds of change, in order of importance. */
const KINDS = {
  'newly-failing': {
    label: 'newly failing',
    between: ([one, other]) => `failing on ${other}, not on ${one}`,
    glyph: 'failed',
    trend: 'worse',
    isNewFailure: true,
    showsFindings: true,
    namesRows: true,
  },
  'first-failing': {
    label: 'failing when first tested',
    between: ([one, other]) => `failing on ${other}, not tested on ${one}`,
    glyph: 'failed',
    isNewFailure: true,
    showsFindings: true,
    namesRows: true,
  },
  'failing-otherwise': {
    label: 'still failing, otherwise than before',
    between: () => 'failing on both, in different ways',
    glyph: 'failed',
    trend: 'worse',
    isNewFailure: true,
    isOfFindings: true,
    lead: 'They failed before too, but not with these findings.',
    showsFindings: true,
    namesRows: true,
  },
  'newly-warned': {
    label: 'newly warned',
    between: ([one, other]) => `warned on ${other}, not on ${one}`,
    glyph: 'warned',
    trend: 'worse',
    showsFindings: true,
  },
  'warned-otherwise': {
    label: 'still warned, otherwise than before',
    between: () => 'warned on both, in different ways',
    glyph: 'warned',
    trend: 'worse',
    isOfFindings: true,
    showsFindings: true,
  },
  'not-confirmed': {
    label: 'not confirmed as fixed',
    between: ([one, other]) => `failing on ${one}, not fully tested on ${other}`,
    glyph: 'inconclusive',
    lead: 'They failed before. This run did not test them, or tested less of them, so the failure may still be there.',
    showsFindings: true,
    namesRows: true,
  },
  'newly-open': {
    label: 'newly inconclusive',
    between: ([one, other]) => `inconclusive on ${other}, not on ${one}`,
    glyph: 'inconclusive',
    trend: 'less-known',
    lead: 'In scope, but this run could not determine them. Another run may.',
    namesRows: true,
  },
  'newly-untested': {
    label: 'no longer tested',
    between: ([one, other]) => `tested on ${one} only, not on ${other}`,
    glyph: 'not-applicable',
    trend: 'less-known',
    lead: 'Out of scope of this run, or impossible to test on this target.',
  },
  'failing-less': {
    label: 'still failing, with fewer findings',
    between: ([one, other]) => `failing on both, with fewer findings on ${other} than on ${one}`,
    glyph: 'failed',
    isOfFindings: true,
    showsFindings: true,
  },
  'newly-passing': {
    label: 'fixed',
    between: ([one, other]) => `passed on ${other}, not on ${one}`,
    glyph: 'passed',
    trend: 'better',
    namesRows: true,
  },
  'newly-tested': {
    label: 'newly tested',
    between: ([one, other]) => `tested on ${other} only, not on ${one}`,
    glyph: 'passed',
  },
  'outcome-changed': {
    label: 'with another outcome',
    between: () => 'with different outcomes',
    glyph: 'observed',
  },
  'observation-changed': {
    label: 'observed differently',
    between: () => 'observed differently',
    glyph: 'observed',
    lead: 'The interface leaves these open. A change is no fault, but may affect clients.',
  },
} as const satisfies Readonly<Record<string, KindOfChange>>;

export type ChangeKind = keyof typeof KINDS;
export const CHANGES: Readonly<Record<ChangeKind, KindOfChange>> = KINDS;
export const CHANGE_KINDS = Object.keys(KINDS) as readonly ChangeKind[];

/** One difference; `before` and `after` are outcomes, or differing observed values as text. */
export interface Change {
  readonly id: RequirementId;
  readonly kind: ChangeKind;
  readonly before: string;
  readonly after: string;
  /** Why a row is not confirmed as fixed: what was not tested of it, or why it could not be determined. */
  readonly why?: string;
}

export const changeLabel = (kind: ChangeKind, environments: Environments | null): string =>
  environments === null ? CHANGES[kind].label : CHANGES[kind].between(environments);

/** Null where the run does not know the requirement. */
export function stateWords(result: Pick<RequirementResult, 'id' | 'outcome' | 'evidence'> | null): string {
  if (result === null) return 'unknown to this kit';
  const { id, outcome, evidence } = result;
  if (outcome !== 'passed' || evidence === 0) return outcomeWords(outcome);
  return `${outcomeWords(outcome)}, on ${counted(evidence, isOfClient(id) ? 'request' : 'response')}`;
}

export function sideLine(result: RequirementResult | null): string {
  const why = result?.reason ? reasonText(result) : result?.findings[0]?.message;
  return withWhy(stateWords(result), result, why);
}

/** Adds the reason to a state, or else what was not tested. */
export function withWhy(state: string, result: RequirementResult | null, why: string | undefined): string {
  if (why) return `${state}: ${why}`;
  return result?.partly ? `${state}; not tested: ${partlyText(result)}` : state;
}

/** Counts new failures and fixes; between two environments these are only differences. */
export function newAndFixed(changes: readonly Change[], environments: Environments | null = null): string {
  const fresh = changes.filter(({ kind }) => CHANGES[kind].isNewFailure).length;
  const fixed = changes.filter(({ kind }) => kind === 'newly-passing').length;
  if (environments !== null)
    return fresh + fixed === 0
      ? 'the same failures'
      : `${count(fresh)} failing only here, ${count(fixed)} passing only here`;
  return fresh + fixed === 0 ? 'no new failure, none fixed' : `${count(fresh)} new, ${count(fixed)} fixed`;
}
