import { unestablished, about, type Finding } from '../findings/finding.js';
import type { Requirement } from '../contract/types.js';

/**
 * Adjusts the findings of a load with an untrusted connection: whoever responded there may not be the target. No
 * requirement of that profile is met, however well the rest went, and open ones name this reason. Violations stay: they
 * come from trusted connections.
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
      ? [about(id, unestablished('transport', text))]
      : [];
  });
  return [...causes, ...findings];
}
