import { replayOf } from '../drive/explore/replay-paths.js';
import { dayAsked } from '../base/kernel/day.js';
import { loadContract } from '../base/interface/contract.js';
import { loadLedger } from '../base/interface/ledger.js';
import type { PlanName } from '../base/interface/types.js';
import type { Acceptance, Selection } from '../log/header-record.js';
import { removalPhaseAt, removalPhaseOn } from '../base/interface/removal-phase.js';
import { newRunId } from '../drive/suite/fixture.js';
import { subjectsOfRun } from '../wire/targets/subject.js';
import type { Target } from '../wire/targets/target.js';
import type { OwnRequest } from '../drive/own/own-suites.js';
import { exploreAgain } from './explore-request.js';
import type { ExploreRequest, RunRequest } from './request.js';
import { retriesOf, type FailedBefore } from './last-failed.js';
import { leavesSuites, runProfileOf, selectRequirements } from './select.js';
import { plansWithKey } from '../wire/targets/keys.js';
import { badOption, UsageError } from '../base/kernel/errors.js';

export interface PlanOptions {
  readonly target: Target;
  readonly only?: 'suites' | 'load' | undefined;
  readonly requirement?: readonly string[];
  readonly profile?: readonly string[];
  readonly plan?: readonly PlanName[] | undefined;
  /** Asks of the limits only the burst and the way back. */
  readonly quick?: boolean;
  readonly include?: readonly ('ban' | 'day-quota')[] | undefined;
  readonly explore?: ExploreRequest | undefined;
  readonly readOnly: boolean;
  readonly allowLoadOnProduction?: boolean;
  /** Rows that earlier runs of the target left open, and their evidence; null if not requested. */
  readonly failedBefore?: FailedBefore | null;
  /** True if all tests run that can have led to these failures, not only those that show them. */
  readonly isWholeRetry?: boolean;
  readonly asOf?: string | undefined;
  readonly acceptance?: Acceptance;
  readonly label?: string | undefined;
  /** Artefacts, as `--subject` takes them. */
  readonly subject?: readonly string[] | undefined;
  /** Absent outside a CI system. */
  readonly ci?: RunRequest['ci'];
  readonly own?: OwnRequest | undefined;
  readonly command: string;
  /** Unix ms. */
  readonly now: number;
}

export type RunPlan = ReturnType<typeof planRun>;

/** Plans a run. Pure except for the random run id; throws UsageError for a contradictory selection. */
export function planRun(options: PlanOptions) {
  const { target, only, requirement = [], profile = [], plan, quick = false } = options;
  const { include = [], explore, readOnly } = options;
  const { failedBefore = null, isWholeRetry = false, asOf, label, own, command, now } = options;
  const { removalDate } = loadContract();
  const day = dayAsked(asOf, now);
  checkPlans(plan, target);
  if (quick) checkQuick(options);
  const selection: Selection = {
    ...(only && { only }),
    ...(requirement.length > 0 && { requirements: requirement }),
    ...(profile.length > 0 && { profiles: profile.map(runProfileOf) }),
    ...(plan && plan.length > 0 && { plans: plan }),
    ...(failedBefore && { lastFailed: true }),
    ...(quick && { quick }),
  };
  const story =
    explore?.replay === undefined ? null : { replay: `${explore.seed}:${replayOf(explore.replay)}` };
  const chosen: Selection | null = Object.keys(selection).length > 0 ? selection : story;
  const requirements = [...loadLedger().requirements, ...(own?.rows ?? [])];
  const selected =
    chosen?.replay === undefined ? selectRequirements(requirements, chosen, failedBefore?.ids) : null;
  const { retries, leavesOut } = retriesOf(
    (failedBefore?.repetitions ?? []).filter(({ retry }) => selected?.includes(retry.requirement) ?? true),
    isWholeRetry,
  );
  const exploring = exploreAgain(
    explore,
    leavesSuites(chosen) ? retries.rows.flatMap(({ stories }) => stories) : [],
    target,
  );
  const writes = target.writes && !readOnly;
  const removal = asOf === undefined ? removalPhaseAt(removalDate, now) : removalPhaseOn(removalDate, asOf);
  const optIns = ['day-quota', 'ban'] as const;
  const request: RunRequest = {
    run: newRunId(),
    target,
    selection: chosen,
    selected,
    ...(failedBefore && { retries }),
    writes,
    asOf: day,
    includes: optIns.filter((name) => include.includes(name) || profile.includes(name)),
    acceptance: options.acceptance ?? { certificate: false, baseline: false },
    ...(label !== undefined && { label: checkedLabel(label) }),
    ...(options.ci && { ci: options.ci }),
    subject: subjectsOfRun(target.subject ?? [], options.subject ?? []),
    ...(own && { own }),
    allowLoadOnProduction: options.allowLoadOnProduction ?? false,
    ...(exploring && { explore: exploring }),
    command,
  };
  return {
    request,
    removal,
    /** True if tests are left out that may matter to an open row once it passes. */
    leavesOut,
  };
}

/** Rejects options that select questions or rows too, or questions that take longer. */
function checkQuick({
  only,
  requirement = [],
  profile = [],
  include = [],
  failedBefore,
  explore,
}: PlanOptions) {
  const others = [
    ['--requirement', requirement.length > 0],
    ['--profile', profile.length > 0],
    ['--include', include.length > 0],
    ['--last-failed', Boolean(failedBefore)],
    ['--replay', explore?.replay !== undefined],
    ['--only suites', only === 'suites'],
  ] as const;
  const [other] = others.find(([, isGiven]) => isGiven) ?? [];
  if (other === undefined) return;
  throw badOption(
    `--quick and ${other} exclude each other: --quick selects the questions to the rate limit itself.`,
    `Leave out one of them. Nothing was sent.`,
  );
}

/** Longest label, for a line of a page or a tooltip: a build's name, number or commit fits. */
const LONGEST_LABEL = 80;

function checkedLabel(label: string): string {
  const text = label.trim();
  if (text !== '' && text.length <= LONGEST_LABEL && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return text;
  throw badOption(
    `--label takes the name of a build: one line of 1 to ${LONGEST_LABEL} characters.`,
    'Write it as --label 2.4.1 or --label "$(git rev-parse --short HEAD)". Nothing was sent.',
  );
}

/** Rejects plans without any key, which would omit all load and could pass. */
function checkPlans(plans: readonly PlanName[] = [], target: Target): void {
  if (plans.length === 0 || plansWithKey(target, plans).length > 0) return;
  throw new UsageError(
    'nothing-selected',
    `There is no key for ${plans.join(', ')}.`,
    `Keys are given for: ${plansWithKey(target).join(', ')}. Add one for this plan, or leave out --plan.`,
  );
}
