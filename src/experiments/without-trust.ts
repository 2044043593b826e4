import { unestablished, about, type Finding } from '../findings/finding.js';
import type { Requirement } from '../contract/types.js';

/**
 * The findings of a load in which some connection was not trusted: whoever answered there is not known to be the target,
 * so that no row which the same profile judges is kept, however well the rest of it went, and what is open is open for
 * this first of all. What was broken stays broken: that was said by answers over connections that are trusted.
 * @param rows the ledger's rows in scope
 * @param untrusted what was wrong with the connection, by profile
 */
export function withoutTrust(
  findings: readonly Finding[],
  rows: readonly Requirement[],
  untrusted: ReadonlyMap<string, string>,
): readonly Finding[] {
  const [first] = untrusted.keys();
  if (first === undefined) return findings;
  const has = (id: string, wanted: Finding['kind']): boolean =>
    findings.some(({ requirement, kind }) => requirement === id && kind === wanted);
  const causes = rows.flatMap(({ id, judgedBy }) => {
    if (judgedBy.kind !== 'load') return [];
    const own = judgedBy.profiles.find((profile) => untrusted.has(profile));
    const profile = own ?? first;
    const text = `No trusted TLS connection in the profile ${profile}: ${untrusted.get(profile)}.`;
    return has(id, 'inconclusive') || (own !== undefined && has(id, 'kept'))
      ? [about(id, unestablished('transport', text))]
      : [];
  });
  return [...causes, ...findings];
}
