import type { Finding } from '../../judge/findings/finding.js';
import type { Level, Requirement } from '../../base/interface/types.js';
import { removalPhaseOn } from '../../base/interface/removal-phase.js';
import type { LogHeader } from '../../log/record.js';
import type { RunLog } from '../../log/run-log.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { withRetry } from './retry.js';
import { findingsOf } from './findings-of-row.js';
import { kindOfFinding } from './finding-kind.js';
import { fold, partlyOf, reasonOf } from '../../judge/verdict.js';
import type { RequirementResult, ResultFinding } from './requirement-shape.js';

export const exchangesById = ({ exchanges }: Pick<RunLog, 'exchanges'>): ReadonlyMap<string, Exchange> =>
  new Map(exchanges.map((exchange) => [exchange.id, exchange]));

/** @param exchanges those of the log, by id */
export function requirementResult(
  row: Requirement,
  log: RunLog,
  exchanges: ReadonlyMap<string, Exchange> = exchangesById(log),
): RequirementResult {
  const { id, part, statement } = row;
  const level = levelIn(row, log.header);
  const findings = withRetry(findingsOf(row, log), id, log);
  const outcome = fold(level, findings);
  const reason = reasonOf(level, outcome, findings);
  const partly = partlyOf(outcome, findings);
  const observed = findings.flatMap((finding) => {
    if (finding.kind !== 'observed') return [];
    const { kind: _, requirement: __, ...seen } = finding;
    return [seen];
  });
  return {
    id,
    level,
    part,
    statement,
    outcome,
    ...(reason && { reason }),
    ...(outcome === 'inconclusive' && blockingRow(findings)),
    ...(partly.length > 0 && { partly }),
    ...(observed.length > 0 && { observed }),
    findings: repeatableFirst(
      findings.flatMap((finding): readonly ResultFinding[] => {
        if (finding.kind === 'fault') return [{ message: finding.message, exchanges: [] }];
        if (finding.kind !== 'violated') return [];
        const { kind: _, requirement: __, warns: ___, ...found } = finding;
        return [{ ...found, kind: kindOfFinding(found, row, exchanges) }];
      }),
      exchanges,
    ),
    evidence:
      (log.footer?.obstacle ? 0 : log.kept.get(id)) ??
      new Set(findings.flatMap((finding) => (finding.kind === 'kept' ? finding.exchanges : []))).size,
  };
}

const blockingRow = (findings: readonly Finding[]): Pick<RequirementResult, 'heldUpBy'> => {
  const by = findings.flatMap((finding) => (finding.kind === 'inconclusive' ? (finding.by ?? []) : []))[0];
  return by === undefined ? {} : { heldUpBy: [by] };
};

/** Returns a row's level on the day that a run judges: some rows bind more strictly from the removal on. */
const levelIn = (
  { level, levelFromRemoval }: Requirement,
  { interface: { removalDate }, scope }: LogHeader,
): Level =>
  levelFromRemoval !== undefined && removalPhaseOn(removalDate, scope.asOf) === 'after'
    ? levelFromRemoval
    : level;

/**
 * Puts findings first that name the request before theirs: where a fault depends on it, the others show
 * nothing when they are repeated alone.
 */
const repeatableFirst = (
  findings: readonly ResultFinding[],
  exchanges: ReadonlyMap<string, Exchange>,
): readonly ResultFinding[] => {
  const isLate = ({ exchanges: [first] }: ResultFinding): boolean =>
    first === undefined || exchanges.get(first)?.after === undefined;
  return onceEach(findings).toSorted((one, other) => Number(isLate(one)) - Number(isLate(other)));
};

/** Removes duplicates: a response and its row may report the same finding. */
const onceEach = (findings: readonly ResultFinding[]): readonly ResultFinding[] => [
  ...new Map(
    findings.map((finding) => [
      JSON.stringify({ ...finding, kind: undefined, measured: undefined }),
      finding,
    ]),
  ).values(),
];
