import type { RequirementId } from '../../base/interface/types.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { statusBreak } from './layers.js';

/** Rows charged with the status code of a listing, the plainest listing first. */
const ROWS: readonly RequirementId[] = ['list-ok', 'list-limit-bounds', 'declared-status'];

/** Returns the rows of plainer listings: one mistake in the status code of listings is charged once. */
export const plainerThan = (row: RequirementId): readonly RequirementId[] =>
  ROWS.slice(0, Math.max(0, ROWS.indexOf(row)));

/** Returns the row charged with the status code of a listing, or of an earlier plainer one that was wrong. */
export function rowOfListing(own: RequirementId, earlier: readonly Exchange[]): RequirementId {
  const charged = new Set(
    earlier.flatMap((one) => (one.operation === 'listPets' ? (statusBreak(one)?.charged ?? []) : [])),
  );
  return plainerThan(own).find((row) => charged.has(row)) ?? own;
}
