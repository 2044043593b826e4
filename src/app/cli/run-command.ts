import { loadLedger } from '../../base/interface/ledger.js';
import { exploreRequest, seedOfStories } from '../../run/explore-request.js';
import { judgeTarget, type Judged, type JudgeOptions } from '../../run/judge-target.js';
import { ownRequest, type OwnRequest } from '../../drive/own/own-suites.js';
import { certificateObstacles } from '../../run/certificate-obstacles.js';
import { ciOf } from '../../run/ci-environment.js';
import { planRun, type RunPlan } from '../../run/plan-run.js';
import { openRows, repetitionsOf, type FailedBefore } from '../../run/last-failed.js';
import { earlierRuns, REPORTS, runToCompare } from '../../run/report-dir.js';
import type { RequirementId } from '../../base/interface/types.js';
import type { Outcome } from '../../judge/verdict.js';
import type { Results } from '../../outcome/results/results.js';
import type { Target } from '../../wire/targets/target.js';
import { listed, listedUpTo } from '../../base/kernel/format.js';
import { wrapped } from '../../outcome/words/safe-text.js';
import { AMOUNTS } from '../../report/amounts.js';
import { acceptanceOf, notifier, readBaseline, readProperties, reporterOf } from './acceptance.js';
import { commandLine } from './command-line.js';
import type { Arguments } from './command-options.js';
import { interruption } from './process-end.js';
import { line, print, printLabelled, type Io } from './io.js';
import { openTarget } from './open-target.js';
import { UsageError } from '../../base/kernel/errors.js';

export const command = async (args: Arguments<'run'>, io: Io): Promise<number> =>
  (await runOnce(args, io))?.code ?? 0;

/**
 * Judges a target once; null for a dry run. Open rows are judged by the requests that showed their failures;
 * if these show one no more, again with all that came before.
 *
 * @param how `discards`: see `JudgeOptions`
 */
export async function runOnce(
  args: Arguments<'run'>,
  io: Io,
  how: Pick<JudgeOptions, 'discards'> = {},
): Promise<Judged | null> {
  const notify = await notifier(args, io);
  let judged;
  try {
    judged = await judgeOnce(args, io, how);
    if (judged?.mended.length) {
      const rows = listedUpTo(judged.mended, AMOUNTS.terminal.lineNames);
      print(io.out, [
        '',
        ...wrapped('── ', `no longer failing: ${rows}. Repeating with the requests before them`),
        '',
      ]);
      judged = await judgeOnce(args, io, { ...how, isWholeRetry: true });
    }
  } catch (error) {
    if (!args.dryRun) await notify.failure(error);
    throw error;
  }
  if (judged) await notify.verdict(judged);
  return judged;
}

/**
 * Returns the open rows that no longer fail with fewer requests than before: the left out ones may matter, so
 * these rows are not mended yet.
 */
const mendedSoFar = (
  { complete, obstacle, requirements }: Results,
  { request, leavesOut }: RunPlan,
): readonly RequirementId[] =>
  leavesOut && complete && obstacle === undefined
    ? requirements
        .filter(
          ({ id, outcome }) =>
            request.retries?.rows.some(({ requirement }) => requirement === id) === true &&
            !FAILURES.has(outcome),
        )
        .map(({ id }) => id)
    : [];

const FAILURES: ReadonlySet<Outcome> = new Set(['failed', 'warned', 'error']);

async function judgeOnce(
  args: Arguments<'run'>,
  io: Io,
  { discards, isWholeRetry = false }: Pick<JudgeOptions, 'discards'> & { readonly isWholeRetry?: boolean },
): Promise<(Judged & { readonly mended: readonly RequirementId[] }) | null> {
  await using opened = await openTarget(args, io, { underLoad: args.only !== 'suites' });
  const { target, embedded } = opened;
  const acceptance = acceptanceOf(args.certify, readBaseline(args.baseline));
  const own = ownRequest(args);
  const properties = readProperties(args.properties, own?.rows);
  const failed = args.lastFailed ? await failedBefore(target, own, io) : null;
  const stories = failed?.repetitions.flatMap(({ retry }) => retry.stories) ?? [];
  const explore = exploreRequest(args, target, seedOfStories(stories));
  const plan = planRun({
    ...args,
    explore,
    own,
    // The embedded server has a sacrificial key, and shows all features of the kit.
    include: embedded && !args.quick ? ['ban', ...(args.include ?? [])] : args.include,
    target,
    failedBefore: failed,
    isWholeRetry,
    acceptance,
    ci: ciOf(io.env),
    command: commandLine(
      'run',
      explore && args.replay === undefined ? { ...args, seed: String(explore.seed) } : args,
    ),
    now: Date.now(),
  });
  if (args.replay !== undefined) (await import('../../run/check-story.js')).checkStory(plan);
  if (args.dryRun) {
    const { describePlan, PLAN_LABEL } = await import('../../run/describe-plan.js');
    printLabelled(io.out, await describePlan(plan, args.verbose), PLAN_LABEL);
    return null;
  }
  if (!isWholeRetry)
    for (const reason of certificateObstacles(plan.request, new Date().toISOString()))
      print(io.err, wrapped('warning         ', `No certificate from this run: ${reason}`));
  const before = runToCompare(earlierRuns(REPORTS, target.name), plan.request.selection, target);
  const reporter = reporterOf(args, io);
  using interrupted = interruption();
  const judged = await judgeTarget(
    plan,
    {
      ...args,
      before,
      properties,
      discards: (results) => discards?.(results) === true || mendedSoFar(results, plan).length > 0,
    },
    { reporter, io, signal: interrupted.signal },
  );
  return { ...judged, mended: mendedSoFar(judged.results, plan) };
}

/**
 * Returns the rows that earlier runs of a target left open; prints a note and returns null for none: then all
 * rows run.
 */
async function failedBefore(
  target: Target,
  own: OwnRequest | undefined,
  io: Io,
): Promise<FailedBefore | null> {
  const runs = earlierRuns(REPORTS, target.name);
  if (runs.length === 0)
    throw new UsageError(
      'no-earlier-run',
      `There is no earlier run of ${target.name} in reports/.`,
      'Run once without --last-failed.',
    );
  const rows = [...loadLedger().requirements, ...(own?.rows ?? [])];
  const open = openRows(runs);
  const left = open.filter(({ id }) => !rows.some((row) => row.id === id)).map(({ id }) => id);
  if (left.length > 0)
    throw new UsageError(
      'own-suites-missing',
      `Own suites left ${listed(left)} open, but --suite does not name them.`,
      'Give --suite as before, or run without --last-failed.',
    );
  if (open.length > 0)
    return {
      ids: open.map(({ id }) => id),
      repetitions: await repetitionsOf(open, loadLedger().requirements),
    };
  line(
    io.out,
    runs.some(({ results }) => !results.obstacle)
      ? `The earlier runs of ${target.name} left nothing open, so everything runs.`
      : `No earlier run of ${target.name} could start, so everything runs.`,
  );
  return null;
}
