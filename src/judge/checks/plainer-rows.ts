import type { RequirementId } from '../../base/interface/types.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { about, blocked, type Finding, type Violation } from '../findings/finding.js';
import { mustBeRefused, succeeded } from './status.js';

/** Rows charged with status codes, the row of the plainest request first. */
const CHAINS: readonly (readonly RequirementId[])[] = [
  ['list-ok', 'list-limit-bounds', 'declared-status'],
  ['auth-missing-key', 'auth-invalid-key', 'auth-bearer-only', 'auth-header-only', 'auth-before-work'],
  ['create-ok', 'create-status-optional'],
  ['create-ok', 'create-each-status'],
  ['create-missing-field', 'create-invalid-value', 'create-body-required', 'create-malformed-json'],
];

/** Returns the rows of plainer requests: one mistake in their status code is charged once, to the plainest. */
export const plainerThan = (row: RequirementId): readonly RequirementId[] =>
  CHAINS.flatMap((rows) => rows.slice(0, Math.max(0, rows.indexOf(row))));

interface Seen {
  readonly exchanges: readonly Exchange[];
  /** Is false for a row that was not selected: it takes no charge. */
  readonly isJudged: (row: RequirementId) => boolean;
}

/**
 * Charges one wrong status code of an operation to the plainest row that found it; the others are blocked by
 * that row. Pure: the order of the findings does not matter, and the plainest row stays violated.
 */
export function chargedToPlainest(
  findings: readonly Finding[],
  { exchanges, isJudged }: Seen,
): readonly Finding[] {
  const ofPlainer = new Map<RequirementId, Violation[]>();
  for (const one of findings)
    if (one.kind === 'violated' && !one.warns && PLAINER.has(one.requirement) && isJudged(one.requirement))
      ofPlainer.set(one.requirement, [...(ofPlainer.get(one.requirement) ?? []), one]);
  if (ofPlainer.size === 0) return findings;
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const shownBy = (one: Violation): readonly Exchange[] => one.exchanges.flatMap((id) => byId.get(id) ?? []);

  /** Is true unless a success only shows that one check of a request is missing, which says nothing of others. */
  const mayExplain = (one: Exchange, row: RequirementId): boolean =>
    !(mustBeRefused(one) && succeeded(one)) ||
    (one.credential.kind !== 'valid' && one.probe === plainestOf(row, one)?.probe);
  const plainestOf = (row: RequirementId, { operation }: Exchange): Exchange | undefined =>
    exchanges.find(
      ({ intent, operation: its }) =>
        its === operation && intent.kind === 'expects' && intent.chargedTo === row,
    );

  const chargeOf = (later: Violation): RequirementId | undefined => {
    const shown = shownBy(later);
    return plainerThan(later.requirement).find((row) => {
      const explaining = (ofPlainer.get(row) ?? [])
        .filter(({ actual }) => actual !== undefined && actual === later.actual)
        .flatMap(shownBy)
        .filter((one) => mayExplain(one, row));
      return (
        shown.length > 0 &&
        shown.every(({ operation }) => explaining.some((one) => one.operation === operation))
      );
    });
  };

  return findings.map((finding) => {
    const charged = finding.kind === 'violated' ? chargeOf(finding) : undefined;
    return finding.kind !== 'violated' || charged === undefined
      ? finding
      : about(finding.requirement, blocked(charged, finding.message, shownBy(finding)));
  });
}

const PLAINER = new Set(CHAINS.flatMap((rows) => rows.slice(0, -1)));
