import { loadContract } from '../contract/contract.js';
import { loadLedger } from '../contract/ledger.js';
import { memoryJournal } from '../log/journal.js';
import { gather, type RunLog } from '../log/run-log.js';
import { explorePhase } from '../run/explore-phase.js';
import { headerOf } from '../log/header.js';
import type { ExploreRequest } from '../run/request.js';
import { removalPhaseOn } from '../contract/removal-phase.js';
import { newRunId } from '../suite/fixture.js';
import type { Target } from '../targets/target.js';
import { resultsOf, type Results } from '../verdict/results.js';

/** Explores a target without suites and returns the log. */
export async function exploreAlone(
  target: Target,
  explore: ExploreRequest,
  asOf = new Date().toISOString().slice(0, 10),
): Promise<RunLog> {
  const journal = memoryJournal();
  const request = {
    run: newRunId(),
    target,
    selection: { only: 'suites' as const },
    selected: null,
    writes: target.writes,
    asOf,
    includes: [],
    explore,
    command: 'selftest',
  };
  journal.append(headerOf(request));
  await explorePhase({
    request,
    removal: removalPhaseOn(loadContract().removalDate, asOf),
    journal,
    broken: new Set(),
  });
  // Exploring treats the suites' requirements as settled.
  for (const { id } of loadLedger().requirements) journal.append({ type: 'settled', requirement: id });
  journal.append({ type: 'footer', complete: true, reason: null, finishedAt: new Date().toISOString() });
  return gather(journal.records);
}

/**
 * Returns the results of exploring without suites. It ignores open requirements: exploring can show a violation, but
 * never that a requirement is met.
 */
export async function judgeByExploring(target: Target, explore: ExploreRequest, asOf?: string): Promise<Results> {
  const results = resultsOf(await exploreAlone(target, explore, asOf), loadLedger().requirements);
  return {
    ...results,
    requirements: results.requirements.map((row) =>
      row.outcome === 'inconclusive' ? { ...row, outcome: 'not-applicable' } : row,
    ),
  };
}
