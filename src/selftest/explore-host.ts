import { loadContract } from '../contract/contract.js';
import { memoryJournal } from '../log/journal.js';
import { gather } from '../log/run-log.js';
import type { RunLog } from '../log/run-log.js';
import { explorePhase } from '../run/explore-phase.js';
import { headerOf } from '../run/header.js';
import type { ExploreRequest } from '../run/header.js';
import { removalPhaseOn } from '../suite/removal.js';
import { newRunId } from '../suite/worker-bench.js';
import type { Target } from '../target/target.js';

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
  journal.append({ type: 'footer', complete: true, reason: null, finishedAt: new Date().toISOString() });
  return gather(journal.records);
}
