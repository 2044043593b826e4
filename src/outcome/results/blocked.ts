import type { RequirementId } from '../../base/interface/types.js';
import { plainerThan } from '../../judge/checks/plainer-rows.js';
import type { Reason } from '../../judge/findings/finding.js';
import type { RunLog } from '../../log/run-log.js';
import { isOfOutage } from '../../wire/exchange/gateway.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { INTERRUPTED } from './findings-of-row.js';
import type { RequirementResult } from './requirement-shape.js';

/**
 * Adds to each inconclusive row the failed row that blocks it, by its finding's own word or by a shared
 * request. A row that has not failed blocks nothing: what was received instead is the reason then.
 */
export function withBlocked(
  requirements: readonly RequirementResult[],
  {
    findings,
    exchanges,
  }: Pick<RunLog, 'findings'> & {
    readonly exchanges: readonly Pick<Exchange, 'id' | 'probe' | 'intent' | 'answer'>[];
  },
): readonly RequirementResult[] {
  const probes = new Map(exchanges.map(({ id, probe }) => [id, probe]));
  const requestsOf = (all: readonly { readonly exchanges: readonly string[] }[]): readonly string[] =>
    all.flatMap((one) => one.exchanges.flatMap((id) => probes.get(id) ?? []));
  const ofOutages = new Set(exchanges.filter(isOfOutage).map(({ id }) => id));
  const broken = requirements.filter(({ outcome }) => outcome === 'failed');
  const open = new Map<string, Reason | undefined>(
    requirements.flatMap(({ id, outcome, reason }) =>
      outcome === 'inconclusive' ? [[id, reason] as const] : [],
    ),
  );
  return requirements.map(({ heldUpBy, ...row }) => {
    if (row.outcome !== 'inconclusive' || row.reason?.code !== 'prerequisite') return row;
    const own = findings.flatMap((finding) =>
      finding.kind === 'inconclusive' && finding.requirement === row.id ? [finding] : [],
    );
    const charged = own[0]?.by ?? heldUpBy?.[0];
    const isBroken = (id: RequirementId): boolean => broken.some((one) => one.id === id);
    const named = charged && open.has(charged) ? (plainerThan(charged).find(isBroken) ?? charged) : charged;
    if (named !== undefined && open.has(named))
      return {
        ...row,
        // What settles that row settles this one.
        reason: {
          code: open.get(named)?.code ?? 'prerequisite',
          text: `it depends on ${named}, which could not be determined`,
        },
      };
    const stoodOn = new Set(requestsOf(own));
    const by =
      broken.find(({ id }) => id === named) ??
      broken.find((one) => requestsOf(one.findings).some((request) => stoodOn.has(request)));
    const { code, text } = row.reason;
    const blocks = charged === undefined ? 'blocked: ' : `blocked by ${charged}: `;
    const what = text.startsWith(blocks) ? text.slice(blocks.length) : text;
    if (by) return { ...row, reason: { code, text: `blocked by ${by.id}: ${what}` }, heldUpBy: [by.id] };
    const isOfAnOutage = own.some((finding) => finding.exchanges.some((id) => ofOutages.has(id)));
    return { ...row, reason: { code: isOfAnOutage ? 'unavailable' : code, text: what } };
  });
}

/** Gives an open row of a run that was cut short that reason, where no failed row explains it. */
export const whereCut = (row: RequirementResult): RequirementResult =>
  row.outcome === 'inconclusive' &&
  row.heldUpBy === undefined &&
  (row.reason?.code === 'prerequisite' || row.reason?.code === 'nothing-judged')
    ? { ...row, reason: { ...row.reason, code: INTERRUPTED.code } }
    : row;
