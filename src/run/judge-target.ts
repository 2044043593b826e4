import { rmSync } from 'node:fs';
import type { RunLog } from '../log/run-log.js';
import type { Results } from '../outcome/results/results.js';
import type { OwnProperties } from '../report/machine/case-properties.js';
import type { RunReporter } from '../report/run-reporter.js';
import { resolveTarget } from '../drive/suite/resolve-target.js';
import { exitCodeOf } from '../judge/verdict.js';
import { lockKeys } from './key-lock.js';
import { checkTemporaryFolder } from '../base/kernel/temporary-folder.js';
import type { RunPlan } from './plan-run.js';
import { makeReportDir, type ComparedRun } from './report-dir.js';
import type { RunOptions } from './request.js';
import { openRun } from './open-run.js';
import { phasesOf } from './phases/index.js';
import { runToEnd } from './run-to-end.js';

export interface RunHost {
  readonly reporter: RunReporter;
  readonly io: { readonly err: NodeJS.WritableStream; readonly env: NodeJS.ProcessEnv };
  readonly signal: AbortSignal;
}

export interface JudgeOptions {
  /** Folder for the reports; a new one in `reports/` by default. */
  readonly reportDir?: string | undefined;
  readonly before: ComparedRun | null;
  /** A user's own properties of the test cases in junit.xml. */
  readonly properties?: OwnProperties | undefined;
  /** Is true for results that lead to another run: they leave no folder, and nothing more is printed. */
  readonly discards?: (results: Results) => boolean;
}

export type Judged = Awaited<ReturnType<typeof judgeTarget>>;

const finishing = () => import('./finish.js');

/** Performs a run from plan to reports. Throws a UsageError if it cannot begin; results have later errors. */
export async function judgeTarget(
  plan: RunPlan,
  { reportDir, before, properties, discards }: JudgeOptions,
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
      most: async () => (await import('./cost.js')).limitOf(request),
      signal,
      onRecord: (record) => {
        live.record(record);
        // While the suites run, this process is idle.
        if (record.type === 'phase' && record.phase === 'suites') void finishing();
      },
    });
  }
  if (discards) {
    const document = (await import('./write-reports.js')).documentOf(log);
    const { results } = document;
    if (discards(results)) {
      rmSync(directory, { recursive: true, force: true });
      return { code: exitCodeOf(results), results, document, log, comparison: null, directory };
    }
  }
  const { finishRun } = await finishing();
  return { ...(await finishRun({ log, directory, before, properties, reporter, io })), directory };
}

/** Runs all phases. Throws only errors that prevent the log, which has all others and a footer. */
export async function execute(options: RunOptions): Promise<RunLog> {
  const request = { ...options.request, target: await resolveTarget(options.request.target, options.signal) };
  return runToEnd(openRun({ ...options, request }), phasesOf(request));
}
