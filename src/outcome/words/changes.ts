import type { RequirementId } from '../../base/interface/types.js';
import type { RequirementResult } from '../results/results.js';
import type { Outcome } from '../../judge/verdict.js';
import { counted } from '../../base/kernel/format.js';
import { outcomeWords } from './outcomes.js';
import { reasonText } from './reasons.js';

/** Kinds of change, in order of importance: label after a number or above a list, and outcome of glyph and colour. */
export const CHANGES = {
  'newly-failing': { label: 'newly failing', glyph: 'failed' },
  'first-failing': { label: 'failing when first tested', glyph: 'failed' },
  'failing-otherwise': { label: 'still failing, otherwise than before', glyph: 'failed' },
  'newly-warned': { label: 'newly warned', glyph: 'warned' },
  'warned-otherwise': { label: 'still warned, otherwise than before', glyph: 'warned' },
  'not-confirmed': { label: 'not confirmed as fixed', glyph: 'inconclusive' },
  'newly-open': { label: 'newly inconclusive', glyph: 'inconclusive' },
  'newly-untested': { label: 'no longer tested', glyph: 'not-applicable' },
  'failing-less': { label: 'still failing, with fewer findings', glyph: 'failed' },
  'newly-passing': { label: 'newly passing', glyph: 'passed' },
  'newly-tested': { label: 'newly tested', glyph: 'passed' },
  'outcome-changed': { label: 'with another outcome', glyph: 'observed' },
  'observation-changed': { label: 'observed differently', glyph: 'observed' },
} as const satisfies Readonly<Record<string, { label: string; glyph: Outcome }>>;

/** Kind of change of a requirement between two runs. */
export type ChangeKind = keyof typeof CHANGES;
export const CHANGE_KINDS = Object.keys(CHANGES) as readonly ChangeKind[];

/** Changes that are a new failure. */
export const NEW_FAILURES: ReadonlySet<ChangeKind> = new Set<ChangeKind>([
  'newly-failing',
  'first-failing',
  'failing-otherwise',
]);

/** One difference; `before` and `after` are outcomes, or differing observed values as text. */
export interface Change {
  readonly id: RequirementId;
  readonly kind: ChangeKind;
  readonly before: string;
  readonly after: string;
}

/** Names of two compared environments. */
export type Environments = readonly [one: string, other: string];

/** Labels of changes between two environments, which are no trend: neither came before the other. */
const DIFFERENCES: Readonly<Record<ChangeKind, (names: Environments) => string>> = {
  'newly-failing': ([one, other]) => `failing on ${other}, not on ${one}`,
  'first-failing': ([one, other]) => `failing on ${other}, not tested on ${one}`,
  'failing-otherwise': () => 'failing on both, in different ways',
  'newly-warned': ([one, other]) => `warned on ${other}, not on ${one}`,
  'warned-otherwise': () => 'warned on both, in different ways',
  'not-confirmed': ([one, other]) => `failing on ${one}, passed with reduced coverage on ${other}`,
  'newly-open': ([one, other]) => `inconclusive on ${other}, not on ${one}`,
  'newly-untested': ([one, other]) => `tested on ${one} only, not on ${other}`,
  'failing-less': ([one, other]) => `failing on both, with fewer findings on ${other} than on ${one}`,
  'newly-passing': ([one, other]) => `passed on ${other}, not on ${one}`,
  'newly-tested': ([one, other]) => `tested on ${other} only, not on ${one}`,
  'outcome-changed': () => 'with different outcomes',
  'observation-changed': () => 'observed differently',
};

/** Returns the label of a kind of change, between two environments or from an earlier run to a later one. */
export const changeLabel = (kind: ChangeKind, environments: Environments | null): string =>
  environments === null ? CHANGES[kind].label : DIFFERENCES[kind](environments);

/** Describes a run's result of a requirement in a line: outcome and evidence. null where the run does not know it. */
export function stateWords(result: Pick<RequirementResult, 'outcome' | 'evidence'> | null): string {
  if (result === null) return 'unknown to this kit';
  const { outcome, evidence } = result;
  return `${outcomeWords(outcome)}${outcome === 'passed' && evidence > 0 ? `, on ${counted(evidence, 'response')}` : ''}`;
}

/** Returns outcome and reason, short enough for one line. */
export function sideLine(result: RequirementResult | null): string {
  const why = result?.reason ? reasonText(result) : result?.findings[0]?.message;
  return why ? `${stateWords(result)}: ${why}` : stateWords(result);
}
