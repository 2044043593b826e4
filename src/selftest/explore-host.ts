import { loadContract } from '../contract/contract.js';
import { loadLedger } from '../contract/ledger.js';
import { memoryJournal } from '../log/journal.js';
import { gather, type RunLog } from '../log/run-log.js';
import { explorePhase } from '../run/explore-phase.js';
import { headerOf } from '../log/header.js';
import type { ExploreRequest } from '../run/request.js';
import { removalPhaseOn } from '../contract/removal-phase.js';
import { newRunId } from '../suite/worker-fixture.js';
import type { Target } from '../targets/target.js';
import { resultsOf, type Results } from '../verdict/results.js';

/** Explores a target, with no suites before it, and gives the log. */
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
  // What the suites would have settled is, as far as exploring is concerned.
  for (const { id } of loadLedger().requirements) journal.append({ type: 'settled', requirement: id });
  journal.append({ type: 'footer', complete: true, reason: null, finishedAt: new Date().toISOString() });
  return gather(journal.records);
}

/**
 * The results of exploring alone. What it leaves open is passed over: it can show that a row is broken, and never that one
 * is kept.
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
