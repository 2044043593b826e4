import { join } from 'node:path';
import { loadLedger } from '../contract/ledger.js';
import { readText } from '../contract/yaml-source.js';
import { parseBaseline } from '../report/across/baseline.js';
import type { Baseline } from '../report/across/baseline.js';
import { exploreRequest } from '../run/explore-request.js';
import { judgeTarget } from '../run/judge-target.js';
import type { Judged } from '../run/judge-target.js';
import { readProof } from '../run/proof.js';
import { planRun } from '../run/plan-run.js';
import type { RunPlan } from '../run/plan-run.js';
import { newestRun, shownPath } from '../run/report-dir.js';
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
  let judged: Judged;
  try {
    judged = await judgeTarget(plan, { ...args, baseline, before }, { reporter, io, signal: interrupted.signal });
  } finally {
    interrupted.release();
  }
  if (notify) await tellOthers(notify, judged, io);
  return judged.code;
}

/** Posts the verdict; what becomes of that changes nothing about it. */
async function tellOthers(url: URL, { code, results, comparison, directory }: Judged, io: Io): Promise<void> {
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
