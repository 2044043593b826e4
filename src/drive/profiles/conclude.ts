import { about, unestablished, type Finding } from '../../judge/findings/finding.js';
import { areUnstable, softened } from '../../judge/checks/passive.js';
import type { Contract } from '../../base/interface/contract.js';
import type { Requirement } from '../../base/interface/types.js';
import { judgeLimits } from '../../judge/limits/judge-limits.js';
import type { LimitRecord } from '../../judge/limits/series.js';
import type { LoadPlan } from './plan-load.js';
import { hasTrait } from '../../judge/limits/row-traits.js';

/**
 * Returns the findings of the load: those of the oracles, for the profiles that ran, and one for every other
 * requirement in scope.
 *
 * @param rows requirements in scope
 * @param contract names the operations marked as unstable
 */
export function conclude(
  record: LimitRecord,
  plan: LoadPlan,
  rows: readonly Requirement[],
  interrupted: boolean,
  contract: Pick<Contract, 'markers'>,
): readonly Finding[] {
  const ran = new Set(plan.profiles.map(({ profile }) => profile));
  const loadRows = new Map(
    rows.flatMap(({ id, judgedBy }) => (judgedBy.kind === 'load' ? [[id, judgedBy.profiles] as const] : [])),
  );
  const judged = record.keys.length === 0 ? [] : judgeLimits(record);
  const shown = new Set(judged.filter(({ kind }) => kind === 'kept').map(({ requirement }) => requirement));
  const findings = judged.flatMap((finding): readonly Finding[] => {
    const { requirement } = finding;
    const profiles = loadRows.get(requirement);
    // Requirements on headers are judged on every response, whatever was selected.
    if (profiles === undefined) return rows.some(({ id }) => id === requirement) ? [finding] : [];
    if (!profiles.some((profile) => ran.has(profile))) return [];
    if (finding.kind !== 'inconclusive') return [finding];
    return hasTrait(requirement, 'one-key') && shown.has(requirement) ? [] : [finding];
  });
  const covered = new Set(findings.map(({ requirement }) => requirement));
  const leftOut = new Set(plan.findings.map(({ requirement }) => requirement));
  // What is left out with one key does not say that another one, which was asked, showed nothing.
  const open = [...loadRows].filter(
    ([id, profiles]) =>
      !covered.has(id) && (!leftOut.has(id) || profiles.some((profile) => ran.has(profile))),
  );
  const why = interrupted
    ? unestablished('interrupted', 'The run was interrupted before this was judged.')
    : unestablished('nothing-judged', 'The profiles recorded nothing that shows it.');
  const unstable = new Set(
    rows.flatMap(({ id, operations }) => (areUnstable(operations, contract) ? [id] : [])),
  );
  return [
    ...findings.map((finding) => (unstable.has(finding.requirement) ? softened(finding) : finding)),
    ...open.map(([id]) => about(id, why)),
  ];
}

/**
 * Adjusts the findings of a load with an untrusted connection: another server may have responded. No
 * requirement of that profile is met, however well the rest went, and open ones name this reason. Violations
 * stay: they come from trusted connections.
 *
 * @param rows requirements in scope
 * @param untrusted fault of the connection, by profile
 */
export function withCertificateFaults(
  findings: readonly Finding[],
  rows: readonly Requirement[],
  certificateFaults: ReadonlyMap<string, string>,
): readonly Finding[] {
  const [first] = certificateFaults.keys();
  if (first === undefined) return findings;
  const has = (id: string, wanted: Finding['kind']): boolean =>
    findings.some(({ requirement, kind }) => requirement === id && kind === wanted);
  const causes = rows.flatMap(({ id, judgedBy }) => {
    if (judgedBy.kind !== 'load') return [];
    const own = judgedBy.profiles.find((profile) => certificateFaults.has(profile));
    const profile = own ?? first;
    const text = `No trusted TLS connection in the profile ${profile}: ${certificateFaults.get(profile)}.`;
    return has(id, 'inconclusive') || (own !== undefined && has(id, 'kept'))
      ? [about(id, unestablished('untrusted', text))]
      : [];
  });
  return [...causes, ...findings];
}
