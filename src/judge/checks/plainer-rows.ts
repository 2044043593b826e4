import type { RequirementId } from '../../base/interface/types.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { statusBreak } from './layers.js';

/** Rows charged with the status code of listings and of refusals, each with the plainest request first. */
const CHAINS: readonly (readonly RequirementId[])[] = [
  ['list-ok', 'list-limit-bounds', 'declared-status'],
  ['auth-missing-key', 'auth-invalid-key', 'auth-bearer-only'],
];

/** Returns the rows of plainer requests: one mistake in their status code is charged once, to the plainest. */
export const plainerThan = (row: RequirementId): readonly RequirementId[] =>
  CHAINS.flatMap((rows) => rows.slice(0, Math.max(0, rows.indexOf(row))));

/** Returns the row charged with the status code of a listing, or of an earlier plainer one that was wrong. */
export function rowOfListing(own: RequirementId, earlier: readonly Exchange[]): RequirementId {
  const charged = new Set(
    earlier.flatMap((one) => (one.operation === 'listPets' ? (statusBreak(one)?.charged ?? []) : [])),
  );
  return plainerThan(own).find((row) => charged.has(row)) ?? own;
}
