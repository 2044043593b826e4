import type { RequirementId } from '../../base/interface/types.js';

export const REMAINING_ROW = 'rate-remaining-counts' satisfies RequirementId;
export const LIMIT_ROW = 'rate-limit-value' satisfies RequirementId;

/**
 * Returns whether the suites' requests can show that a row of load is kept. Of another row they show only a
 * violation, and the fall of Remaining says nothing where somebody else may use the key.
 */
export const isKeptByTraffic = (
  row: RequirementId,
  { exclusive }: { readonly exclusive: boolean },
): boolean => row === LIMIT_ROW || (row === REMAINING_ROW && exclusive);
