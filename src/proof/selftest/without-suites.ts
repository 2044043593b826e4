import { loadContract } from '../../base/interface/contract.js';
import { loadLedger } from '../../base/interface/ledger.js';
import type { PlanName } from '../../base/interface/types.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { RunLog } from '../../log/run-log.js';
import { exploreTarget } from '../../run/exploring.js';
import type { ExploreRequest } from '../../run/request.js';
import { runProfiles, type ProfilesOptions } from '../../run/load-profiles.js';
import { removalPhaseAt, removalPhaseOn } from '../../base/interface/removal-phase.js';
import { logOf } from '../../drive/suite/plain-host.js';
import type { Target } from '../../wire/targets/target.js';
import { resultsOf, type Results } from '../../outcome/results/results.js';

export const exploreAlone = (target: Target, explore: ExploreRequest, asOf?: string): Promise<RunLog> =>
  logOf(
    target,
    { selection: { only: 'suites' }, selected: null, includes: [], asOf },
    async (request, journal) => {
      await exploreTarget({
        request,
        asked: explore,
        removal: removalPhaseOn(loadContract().removalDate, request.asOf),
        journal,
        broken: new Set(),
      });
      // Exploring treats the suites' requirements as settled.
      for (const { id } of loadLedger().requirements) journal.append({ type: 'settled', requirement: id });
    },
  );

/** Returns the results of exploring. Ignores open requirements, because exploring never shows that one is met. */
export async function judgeByExploring(
  target: Target,
  explore: ExploreRequest,
  asOf?: string,
): Promise<Results> {
  const results = resultsOf(await exploreAlone(target, explore, asOf), loadLedger().requirements);
  return {
    ...results,
    requirements: results.requirements.map((row) =>
      row.outcome === 'inconclusive' ? { ...row, outcome: 'not-applicable' } : row,
    ),
  };
}

interface LoadTrial {
  readonly plans: readonly PlanName[];
  readonly includes: readonly ('ban' | 'day-quota')[];
  /** Earlier requests of the run (preflight and suites); none by default. */
  readonly known?: readonly Exchange[];
  readonly simulated?: ProfilesOptions['simulated'];
}

export async function judgeUnderLoad(
  target: Target,
  { plans, includes, known = [], simulated }: LoadTrial,
): Promise<Results> {
  const rows = loadLedger().requirements;
  const selected = rows
    .filter(({ judgedBy }) => judgedBy.kind === 'load' || judgedBy.kind === 'passive')
    .map(({ id }) => id);
  const log = await logOf(
    target,
    { selection: { only: 'load', plans }, selected, includes },
    async (request, journal) => {
      const at = simulated?.time.now() ?? Date.now();
      journal.append({ type: 'phase', phase: 'load', at });
      await runProfiles({
        request,
        removal: removalPhaseAt(loadContract().removalDate, at),
        signal: new AbortController().signal,
        journal,
        known,
        simulated,
      });
    },
  );
  return resultsOf(log, rows);
}
