import type { Baseline } from '../acceptance/baseline.js';
import type { RunReporter } from './run-reporter.js';
import { carriesLoad } from '../verdict/shard.js';
import { execute } from './execute.js';
import type { Finished } from './finish.js';
import { lockKeys } from './key-lock.js';
import type { RunPlan } from './plan-run.js';
import { makeReportDir, type EarlierRun } from './report-dir.js';

/** Where a run is told, and who may end it. */
export interface RunHost {
  readonly reporter: RunReporter;
  readonly io: { readonly err: NodeJS.WritableStream; readonly env: NodeJS.ProcessEnv };
  readonly signal: AbortSignal;
}

/** What goes with a plan. */
export interface JudgeOptions {
  /** The folder to write into; a new one in `reports/` unless given. */
  readonly reportDir?: string | undefined;
  readonly allowLoadOnProduction: boolean;
  readonly baseline: Baseline | null;
  /** The run to compare with. */
  readonly before: EarlierRun | null;
}

/** What came of a run, and where it was written. */
export interface Judged extends Finished {
  readonly directory: string;
}

/** Loads what makes the reports. */
const finishing = () => import('./finish.js');

/**
 * A run from its plan to its reports: what the command line and programs do alike. Throws a UsageError where it cannot begin;
 * whatever happens from then on is in the results.
 */
export async function judgeTarget(
  plan: RunPlan,
  { reportDir, allowLoadOnProduction, baseline, before }: JudgeOptions,
  { reporter, io, signal }: RunHost,
): Promise<Judged> {
  const { request } = plan;
  const unlock = lockKeys(request.target, carriesLoad(request.selection) ? undefined : request.target.suiteKey);
  let log;
  let directory;
  try {
    directory = makeReportDir(reportDir, request.target.name, new Date());
    log = await execute({
      ...plan,
      directory,
      estimate: async () => (await import('./cost.js')).costOf(request, allowLoadOnProduction),
      most: async () => (await import('./cost.js')).mostSecondsOf(request, allowLoadOnProduction),
      allowLoadOnProduction,
      signal,
      onRecord: (record) => {
        reporter.record(record);
        // While the suites run, this process has time.
        if (record.type === 'phase' && record.phase === 'suites') void finishing();
      },
    });
  } finally {
    reporter.stop();
    unlock();
  }
  const { finishRun } = await finishing();
  return { ...(await finishRun({ log, directory, before, baseline, reporter, io })), directory };
}
