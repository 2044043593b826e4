import { loadContract } from '../contract/contract.js';
import { loadLedger } from '../contract/ledger.js';
import type { PlanName } from '../contract/types.js';
import type { Exchange } from '../exchange/types.js';
import { memoryJournal } from '../log/journal.js';
import { gather } from '../log/run-log.js';
import { headerOf } from '../log/header.js';
import type { RunRequest } from '../run/request.js';
import { runLoadPhase, type LoadPhaseOptions } from '../run/load-phase.js';
import { removalPhaseAt } from '../contract/removal-phase.js';
import { newRunId } from '../suite/fixture.js';
import type { Target } from '../targets/target.js';
import { resultsOf, type Results } from '../verdict/results.js';

/** Load on a server of the self-test. */
export interface LoadTrial {
  readonly plans: readonly PlanName[];
  readonly includes: readonly ('ban' | 'day-quota')[];
  /** Folder in which the day-quota profile may keep its place. */
  readonly directory: string;
  /** Earlier requests of the run (preflight and suites); none by default. */
  readonly known?: readonly Exchange[];
  readonly simulated?: LoadPhaseOptions['simulated'];
}

/** Runs the load profiles on a target without suites and returns the results. */
export async function judgeUnderLoad(
  target: Target,
  { plans, includes, directory, known = [], simulated }: LoadTrial,
): Promise<Results> {
  const rows = loadLedger().requirements;
  const selected = rows
    .filter(({ judgedBy }) => judgedBy.kind === 'load' || judgedBy.kind === 'passive')
    .map(({ id }) => id);
  const request: RunRequest = {
    run: newRunId(),
    target,
    selection: { only: 'load', plans },
    selected,
    writes: target.writes,
    asOf: new Date().toISOString().slice(0, 10),
    includes,
    command: 'selftest',
  };
  const journal = memoryJournal();
  journal.append(headerOf(request));
  const at = simulated?.time.now() ?? Date.now();
  journal.append({ type: 'phase', phase: 'load', at });
  await runLoadPhase({
    request,
    removal: removalPhaseAt(loadContract().removalDate, at),
    directory,
    allowLoadOnProduction: false,
    signal: new AbortController().signal,
    journal,
    known,
    simulated,
  });
  journal.append({ type: 'footer', complete: true, reason: null, finishedAt: new Date().toISOString() });
  return resultsOf(gather(journal.records), rows);
}
