import type { Finding } from '../findings/finding.js';
import type { RequirementResult } from './results.js';

/**
 * Adds to each inconclusive row the failed row that blocks it: the one that its finding names, or the first that an
 * exchange of its finding violated. A blocking row that is inconclusive itself does not count.
 */
export function withBlocked(
  requirements: readonly RequirementResult[],
  findings: readonly Finding[],
): readonly RequirementResult[] {
  const broken = requirements.filter(({ outcome }) => outcome === 'failed');
  const open = new Set<string>(requirements.flatMap(({ id, outcome }) => (outcome === 'inconclusive' ? [id] : [])));
  return requirements.map((row) => {
    if (row.outcome !== 'inconclusive' || row.reason?.code !== 'prerequisite') return row;
    const own = findings.flatMap((finding) =>
      finding.kind === 'inconclusive' && finding.requirement === row.id ? [finding] : [],
    );
    const named = own[0]?.by;
    if (named !== undefined && open.has(named))
      return {
        ...row,
        reason: { code: 'prerequisite', text: `it depends on ${named}, which could not be determined` },
      };
    const stoodOn = new Set(own.flatMap(({ exchanges }) => exchanges));
    const by =
      broken.find(({ id }) => id === named) ??
      broken.find((one) => one.findings.some(({ exchanges }) => exchanges.some((id) => stoodOn.has(id))));
    return by === undefined ? row : { ...row, heldUpBy: [by.id] };
  });
}
