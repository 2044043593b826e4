import { join } from 'node:path';
import { loadLedger } from '../contract/ledger.js';
import { readText } from '../contract/yaml-source.js';
import { parseBaseline } from '../report/across/baseline.js';
import type { Baseline } from '../report/across/baseline.js';
import { execute } from '../run/execute.js';
import type { RunLog } from '../log/run-log.js';
import { lockKeys } from '../run/key-lock.js';
import { exploreRequest } from '../run/explore-request.js';
import { readProof } from '../run/proof.js';
import { planRun } from '../run/plan-run.js';
import type { RunPlan } from '../run/plan-run.js';
import { makeReportDir, newestRun, shownPath } from '../run/report-dir.js';
import type { Finished } from '../run/finish.js';
import { FILES } from '../report/files.js';
import { UsageError } from '../run/usage-error.js';
import { createTerminalReporter } from '../report/terminal/reporter.js';
import type { Target } from '../target/target.js';
import { fillIn } from '../target/placeholders.js';
import { commandLine } from './command-line.js';
import { interruption } from './interruption.js';
import { line } from './io.js';
import type { Io } from './io.js';
import { openTarget } from './open-target.js';
import type { RunArguments } from './run-options.js';

/*
 * What a run needs only later, or not at all, is loaded when it is needed: whoever mends and runs again waits for the
 * suites, and those for nothing.
 */

/** Loads what makes the reports. */
const finishing = () => import('../run/finish.js');

/** `run`: judges a target and gives the exit code of its verdict. */
export async function runCommand(args: RunArguments, io: Io): Promise<number> {
  const notify = args.notify === undefined ? null : await notifyTo(args.notify, io.env);
  const { target, embedded, close } = await openTarget(args, io, { underLoad: args.only !== 'suites' });
  try {
    const baseline =
      args.baseline === undefined
        ? null
        : parseBaseline(readText(args.baseline, 'Name a baseline file that can be read.'), args.baseline);
    const explore = exploreRequest(args, target);
    const plan = planRun({
      ...args,
      explore,
      // The embedded server has a key to give up, and shows all that the kit can do.
      include: embedded ? ['ban', ...(args.include ?? [])] : args.include,
      target,
      failedBefore: args.lastFailed ? failedBefore(target, io) : null,
      acceptance: {
        certificate: args.certify,
        baseline: baseline !== null,
        ...(baseline && { accepted: baseline.accepted }),
      },
      command: commandLine(explore && args.replay === undefined ? { ...args, seed: String(explore.seed) } : args),
      now: Date.now(),
    });
    if (args.dryRun) {
      const { describePlan } = await import('../run/describe-plan.js');
      for (const text of await describePlan(plan, args)) line(io.out, text);
      return 0;
    }
    return await runPlan(plan, { baseline, notify }, args, io);
  } finally {
    await close();
  }
}

/** The address that a verdict is posted to, which may come from the environment as a key does, or be missing there. */
async function notifyTo(text: string, env: NodeJS.ProcessEnv): Promise<URL | null> {
  const { notifyAddress } = await import('../run/notify.js');
  const address = fillIn(text, env, {});
  return address === undefined ? null : notifyAddress(address);
}

async function runPlan(
  plan: RunPlan,
  { baseline, notify }: { readonly baseline: Baseline | null; readonly notify: URL | null },
  args: RunArguments,
  io: Io,
): Promise<number> {
  const { requirements: rows } = loadLedger();
  const { request } = plan;
  const unlock = lockKeys(request.target);
  const interrupted = interruption();
  const before = newestRun('reports', request.target.name);
  const reporter = createTerminalReporter({
    stream: io.out,
    reporter: args.reporter,
    verbose: args.verbose,
    env: io.env,
    rows,
    flaws: () => readProof()?.flaws ?? [],
  });
  let log: RunLog;
  let directory: string;
  try {
    directory = makeReportDir(args.reportDir, request.target.name, new Date());
    log = await execute({
      ...plan,
      directory,
      estimate: async () => (await import('../run/cost.js')).costOf(request, args.allowLoadOnProduction),
      most: async () => (await import('../run/cost.js')).mostSecondsOf(request, args.allowLoadOnProduction),
      allowLoadOnProduction: args.allowLoadOnProduction,
      signal: interrupted.signal,
      onRecord: (record) => {
        reporter.record(record);
        // While the suites run, this process has time.
        if (record.type === 'phase' && record.phase === 'suites') void finishing();
      },
    });
  } finally {
    reporter.stop();
    unlock();
    interrupted.release();
  }
  const { finishRun } = await finishing();
  const finished = await finishRun({ log, directory, before, baseline, reporter, io });
  if (notify) await tellOthers(notify, finished, directory, io);
  return finished.code;
}

/** Posts the verdict; what becomes of that changes nothing about it. */
async function tellOthers(url: URL, { code, results, comparison }: Finished, directory: string, io: Io): Promise<void> {
  const { deliver, notificationOf } = await import('../run/notify.js');
  const place = { exitCode: code, report: shownPath(join(directory, FILES.page)) };
  const problem = await deliver(url, notificationOf(results, comparison, place));
  if (problem !== null) line(io.err, `\nwarning         --notify: ${problem}; the verdict stands.`);
}

/** The ids that the newest run of a target did not pass; null, and said so, where it left nothing open: then all is run. */
function failedBefore(target: Target, io: Io): readonly string[] | null {
  const newest = newestRun('reports', target.name);
  if (!newest)
    throw new UsageError(
      'no-earlier-run',
      `There is no earlier run of ${target.name} in reports/.`,
      'Run once without --last-failed.',
    );
  const ids = newest.results.requirements
    .filter(({ outcome }) => ['failed', 'error', 'warned', 'inconclusive'].includes(outcome))
    .map(({ id }) => id);
  if (ids.length > 0 && !newest.results.obstacle) return ids;
  line(
    io.out,
    newest.results.obstacle
      ? `The newest run of ${target.name} could not start: everything is run.`
      : `The newest run of ${target.name} (${newest.directory}) left nothing open: everything is run.`,
  );
  return null;
}
