import type { KeyName } from '../../../base/interface/names.js';
import type { RunLog } from '../../../log/run-log.js';
import type { RowView } from '../../rows/row-view.js';
import { chartId, drawingOf, plansDrawn } from './window.js';

export interface RowChart {
  readonly id: string;
  readonly plan: KeyName;
}

/**
 * Returns the charts of the profiles that judge a row, for the plans that violate it; for all if no plan is
 * known.
 */
export function chartsOfRow({ requirement, findings }: RowView, log: RunLog): readonly RowChart[] {
  if (requirement?.judgedBy.kind !== 'load') return [];
  const all = [...new Set(requirement.judgedBy.profiles.map(drawingOf))].flatMap((drawing) =>
    plansDrawn(log, drawing).map((plan) => ({ id: chartId(drawing, plan), plan })),
  );
  const violated = all.filter(({ plan }) =>
    findings.some((one) => one.plan === plan || (one.likewise ?? []).some(({ where }) => where === plan)),
  );
  return violated.length > 0 ? violated : all;
}
