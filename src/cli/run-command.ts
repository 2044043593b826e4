import type { RequirementId } from '../contract/types.js';
import type { Baseline } from '../acceptance/baseline.js';
import { exploreRequest } from '../run/explore-request.js';
import { judgeTarget, type Judged } from '../run/judge-target.js';
import { ownRequest } from '../run/own-request.js';
import { planRun, type RunPlan } from '../run/plan-run.js';
import { newestRun } from '../run/report-dir.js';
import { UsageError } from '../contract/usage-error.js';
import type { Target } from '../targets/target.js';
import { acceptanceOf, notifyTo, readBaseline, tellOthers } from './acceptance.js';
import { commandLine } from './command-line.js';
import { interruption } from './interruption.js';
import { line, type Io } from './io.js';
import { openTarget } from './open-target.js';
import { reporterOf } from './reporter-of.js';
import type { RunArguments } from './run-options.js';
import { shardFrom } from './shard-option.js';

/** `run`: judges a target and gives the exit code of its verdict. */
export async function runCommand(args: RunArguments, io: Io): Promise<number> {
  const shard = shardFrom(args);
  const notify = await notifyTo(args.notify, io.env);
  const { target, embedded, close } = await openTarget(args, io, { underLoad: args.only !== 'suites' });
  try {
    const baseline = readBaseline(args.baseline);
    const explore = exploreRequest(args, target);
    const plan = planRun({
      ...args,
      shard,
      explore,
      own: ownRequest(args),
      // The embedded server has a key to give up, and shows all that the kit can do.
      include: embedded ? ['ban', ...(args.include ?? [])] : args.include,
      target,
      failedBefore: args.lastFailed ? failedBefore(target, io) : null,
      acceptance: acceptanceOf(args.certify, baseline),
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

async function runPlan(
  plan: RunPlan,
  { baseline, notify }: { readonly baseline: Baseline | null; readonly notify: URL | null },
  args: RunArguments,
  io: Io,
): Promise<number> {
  const { request } = plan;
  const interrupted = interruption();
  const before = newestRun('reports', request.target.name);
  const reporter = reporterOf(args, io);
  let judged: Judged;
  try {
    judged = await judgeTarget(plan, { ...args, baseline, before }, { reporter, io, signal: interrupted.signal });
  } finally {
    interrupted.release();
  }
  if (notify) await tellOthers(notify, judged, io);
  return judged.code;
}

/** The ids that the newest run of a target did not pass; null, and said so, where it left nothing open: then all is run. */
function failedBefore(target: Target, io: Io): readonly RequirementId[] | null {
  const newest = newestRun('reports', target.name);
  if (!newest)
    throw new UsageError(
      'no-earlier-run',
      `There is no earlier run of ${target.name} in reports/.`,
      'Run once without --last-failed.',
    );
  const { requirements, own } = newest.results;
  const ids = [...requirements, ...(own?.requirements ?? [])]
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
