import type { RequirementId } from '../contract/types.js';

/** Kinds of change of a requirement between two runs, in order of importance. */
export const CHANGE_KINDS = [
  'newly-failing',
  'first-failing',
  'newly-warned',
  'newly-open',
  'newly-untested',
  'newly-passing',
  'newly-tested',
  'outcome-changed',
  'observation-changed',
] as const;

/** Kind of change of a requirement between two runs. */
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Labels of the kinds, for use after a number or above a list. */
export const CHANGE_LABELS: Readonly<Record<ChangeKind, string>> = {
  'newly-failing': 'newly failing',
  'first-failing': 'failing when first tested',
  'newly-warned': 'newly warned',
  'newly-open': 'newly inconclusive',
  'newly-untested': 'no longer tested',
  'newly-passing': 'newly passing',
  'newly-tested': 'newly tested',
  'outcome-changed': 'with another outcome',
  'observation-changed': 'observed differently',
};

/** One difference; `before` and `after` are outcomes, or differing observed values as text. */
export interface Change {
  readonly id: RequirementId;
  readonly kind: ChangeKind;
  readonly before: string;
  readonly after: string;
}
