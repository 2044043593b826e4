import type { Baseline } from '../outcome/acceptance/baseline.js';
import { loadLedger } from '../base/interface/ledger.js';
import type { RequirementId } from '../base/interface/types.js';
import { isSurplus } from '../judge/checks/passive.js';
import { rmSync } from 'node:fs';
import { readLog } from '../log/read.js';
import type { RunLog } from '../log/run-log.js';
import { judgeSuitesTraffic } from '../drive/suite/judge-traffic.js';
import type { RunReporter } from '../report/run-reporter.js';
import { resolveTarget } from '../drive/suite/resolve-target.js';
import { resultsOf } from '../outcome/results/results.js';
import { exitCodeOf } from '../judge/verdict.js';
import { lockKeys } from './key-lock.js';
import { checkTemporaryFolder } from '../base/kernel/temporary-folder.js';
import type { RunPlan } from './plan-run.js';
import { makeReportDir, type EarlierRun } from './report-dir.js';
import type { RunOptions } from './request.js';
import { openRun, runToEnd } from './run-to-end.js';
import { needsLoad, needsOwn } from './select.js';
import { ownPhase, prepareSuites, suitesPhase } from './suites-phase.js';

export interface RunHost {
  readonly reporter: RunReporter;
  readonly io: { readonly err: NodeJS.WritableStream; readonly env: NodeJS.ProcessEnv };
  readonly signal: AbortSignal;
}

export interface JudgeOptions {
  /** Folder for the reports; a new one in `reports/` by default. */
  readonly reportDir?: string | undefined;
  readonly baseline: Baseline | null;
  readonly before: EarlierRun | null;
  /** True if a run that could not start leaves no folder and prints nothing. */
  readonly discardsUnstarted?: boolean;
}

export type Judged = Awaited<ReturnType<typeof judgeTarget>>;

const finishing = () => import('./finish.js');

/** Performs a run from plan to reports. Throws a UsageError if it cannot begin; results have later errors. */
export async function judgeTarget(
  plan: RunPlan,
  { reportDir, baseline, before, discardsUnstarted = false }: JudgeOptions,
  { reporter, io, signal }: RunHost,
) {
  const { request } = plan;
  let directory, log;
  {
    checkTemporaryFolder();
    using _ = await lockKeys(request.target);
    using live = reporter;
    directory = makeReportDir(reportDir, request.target.name, new Date());
    log = await execute({
      ...plan,
      directory,
      estimate: async (latencyMs) => (await import('./cost.js')).costOf(request, latencyMs),
      most: async () => (await import('./cost.js')).mostSecondsOf(request),
      signal,
      onRecord: (record) => {
        live.record(record);
        // While the suites run, this process is idle.
        if (record.type === 'phase' && record.phase === 'suites') void finishing();
      },
    });
  }
  if (discardsUnstarted && log.footer?.obstacle) {
    rmSync(directory, { recursive: true, force: true });
    const results = resultsOf(log, loadLedger().requirements);
    return { code: exitCodeOf(results), results, log, comparison: null, directory };
  }
  const { finishRun } = await finishing();
  return { ...(await finishRun({ log, directory, before, baseline, reporter, io })), directory };
}

/** Runs preflight, suites and profiles. Throws only errors that prevent the log, which has all others and a footer. */
export async function execute(options: RunOptions): Promise<RunLog> {
  const request = { ...options.request, target: await resolveTarget(options.request.target, options.signal) };
  const charged = new Set<RequirementId>();
  const run = openRun({
    ...options,
    request,
    onRecord: (record) => {
      if (record.type === 'finding' && record.finding.kind === 'violated') charged.add(record.finding.requirement);
      options.onRecord(record);
    },
  });
  const { signal, file, journal, received } = run;
  // Starts early, because it takes longer than preflight.
  const suites = prepareSuites(run);
  const hasLoad = needsLoad(loadLedger().requirements, request);
  try {
    return await runToEnd(run, async () => {
      if (suites && !signal.aborted) await suitesPhase(run, suites);
      const { exchanges, findings, preflight } = await readLog(file);
      const known = received.restored(exchanges);
      const learnt = preflight?.connections;
      if (hasLoad && !signal.aborted) {
        journal.append({ type: 'phase', phase: 'load', at: Date.now() });
        // Loading this code takes a tenth of a second, and suites do not need it.
        const { runLoadPhase } = await import('./load-phase.js');
        await runLoadPhase({ ...run, known, singly: findings.some(isSurplus), learnt });
      }
      if (suites && !signal.aborted) judgeSuitesTraffic(known, request, journal);
      // Comes late: load counts all requests with a key, and violations of the suites need no story.
      if (request.explore && !signal.aborted) {
        const { explorePhase } = await import('./explore-phase.js');
        const last = known.findLast(({ credential }) => credential.kind === 'valid') ?? null;
        await explorePhase({ ...run, learnt, broken: charged, before: hasLoad ? 'load' : last });
      }
      // Comes last, so own suites cannot change the findings about the interface.
      if (needsOwn(request) && !signal.aborted) await ownPhase(run);
      return null;
    });
  } finally {
    suites?.child.discard();
  }
}
