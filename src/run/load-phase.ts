import { dirname } from 'node:path';
import { loadLedger } from '../base/interface/ledger.js';
import { planLoad, type LoadPlan, type LoadRequest } from '../drive/experiments/plan-load.js';
import { runLoad, type LoadOptions } from '../drive/experiments/run-load.js';
import { judging } from '../drive/suite/fixture.js';
import type { RunRequest } from './request.js';
import { needsLoad } from './select.js';

export interface LoadPhaseOptions extends Pick<
  LoadOptions,
  'removal' | 'signal' | 'journal' | 'known' | 'singly' | 'learnt' | 'simulated'
> {
  readonly request: RunRequest;
  readonly directory: string;
}

/** Runs the selected load profiles of all selected plans. */
export function runLoadPhase({ request, directory, ...rest }: LoadPhaseOptions): Promise<void> {
  return runLoad({
    ...loadRequestOf(request),
    ...rest,
    judging: judging(),
    run: request.run,
    writes: request.writes,
    reportDir: dirname(directory),
  });
}

/** Planned load, and skipped load with reasons; null for a run without load. */
export const planOfLoad = (request: RunRequest, latencyMs?: number): LoadPlan | null =>
  needsLoad(loadLedger().requirements, request)
    ? planLoad({ ...loadRequestOf(request), ...(latencyMs !== undefined && { latencyMs }) })
    : null;

const loadRequestOf = ({ selection, retries, allowLoadOnProduction = false, ...request }: RunRequest): LoadRequest => ({
  target: request.target,
  rows: loadLedger().requirements,
  selected: request.selected,
  plans: selection?.plans ?? null,
  profiles: selection?.profiles?.filter((profile) => profile !== 'explore') ?? null,
  retried: retries?.rows.flatMap(({ profiles }) => profiles) ?? [],
  includes: request.includes,
  allowLoadOnProduction,
});
