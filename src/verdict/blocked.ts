import type { Exchange } from '../exchange/types.js';
import type { Finding } from '../findings/finding.js';
import type { RequirementResult } from './results.js';

/**
 * Adds to each inconclusive row the failed row that blocks it: the one that its finding names, or the first that a request
 * of its finding violated. A blocking row that is inconclusive itself does not count.
 */
export function withBlocked(
  requirements: readonly RequirementResult[],
  {
    findings,
    exchanges,
  }: { readonly findings: readonly Finding[]; readonly exchanges: readonly Pick<Exchange, 'id' | 'probe'>[] },
): readonly RequirementResult[] {
  const probes = new Map(exchanges.map(({ id, probe }) => [id, probe]));
  const requestsOf = (all: readonly { readonly exchanges: readonly string[] }[]): readonly string[] =>
    all.flatMap((one) => one.exchanges.flatMap((id) => probes.get(id) ?? []));
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
    const stoodOn = new Set(requestsOf(own));
    const by =
      broken.find(({ id }) => id === named) ??
      broken.find((one) => requestsOf(one.findings).some((request) => stoodOn.has(request)));
    return by === undefined ? row : { ...row, heldUpBy: [by.id] };
  });
}
