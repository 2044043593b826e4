import { dirname } from 'node:path';
import { loadLedger } from '../contract/ledger.js';
import type { Exchange } from '../exchange/types.js';
import { planLoad, type LoadPlan, type LoadRequest } from '../experiments/plan-load.js';
import { runLoad, type LoadOptions } from '../experiments/run-load.js';
import type { Journal } from '../log/journal.js';
import type { RemovalPhase } from '../contract/removal-phase.js';
import { judging } from '../suite/fixture.js';
import type { RunRequest } from './request.js';
import { loadProfilesOf, needsLoad } from './select.js';
import { kit } from '../contract/package.js';

export interface LoadPhaseOptions {
  readonly request: RunRequest;
  readonly removal: RemovalPhase;
  readonly directory: string;
  readonly signal: AbortSignal;
  readonly journal: Journal;
  readonly known: readonly Exchange[];
  /** True if the target sends bytes after its responses: no connection is reused. */
  readonly singly?: boolean;
  /** A simulation in place of this machine's clock and network. */
  readonly simulated?: LoadOptions['simulated'];
}

/** Runs the selected load profiles of all selected plans. */
export function runLoadPhase({ request, directory, ...rest }: LoadPhaseOptions): Promise<void> {
  return runLoad({
    ...loadRequestOf(request),
    ...rest,
    judging: judging(),
    run: request.run,
    kit: kit(),
    writes: request.writes,
    reportDir: dirname(directory),
  });
}

/** Planned load, and skipped load with reasons; null for a run without load. */
export const planOfLoad = (request: RunRequest): LoadPlan | null =>
  needsLoad(loadLedger().requirements, request) ? planLoad(loadRequestOf(request)) : null;

const loadRequestOf = ({ selection, retries, allowLoadOnProduction = false, ...request }: RunRequest): LoadRequest => ({
  target: request.target,
  rows: loadLedger().requirements,
  selected: request.selected,
  plans: selection?.plans ?? null,
  profiles: loadProfilesOf(selection) ?? null,
  retried: retries?.rows.flatMap(({ profiles }) => profiles) ?? [],
  includes: request.includes,
  allowLoadOnProduction,
});
