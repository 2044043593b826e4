import { loadLedger } from '../contract/ledger.js';
import type { RequirementId } from '../contract/types.js';
import { isSurplus } from '../checks/passive.js';
import type { Exchange } from '../exchange/types.js';
import { readLog } from '../log/read.js';
import type { RunLog } from '../log/run-log.js';
import { trafficFindings } from '../suite/judge-traffic.js';
import { judging } from '../suite/worker-fixture.js';
import type { RunOptions } from './request.js';
import { openRun, runToEnd, type Run } from './run-to-end.js';
import { needsLoad, needsOwn } from './select.js';
import { ownPhase, prepareSuites, suitesPhase } from './suites-phase.js';

/** What a run of the suites and the load profiles needs. */
export interface ExecuteOptions extends RunOptions {
  readonly allowLoadOnProduction: boolean;
}

/**
 * Runs preflight, suites and profiles against a target, in this order, and leaves a log with a footer. Whatever goes
 * wrong on the way is in the log; only what makes the log itself impossible is thrown.
 */
export async function execute(options: ExecuteOptions): Promise<RunLog> {
  const { request } = options;
  const charged = new Set<RequirementId>();
  const run = openRun({
    ...options,
    onRecord: (record) => {
      if (record.type === 'finding' && record.finding.kind === 'violated') charged.add(record.finding.requirement);
      options.onRecord(record);
    },
  });
  const { signal, file } = run;
  // Takes longer to start than preflight does.
  const suites = prepareSuites(run);
  const hasLoad = needsLoad(loadLedger().requirements, request);
  try {
    return await runToEnd(run, async () => {
      if (suites && !signal.aborted) await suitesPhase(run, suites);
      const { exchanges: known, findings } = await readLog(file);
      if (hasLoad && !signal.aborted) await loadPhase(run, known, findings.some(isSurplus));
      if (suites && !signal.aborted) judgeSuitesTraffic(run, known, charged);
      // After all else: load measures a key by all that was sent with it, and the suites say which rows need no story.
      if (request.explore && !signal.aborted) await exploreLast(run, hasLoad ? 'load' : known, charged);
      // Last of all: nothing that they do can change what was found of the interface.
      if (needsOwn(request) && !signal.aborted) await ownPhase(run);
      return null;
    });
  } finally {
    suites?.child.discard();
  }
}

async function loadPhase(run: Run<ExecuteOptions>, known: readonly Exchange[], singly: boolean): Promise<void> {
  run.journal.append({ type: 'phase', phase: 'load', at: Date.now() });
  // What sends load takes a tenth of a second to load, and suites alone do not need it.
  const { runLoadPhase } = await import('./load-phase.js');
  const { request, removal, directory, allowLoadOnProduction, signal, journal } = run;
  await runLoadPhase({ request, removal, directory, allowLoadOnProduction, signal, journal, known, singly });
}

async function exploreLast(
  { request, removal, journal, signal }: Run<RunOptions>,
  known: readonly Exchange[] | 'load',
  broken: ReadonlySet<RequirementId>,
): Promise<void> {
  const before = known === 'load' ? known : (known.findLast(({ credential }) => credential.kind === 'valid') ?? null);
  const { explorePhase } = await import('./explore-phase.js');
  await explorePhase({ request, removal, journal, broken, signal, before });
}

/** Judges what the suites sent by the rows of Limit and Remaining as well; after load, which knows what explains it. */
function judgeSuitesTraffic(
  { request: { target, selected, selection }, journal }: Run<RunOptions>,
  known: readonly Exchange[],
  charged: ReadonlySet<RequirementId>,
): void {
  const { contract } = judging();
  const rows = loadLedger().requirements;
  const isAlone = selection?.only === 'suites';
  for (const finding of trafficFindings(known, { target, rows, selected, contract, charged, isAlone }))
    journal.append({ type: 'finding', finding });
}
